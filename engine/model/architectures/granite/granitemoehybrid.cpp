// Granite 4 hybrid: Mamba 2 or attention by layer_types, then a shared dense network with or without experts beside it.
// Source: transformers, models/granitemoehybrid/configuration_granitemoehybrid.py and modeling_granitemoehybrid.py.
#include "model/build/blocks.h"
#include "model/build/layer.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    AttentionShape attention = read_layer(config).attention;
    attention.rotary = config.word_or({"position_embedding_type"}, "nope") == "rope";
    const Traced& hidden = attention.hidden;
    const Mamba2Shape mixer =
        read_mamba2(config, hidden, Traced::name(Made::term, "inner_width", config.count({"mamba_expand"}) * hidden));
    FeedForwardShape shared{hidden, config.count({"shared_intermediate_size"}), true, true};
    const std::optional<Traced> experts = config.optional_count({"num_local_experts"});
    if (experts) shared.part = Part::shared_experts;
    std::vector<NamedBlock> kinds;
    for (const bool attends : {false, true}) {
        Block layer;
        append_mixed(layer, hidden, [&] {
            attends ? append_attention(layer, attention, "normed", "mixed")
                    : append_mamba2(layer, mixer, "normed", "mixed");
        });
        if (!experts)
            append_dense(layer, shared);
        else
            append_experts(layer,
                           Experts{Part::experts,
                                   *experts,
                                   config.count({"num_experts_per_tok"}),
                                   hidden,
                                   config.count({"intermediate_size"}),
                                   {},
                                   {}},
                           &shared, false);
        kinds.push_back({attends ? "attention_layer" : "mamba_layer", std::move(layer)});
    }
    Model model = decoder(config, hidden, Norm::Kind::rms, false, {});
    std::vector<unsigned short> order =
        pattern_of(config, config.has("layer_types") ? "layer_types" : "layers_block_type", "attention");
    if (order.empty()) order.assign(model.order.size(), 0);
    set_pattern(config, model, std::move(kinds), std::move(order));
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
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
                                           build};

}  // namespace plimsoll::architecture
