// ERNIE 4.5 (mixture of experts): experts in a range of layers, shared ones beside them; the router's correction bias
// is a parameter. The prediction layer is a dense one. Source: transformers,
// models/ernie4_5_moe/configuration_ernie4_5_moe.py and modeling_ernie4_5_moe.py.
#include <algorithm>

#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_ernie4_5_moe(Reader& config) {
    const bool bias = config.flag_or({"use_bias"}, false);
    LayerShape shape = read_dense_layer(config, bias);
    shape.feed_forward.bias = bias;
    LayerShape sparse = shape;
    MixtureShape mixture;
    mixture.experts = config.count({"moe_num_experts", "num_experts"});
    read_choices(config, mixture, {"moe_k", "num_experts_per_tok"});
    mixture.intermediate = config.count({"moe_intermediate_size"});
    if (const auto shared = config.optional_count({"moe_num_shared_experts"}))
        mixture.shared = *shared * mixture.intermediate;
    mixture.shared_bias = bias;
    mixture.correction_bias = true;
    sparse.mixture = mixture;
    const double first = config.number_or({"moe_layer_start_index"}, 1),
                 step = std::max(1.0, config.number_or({"moe_layer_interval"}, 1));
    const double stated_last = config.number_or({"moe_layer_end_index"}, -1),
                 last = stated_last < 0 ? 1e9 : stated_last;
    const Pattern pattern = pattern_by(
        config, [=](double index) { return index >= first && index <= last && is_multiple(index + 1, step); });
    Model model = decoder_of(config, {{"dense_layer", &shape}, {"sparse_layer", &sparse}}, pattern, true);
    append_prediction(config, model, shape, 2);
    return model;
}

}  // namespace

extern const Architecture ernie4_5_moe{{"ernie4_5_moe"},
                                       {"Ernie4_5_MoeForCausalLM", "Ernie4_5_MoEForCausalLM"},
                                       "Ernie4_5_MoeConfig",
                                       {{"vocab_size", 103424},
                                        {"hidden_size", 2560},
                                        {"intermediate_size", 12288},
                                        {"num_hidden_layers", 28},
                                        {"num_attention_heads", 20},
                                        {"num_key_value_heads", 4},
                                        {"moe_intermediate_size", 1536},
                                        {"moe_k", 6},
                                        {"moe_num_experts", 64},
                                        {"moe_num_shared_experts", 2},
                                        {"max_position_embeddings", 131072}},
                                       build_ernie4_5_moe};

}  // namespace plimsoll::architecture
