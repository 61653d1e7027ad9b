// StableLM: Llama's sub-layers with LayerNorm; the 12B normalises each head with a weight of its own and runs attention
// and feed-forward in parallel.
// Source: transformers, models/stablelm/configuration_stablelm.py and modeling_stablelm.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_stablelm(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.bias = config.flag_or({"use_qkv_bias"}, false);
    if (config.flag_or({"qk_layernorm"}, false)) layer.attention.qk_norm = QueryKeyNorm::each_head;
    layer.attention.qk_norm_kind = Norm::Kind::layer;
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.dropped = Dropped::feed_forward;
    layer.dropout = config.number_or({"hidden_dropout"}, 0);
    if (config.flag_or({"use_parallel_residual"}, false)) layer.branches = Branches::parallel;
    layer.feed_forward = {.hidden = layer.attention.hidden, .intermediate = config.count({"intermediate_size"})};
    return decoder_of(config, layer);
}

}  // namespace

extern const Architecture stablelm{{"stablelm", "stablelm_epoch"},
                                   {"StableLmForCausalLM", "StableLMEpochForCausalLM"},
                                   "StableLmConfig",
                                   {{"vocab_size", 50304},
                                    {"hidden_size", 2560},
                                    {"intermediate_size", 6912},
                                    {"num_hidden_layers", 32},
                                    {"num_attention_heads", 32},
                                    {"num_key_value_heads", 32},
                                    {"max_position_embeddings", 4096}},
                                   build_stablelm};

}  // namespace plimsoll::architecture
