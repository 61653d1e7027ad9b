// GPT-NeoX and Pythia: two LayerNorms of one input feed attention and a plain feed-forward in parallel; biases
// everywhere but at the head.
// Source: transformers, models/gpt_neox/configuration_gpt_neox.py and modeling_gpt_neox.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_gpt_neox(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.fused = true;
    layer.attention.bias = layer.attention.output_bias = config.flag_or({"attention_bias"}, true);
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.dropout = config.number_or({"hidden_dropout"}, 0);
    if (config.flag_or({"use_parallel_residual"}, true)) layer.branches = Branches::parallel_two_norms;
    layer.feed_forward = {.hidden = layer.attention.hidden,
                          .intermediate = config.count({"intermediate_size"}),
                          .gated = false,
                          .bias = true,
                          .activation = read_activation(config, "gelu")};
    return decoder_of(config, layer);
}

}  // namespace

extern const Architecture gpt_neox{{"gpt_neox"},
                                   {"GPTNeoXForCausalLM"},
                                   "GPTNeoXConfig",
                                   {{"vocab_size", 50432},
                                    {"hidden_size", 6144},
                                    {"intermediate_size", 24576},
                                    {"num_hidden_layers", 44},
                                    {"num_attention_heads", 64},
                                    {"max_position_embeddings", 2048}},
                                   build_gpt_neox};

}  // namespace plimsoll::architecture
