// Granite 4 hybrid: Mamba 2 or attention by layer_types, then a shared dense network with or without experts beside it.
// Source: transformers, models/granitemoehybrid/configuration_granitemoehybrid.py and modeling_granitemoehybrid.py.
#include "model/build/decoder.h"
#include "model/build/sub_layers/mixers.h"

namespace plimsoll::architecture {
namespace {

// The expert that every token visits stands alone where there are no others.
void read_experts(Reader& config, LayerShape& shape) {
    const Traced shared = config.count({"shared_intermediate_size"});
    const std::optional<Traced> experts = config.optional_count({"num_local_experts"});
    shape.feed_forward = {.hidden = shape.attention.hidden, .intermediate = shared, .fused = true};
    if (!experts) return;
    MixtureShape& mixture = shape.mixture.emplace();
    mixture.experts = *experts;
    read_choices(config, mixture, {"num_experts_per_tok"});
    mixture.intermediate = config.count({"intermediate_size"});
    mixture.shared = shared;
    mixture.shared_fused = true;
    mixture.shared_sum = Part::shared_experts;
}

// 1 for the layers with attention, by their older or newer name (transformers, `remap_legacy_layer_types`).
Pattern attention_layers(Reader& config) {
    const Label field = config.has("layer_types") ? "layer_types" : "layers_block_type";
    Pattern pattern = stated_pattern(config, field, "attention");
    const Pattern renamed = stated_pattern(config, field, "full_attention");
    for (size_t index = 0; index < pattern.size(); ++index) pattern[index] |= renamed[index];
    if (pattern.empty()) pattern.assign(layer_count(config), 0);
    return pattern;
}

Model build_granitemoehybrid(Reader& config) {
    LayerShape attention = read_layer(config);
    attention.attention.rotary = config.word_or({"position_embedding_type"}, "nope") == "rope";
    const Traced& hidden = attention.attention.hidden;
    const Mamba2Shape mixer =
        read_mamba2(config, hidden, Traced::name(Made::term, "inner_width", config.count({"mamba_expand"}) * hidden));
    read_experts(config, attention);
    LayerShape recurrent = attention;
    recurrent.mixer = mamba2(mixer);
    return decoder_of(config, {{"mamba_layer", &recurrent}, {"attention_layer", &attention}}, attention_layers(config),
                      false, KindCounts::each);
}

}  // namespace

extern const Architecture granitemoehybrid{{"granitemoehybrid"},
                                           {"GraniteMoeHybridForCausalLM"},
                                           "GraniteMoeHybridConfig",
                                           {{"vocab_size", 32000},
                                            {"hidden_size", 4096},
                                            {"intermediate_size", 11008},
                                            {"num_hidden_layers", 32},
                                            {"num_attention_heads", 32},
                                            {"max_position_embeddings", 2048},
                                            {"num_local_experts", 8},
                                            {"num_experts_per_tok", 2},
                                            {"shared_intermediate_size", 1024},
                                            {"mamba_n_heads", 128},
                                            {"mamba_n_groups", 1},
                                            {"mamba_d_state", 256},
                                            {"mamba_d_conv", 4},
                                            {"mamba_expand", 2}},
                                           build_granitemoehybrid,
                                           true};

}  // namespace plimsoll::architecture
