// Qwen3-MoE: Qwen3's attention; experts of a width of their own in all layers but those that the configuration keeps
// dense. Source: transformers, models/qwen3_moe/configuration_qwen3_moe.py and modeling_qwen3_moe.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_qwen3_moe(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.qk_norm = QueryKeyNorm::head;
    if (config.flag_or({"use_sliding_window"}, false))
        shape.attention.window = config.optional_count({"sliding_window"});
    LayerShape sparse = shape;
    sparse.mixture = read_mixture(config);
    sparse.mixture->renormalised = config.flag_or({"norm_topk_prob"}, false);
    return decoder_of(config, {{"dense_layer", &shape}, {"sparse_layer", &sparse}}, stepped_sparse_layers(config));
}

}  // namespace

extern const Architecture qwen3_moe{{"qwen3_moe"},
                                    {"Qwen3MoeForCausalLM"},
                                    "Qwen3MoeConfig",
                                    {{"vocab_size", 151936},
                                     {"hidden_size", 2048},
                                     {"intermediate_size", 6144},
                                     {"num_hidden_layers", 24},
                                     {"num_attention_heads", 32},
                                     {"num_key_value_heads", 4},
                                     {"sliding_window", 4096},
                                     {"moe_intermediate_size", 768},
                                     {"num_experts_per_tok", 8},
                                     {"num_experts", 128},
                                     {"max_position_embeddings", 32768}},
                                    build_qwen3_moe};

}  // namespace plimsoll::architecture
