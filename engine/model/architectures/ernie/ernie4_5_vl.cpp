// ERNIE 4.5 VL: ERNIE 4.5's mixture with a second set of narrower experts for the image's tokens in each of its sparse
// layers, a vision tower, and a resampler that merges patches in space and in time. Configurations of the models' own
// code lie flat. Source: transformers, models/ernie4_5_vl_moe/configuration_ernie4_5_vl_moe.py and
// modeling_ernie4_5_vl_moe.py.
#include <algorithm>

#include "model/build/decoder.h"
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

constexpr Part part = Part::feed_forward;

/// The number that a field states, or that stands at `index` of its list: 0 for text, 1 for images.
Traced of_modality(Reader& config, const char* field, size_t index, double otherwise) {
    const std::vector<double>* list = config.numbers(field);
    if (list && index < list->size() && (*list)[index] >= 1)
        return Traced::leaf(field, (*list)[index], "config.json: its list, by modality");
    return list ? Traced(1) : config.count_or({field}, Traced(otherwise), "class default");
}

void append_fold(Block& block, const Traced& in, const Traced& out) {
    append_two_linears(block, in, out, out, true);
    append_counted_norm(block, Norm::Kind::layer, true, out);
}

void append_vision(Reader& config, Model& model, LayerKind experts) {
    config.enter("vision_config", "Ernie4_5_VL_MoeVisionConfig",
                 {{"depth", 32},
                  {"hidden_size", 1280},
                  {"patch_size", 14},
                  {"spatial_merge_size", 2},
                  {"temporal_merge_size", 2}});
    const Traced width = config.count({"hidden_size"}), merge = config.count({"spatial_merge_size"});
    const TowerLayer shape{width, config.count_or({"intermediate_size"}, Traced(4) * width, "four times its width")};
    Block rest, resampler;
    append_patches(rest, config, width, false, false);
    append_counted_norm(rest, Norm::Kind::layer, true, width);
    add_tower(model, "vision", tower_layer(shape), config.count({"depth"}), std::move(rest));
    model.towers.back().kinds.push_back(std::move(experts));
    const Traced spatial = Traced::name(Made::term, "spatial_width", width * (merge * merge));
    append_fold(resampler, spatial, spatial);
    append_fold(resampler, spatial * config.count({"temporal_merge_size"}), spatial);
    append_linear(resampler, "mlp", part, spatial, *model.hidden_size, true, "x", "x");
    append_counted_norm(resampler, Norm::Kind::rms, false, *model.hidden_size);
    add_tower(model, "projector", std::move(resampler), Traced(1), {});
    config.enter("", "", {});
}

void enter_text(Reader& config) {
    const bool nested = config.has("text_config.hidden_size") || config.has("text_config.model_type");
    config.enter(nested ? "text_config" : "", "Ernie4_5_VL_MoeTextConfig",
                 {{"vocab_size", 103424},
                  {"hidden_size", 2560},
                  {"intermediate_size", 12288},
                  {"num_hidden_layers", 28},
                  {"num_attention_heads", 20},
                  {"num_key_value_heads", 4},
                  {"moe_k", 6},
                  {"moe_num_shared_experts", 2},
                  {"max_position_embeddings", 131072}});
}

MixtureShape read_text_experts(Reader& config, bool bias) {
    MixtureShape mixture;
    mixture.experts = of_modality(config, "moe_num_experts", 0, 64);
    read_choices(config, mixture, {"moe_k"});
    mixture.intermediate = of_modality(config, "moe_intermediate_size", 0, 1536);
    if (const auto shared = config.optional_count({"moe_num_shared_experts"}))
        mixture.shared = *shared * mixture.intermediate;
    mixture.shared_bias = bias;
    mixture.correction_bias = true;
    return mixture;
}

// The experts for images, which no text visits.
Block visual_experts(Reader& config, const Traced& hidden, const MixtureShape& text) {
    Experts visual{part,
                   of_modality(config, "moe_num_experts", 1, text.experts.value()),
                   text.active,
                   hidden,
                   of_modality(config, "moe_intermediate_size", 1, 512),
                   "x",
                   "x"};
    visual.correction_bias = true;
    Block block;
    block.ops.push_back(std::move(visual));
    return block;
}

Model build_ernie4_5_vl(Reader& config) {
    const bool tied = config.flag_or({"tie_word_embeddings"}, true);
    enter_text(config);
    const bool bias = config.flag_or({"use_bias"}, false);
    LayerShape dense = read_dense_layer(config, bias);
    dense.feed_forward.bias = bias;
    LayerShape sparse = dense;
    sparse.mixture = read_text_experts(config, bias);
    const auto said = layers_named(config, "mlp_layer_types", "sparse");
    const Pattern pattern = said ? *said : pattern_by(config, [](double index) { return index > 0; });
    Model model = decoder_of(config, {{"dense_layer", &dense}, {"sparse_layer", &sparse}}, pattern, true);
    model.tied = tied;
    const double images = static_cast<double>(std::count(pattern.begin(), pattern.end(), 1));
    Block visual = visual_experts(config, dense.attention.hidden, *sparse.mixture);
    if (config.error() || !model.hidden_size) return model;
    append_vision(config, model,
                  {"vision_experts", Traced::leaf("sparse_layers", images, "counted in the model's pattern of layers"),
                   std::move(visual)});
    return model;
}

}  // namespace

extern const Architecture ernie4_5_vl{
    {"ernie4_5_vl_moe", "ernie4_5_moe_vl"},
    {"Ernie4_5_VL_MoeForConditionalGeneration", "Ernie4_5_VLMoeForConditionalGeneration"},
    "Ernie4_5_VL_MoeConfig",
    {},
    build_ernie4_5_vl};

}  // namespace plimsoll::architecture
