// dots.llm1: Qwen3's attention, DeepSeek's experts; a window in the layers that `layer_types` or `max_window_layers`
// names. Source: transformers, models/dots1/configuration_dots1.py and modeling_dots1.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_dots1(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.qk_norm = QueryKeyNorm::head;
    LayerShape sparse = shape, windowed_sparse;
    if (config.optional_count({"n_routed_experts"})) {
        sparse.mixture = read_mixture(config);
        sparse.mixture->renormalised = config.flag_or({"norm_topk_prob"}, false);
    }
    windowed_sparse = sparse;
    windowed_sparse.attention.window = config.optional_count({"sliding_window"});
    const Pattern with_experts = sparse_layers(config);
    const auto said = layers_named(config, "layer_types", "sliding_attention");
    const double full = config.number_or({"max_window_layers"}, 62);
    const Pattern pattern = pattern_by(config, [&](double index) {
        const auto at = static_cast<size_t>(index);
        const bool windowed = said ? (*said)[at] != 0 : index >= full;
        return with_experts[at] && windowed ? 2 : with_experts[at];
    });
    return decoder_of(config, {{"dense_layer", &shape}, {"sparse_layer", &sparse}, {"sliding_layer", &windowed_sparse}},
                      pattern);
}

}  // namespace

extern const Architecture dots1{{"dots1"},
                                {"Dots1ForCausalLM"},
                                "Dots1Config",
                                {{"vocab_size", 152064},
                                 {"hidden_size", 4608},
                                 {"intermediate_size", 10944},
                                 {"moe_intermediate_size", 1408},
                                 {"num_hidden_layers", 62},
                                 {"num_attention_heads", 32},
                                 {"sliding_window", 4096},
                                 {"max_position_embeddings", 2048}},
                                build_dots1};

}  // namespace plimsoll::architecture
