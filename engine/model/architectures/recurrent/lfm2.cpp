// LFM2 and its mixtures: gated short convolutions, and grouped-query attention with a norm on each head, by
// layer_types; then a gated feed-forward whose width the class adjusts by itself, or experts behind the first dense
// layers. Source: transformers, models/lfm2 and models/lfm2_moe, configuration and modeling.
#include <cmath>

#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Traced dense_width(Reader& config) {
    Traced stated = config.count({config.has("block_ff_dim") ? "block_ff_dim" : "intermediate_size"});
    if (!config.flag_or({"block_auto_adjust_ff_dim"}, !config.knows("num_experts"))) return stated;
    double width = std::floor(2 * stated.value() / 3);
    if (const double multiplier = config.number_or({"block_ffn_dim_multiplier"}, 1); multiplier > 0) {
        const double multiple = config.count_or({"block_multiple_of"}, Traced(256), "class default").value();
        width = multiple * std::ceil(std::floor(multiplier * width) / multiple);
    }
    return Traced::leaf("adjusted_width", width,
                        "two thirds of intermediate_size, rounded up to block_multiple_of (Lfm2MLP)");
}

Block convolution(const Traced& hidden, const Traced& kernel, bool bias) {
    constexpr Part part = Part::mixer;
    Block block;
    append_linear(block, "in_proj", part, hidden, Traced(3) * hidden, bias, "normed", "b_c_x");
    block.ops.push_back(Split{part, "b_c_x", {{"b", hidden}, {"c", hidden}, {"given", hidden}}});
    block.ops.push_back(Multiply{part, "b", "given", "b_given"});
    block.ops.push_back(ShortConvolution{part, hidden, kernel, bias, "b_given", "convolved"});
    block.ops.push_back(Multiply{part, "c", "convolved", "gated"});
    append_linear(block, "out_proj", part, hidden, hidden, bias, "gated", "mixed");
    return block;
}

// 1 for the layers with attention: as `layer_types` or `full_attn_idxs` says, else all.
Pattern attention_layers(Reader& config) {
    Pattern pattern = stated_pattern(config, "layer_types", "full_attention");
    if (!pattern.empty()) return pattern;
    const auto listed = layers_listed(config, "full_attn_idxs");
    return listed ? *listed : Pattern(layer_count(config), 1);
}

MixtureShape read_experts(Reader& config, const Traced& experts) {
    MixtureShape mixture;
    mixture.experts = experts;
    read_choices(config, mixture, {"num_experts_per_tok"});
    mixture.intermediate = config.count({"moe_intermediate_size"});
    mixture.correction_buffer = config.flag_or({"use_expert_bias"}, true);
    return mixture;
}

void enter_mixture(Reader& config) {
    config.enter("", "Lfm2MoeConfig",
                 {{"vocab_size", 65536},
                  {"hidden_size", 2048},
                  {"intermediate_size", 7168},
                  {"moe_intermediate_size", 1792},
                  {"num_hidden_layers", 32},
                  {"num_attention_heads", 32},
                  {"num_key_value_heads", 8},
                  {"max_position_embeddings", 128000},
                  {"conv_L_cache", 3},
                  {"num_experts_per_tok", 4},
                  {"num_experts", 32}});
}

Model build_lfm2(Reader& config) {
    if (config.word_or({"model_type"}, "lfm2") == "lfm2_moe") enter_mixture(config);
    LayerShape attention;
    attention.attention = read_attention(config);
    attention.attention.qk_norm = QueryKeyNorm::head;
    const Traced& hidden = attention.attention.hidden;
    const Traced kernel = config.count({"conv_L_cache"});
    const bool bias = config.flag_or({"conv_bias"}, false);
    const auto experts = config.optional_count({"num_experts"});
    const double dense_layers = experts ? config.number_or({"num_dense_layers"}, 2) : 1e9;
    attention.feed_forward = {.hidden = hidden, .intermediate = dense_width(config)};
    LayerShape convolved = attention;
    convolved.mixer = convolution(hidden, kernel, bias);
    LayerShape attention_experts = attention, convolved_experts = convolved;
    if (experts) attention_experts.mixture = convolved_experts.mixture = read_experts(config, *experts);
    const Pattern sparse = pattern_by(config, [=](double index) { return index >= dense_layers; });
    Model model = decoder_of(config,
                             {{"convolution_layer", &convolved},
                              {"attention_layer", &attention},
                              {"convolution_expert_layer", &convolved_experts},
                              {"attention_expert_layer", &attention_experts}},
                             combined(attention_layers(config), sparse), true, KindCounts::each);
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
                                {"conv_L_cache", 3}},
                               build_lfm2};

}  // namespace plimsoll::architecture
