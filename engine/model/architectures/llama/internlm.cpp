// InternLM 1, 2 and 3: Llama's layer; biases at attention's four matrices in the first, one matrix for grouped q, k and
// v in the second, a switch for q, k and v alone in the third. Source: the modeling_internlm*.py of the models' own
// repositories.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_internlm(Reader& config) {
    LayerShape layer;
    layer.attention = read_attention(config);
    const std::string type = config.word_or({"model_type"}, "internlm");
    const bool bias = config.flag_or({"bias"}, type == "internlm");
    layer.attention.fused = type == "internlm2";
    layer.attention.bias = config.flag_or({"qkv_bias"}, bias);
    layer.attention.output_bias = bias;
    layer.feed_forward = {.hidden = layer.attention.hidden, .intermediate = config.count({"intermediate_size"})};
    layer.feed_forward.bias = type == "internlm3" && bias;
    return decoder_of(config, layer);
}

}  // namespace

extern const Architecture internlm{{"internlm", "internlm2", "internlm3"},
                                   {"InternLMForCausalLM", "InternLM2ForCausalLM", "InternLM3ForCausalLM"},
                                   "InternLMConfig",
                                   {{"vocab_size", 103168},
                                    {"hidden_size", 4096},
                                    {"intermediate_size", 11008},
                                    {"num_hidden_layers", 32},
                                    {"num_attention_heads", 32}},
                                   build_internlm};

}  // namespace plimsoll::architecture
