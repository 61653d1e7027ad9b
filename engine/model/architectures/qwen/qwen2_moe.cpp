// Qwen1.5-MoE and Qwen2-MoE: Qwen2's attention; routed experts, and a shared one whose output a learned gate weighs.
// Source: transformers, models/qwen2_moe/configuration_qwen2_moe.py and modeling_qwen2_moe.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_qwen2_moe(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.bias = config.flag_or({"qkv_bias"}, true);
    shape.attention.output_bias = false;
    LayerShape sparse = shape;
    sparse.mixture = read_mixture(config);
    sparse.mixture->renormalised = config.flag_or({"norm_topk_prob"}, false);
    sparse.mixture->shared = config.count({"shared_expert_intermediate_size"});
    sparse.mixture->shared_gate = true;
    Pattern pattern = stepped_sparse_layers(config);
    LayerShape sliding_dense = shape, sliding_sparse = sparse;
    if (config.flag_or({"use_sliding_window"}, false)) {
        sliding_dense.attention.window = sliding_sparse.attention.window = config.optional_count({"sliding_window"});
        const Pattern windowed = windowed_layers(config, 2);
        const double full_from = config.words("layer_types") ? 1e9 : config.number_or({"max_window_layers"}, 28);
        pattern = combined(std::move(pattern), pattern_by(config, [&](double index) {
                               return windowed[static_cast<size_t>(index)] && index < full_from;
                           }));
    }
    return decoder_of(config,
                      {{"dense_layer", &shape},
                       {"sparse_layer", &sparse},
                       {"dense_sliding_layer", &sliding_dense},
                       {"sparse_sliding_layer", &sliding_sparse}},
                      pattern);
}

}  // namespace

extern const Architecture qwen2_moe{{"qwen2_moe"},
                                    {"Qwen2MoeForCausalLM"},
                                    "Qwen2MoeConfig",
                                    {{"vocab_size", 151936},
                                     {"hidden_size", 2048},
                                     {"intermediate_size", 5632},
                                     {"num_hidden_layers", 24},
                                     {"num_attention_heads", 16},
                                     {"num_key_value_heads", 16},
                                     {"sliding_window", 4096},
                                     {"moe_intermediate_size", 1408},
                                     {"shared_expert_intermediate_size", 5632},
                                     {"num_experts_per_tok", 4},
                                     {"num_experts", 60},
                                     {"max_position_embeddings", 32768}},
                                    build_qwen2_moe};

}  // namespace plimsoll::architecture
