// LFM2 and its mixtures: gated short convolutions, and grouped-query attention with a norm on each head, by
// layer_types; then a gated feed-forward whose width the class adjusts by itself, or experts behind the first dense
// layers. Source: transformers, models/lfm2 and models/lfm2_moe, configuration and modeling.
#include <algorithm>
#include <cmath>

#include "model/build/blocks.h"

namespace plimsoll::architecture {
namespace {

Traced dense_width(Reader& config) {
    Traced stated = config.count({config.has("block_ff_dim") ? "block_ff_dim" : "intermediate_size"});
    if (!config.flag_or({"block_auto_adjust_ff_dim"}, !config.has("num_experts"))) return stated;
    double width = std::floor(2 * stated.value() / 3);
    if (const double multiplier = config.number_or({"block_ffn_dim_multiplier"}, 1); multiplier > 0) {
        const double multiple = config.count_or({"block_multiple_of"}, Traced(256), "class default").value();
        width = multiple * std::ceil(std::floor(multiplier * width) / multiple);
    }
    return Traced::leaf("adjusted_width", width,
                        "two thirds of intermediate_size, rounded up to block_multiple_of (Lfm2MLP)");
}

void append_convolution(Block& block, const Traced& hidden, const Traced& kernel, bool bias) {
    constexpr Part part = Part::mixer;
    append_linear(block, "in_proj", part, hidden, Traced(3) * hidden, bias, "normed", "b_c_x");
    block.ops.push_back(Split{part, "b_c_x", {{"b", hidden}, {"c", hidden}, {"given", hidden}}});
    block.ops.push_back(Multiply{part, "b", "given", "b_given"});
    block.ops.push_back(ShortConvolution{part, hidden, kernel, bias, "b_given", "convolved"});
    block.ops.push_back(Multiply{part, "c", "convolved", "gated"});
    append_linear(block, "out_proj", part, hidden, hidden, bias, "gated", "mixed");
}

Model build(Reader& config) {
    AttentionShape attention = read_attention(config);
    attention.qk_norm = QueryKeyNorm::head;
    const Traced& hidden = attention.hidden;
    const Traced kernel = config.count({"conv_L_cache"});
    const bool bias = config.flag_or({"conv_bias"}, false);
    const auto experts = config.optional_count({"num_experts"});
    const double dense_layers = experts ? config.number_or({"num_dense_layers"}, 2) : 1e9;
    const FeedForwardShape feed_forward{hidden, dense_width(config)};
    std::vector<NamedBlock> kinds;
    for (const char* name :
         {"convolution_layer", "attention_layer", "convolution_expert_layer", "attention_expert_layer"}) {
        const size_t kind = kinds.size();
        if (kind >= 2 && !experts) break;
        Block layer;
        append_mixed(layer, hidden, [&] {
            kind % 2 ? append_attention(layer, attention, "normed", "mixed")
                     : append_convolution(layer, hidden, kernel, bias);
        });
        if (kind < 2)
            append_dense(layer, feed_forward);
        else {
            Experts routed{Part::experts,
                           *experts,
                           config.count({"num_experts_per_tok"}),
                           hidden,
                           config.count({"moe_intermediate_size"}),
                           {},
                           {}};
            routed.correction_buffer = config.flag_or({"use_expert_bias"}, true);
            append_experts(layer, std::move(routed), nullptr, false);
        }
        kinds.push_back({name, std::move(layer)});
    }
    Model model = decoder(config, hidden, Norm::Kind::rms, false, {});
    std::vector<unsigned short> order = pattern_of(config, "layer_types", "full_attention");
    if (order.empty()) {
        const std::vector<double>* full = config.numbers("full_attn_idxs");
        for (size_t index = 0; index < model.order.size(); ++index)
            order.push_back(
                !full || std::find(full->begin(), full->end(), static_cast<double>(index)) != full->end() ? 1 : 0);
    }
    for (size_t index = 0; index < order.size(); ++index)
        if (static_cast<double>(index) >= dense_layers) order[index] = static_cast<unsigned short>(order[index] + 2);
    set_pattern(config, model, std::move(kinds), std::move(order));
    model.tied = config.flag_or({"tie_embedding", "tie_word_embeddings"}, true);
    return model;
}

}  // namespace

extern const Architecture lfm2{{"lfm2", "lfm2_moe"},
                               {"Lfm2ForCausalLM", "Lfm2MoeForCausalLM"},
                               "Lfm2Config",
                               {{"vocab_size", 65536},
                                {"hidden_size", 2560},
                                {"intermediate_size", 12288},
                                {"num_hidden_layers", 32},
                                {"num_attention_heads", 32},
                                {"num_key_value_heads", 8},
                                {"max_position_embeddings", 128000},
                                {"conv_L_cache", 3},
                                {"num_experts_per_tok", 4},
                                {"moe_intermediate_size", 1792}},
                               build};

}  // namespace plimsoll::architecture
