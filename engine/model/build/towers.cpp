#include "model/build/towers.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr Part part = Part::feed_forward;  // towers are one part of their own: the blocks' parts are not told apart

Traced square(const Traced& n) { return n * n; }

/// image_size or patch_size: a number, or a list of height and width.
Traced size_of(Reader& config, const char* field) {
    const std::vector<double>* sides = config.numbers(field);
    return sides && !sides->empty() ? Traced::leaf(field, sides->front(), "vision_config") : config.count({field});
}

Traced patches_of(Reader& config) {
    const double side = std::floor(size_of(config, "image_size").value() / size_of(config, "patch_size").value());
    return Traced::leaf("patches", side * side, "(image_size / patch_size)² of vision_config");
}

/// SigLIP's pooling: a probe that attends to the patches, and a feed-forward.
void append_pooling_head(Block& rest, const TowerLayer& shape) {
    append_vector(rest, "probe", shape.hidden);
    append_linear(rest, "in_proj", part, shape.hidden, Traced(3) * shape.hidden, true, "x", "x");
    append_linear(rest, "out_proj", part, shape.hidden, shape.hidden, true, "x", "x");
    append_counted_norm(rest, Norm::Kind::layer, true, shape.hidden);
    append_two_linears(rest, shape.hidden, shape.intermediate, shape.hidden, true);
}

}  // namespace

void append_vector(Block& block, Label name, const Traced& width) {
    block.ops.push_back(Norm{name, Norm::Kind::rms, width, true, false, "x", "x", part});
}

void append_counted_norm(Block& block, Norm::Kind kind, bool bias, const Traced& width) {
    block.ops.push_back(Norm{"norm", kind, width, true, bias, "x", "x", part});
}

void append_two_linears(Block& block, const Traced& in, const Traced& middle, const Traced& out, bool bias) {
    append_linear(block, "linear_1", part, in, middle, bias, "x", "x");
    append_linear(block, "linear_2", part, middle, out, bias, "x", "x");
}

void append_patches(Block& block, Reader& config, const Traced& hidden, bool bias, bool temporal) {
    const Traced channels =
        config.count_or({"num_channels", "in_channels", "in_chans"}, Traced(3), "not stated: red, green, blue");
    Traced pixels = channels * square(size_of(config, "patch_size"));
    if (temporal) pixels = pixels * config.count({"temporal_patch_size"});
    append_linear(block, "patch_embedding", part, pixels, hidden, bias, "x", "x");
}

Block tower_layer(const TowerLayer& shape) {
    Block layer;
    const Traced& hidden = shape.hidden;
    append_counted_norm(layer, shape.norm, shape.norm_bias, hidden);
    append_linear(layer, "qkv_proj", part, hidden, Traced(3) * hidden, shape.qkv_bias, "x", "x");
    append_linear(layer, "out_proj", part, hidden, hidden, shape.output_bias, "x", "x");
    append_counted_norm(layer, shape.norm, shape.norm_bias, hidden);
    append_two_linears(layer, hidden, shape.intermediate, hidden, shape.feed_forward_bias);
    if (shape.gated)
        append_linear(layer, "gate_proj", part, hidden, shape.intermediate, shape.feed_forward_bias, "x", "x");
    return layer;
}

void add_tower(Model& model, Label name, Block layer, const Traced& layers, Block rest) {
    Tower tower{std::string(name), {}};
    tower.kinds.push_back({"layer", layers, std::move(layer)});
    if (!rest.ops.empty()) tower.kinds.push_back({"rest", Traced(1), std::move(rest)});
    model.towers.push_back(std::move(tower));
}

namespace {

enum class VisionKind : unsigned char { clip, siglip, pixtral, intern, unknown };

VisionKind vision_kind(std::string_view type) {
    if (type == "clip_vision_model") return VisionKind::clip;
    if (type == "pixtral") return VisionKind::pixtral;
    if (type == "internvl_vision" || type == "intern_vit_6b") return VisionKind::intern;
    for (const std::string_view siglip : {"siglip_vision_model", "idefics2", "idefics2_vision", "idefics3",
                                          "idefics3_vision", "smolvlm_vision", "smolvlm"})
        if (type == siglip) return VisionKind::siglip;
    return VisionKind::unknown;
}

// The defaults of the tower's class.
void enter_vision(Reader& config, VisionKind kind, Label otherwise) {
    const bool idefics2 = otherwise == "idefics2", idefics3 = otherwise == "idefics3";
    constexpr const char* where = "vision_config";
    switch (kind) {
        case VisionKind::clip:
            return config.enter(where, "CLIPVisionConfig",
                                {{"hidden_size", 768},
                                 {"intermediate_size", 3072},
                                 {"num_hidden_layers", 12},
                                 {"image_size", 224},
                                 {"patch_size", 32}});
        case VisionKind::siglip:
            return config.enter(where, "SiglipVisionConfig",
                                {{"hidden_size", idefics3 ? 1152 : 768},
                                 {"intermediate_size", 3072},
                                 {"num_hidden_layers", 12},
                                 {"image_size", 224},
                                 {"patch_size", idefics2 || idefics3 ? 32 : 16}});
        case VisionKind::pixtral:
            return config.enter(
                where, "PixtralVisionConfig",
                {{"hidden_size", 1024}, {"intermediate_size", 4096}, {"num_hidden_layers", 24}, {"patch_size", 16}});
        case VisionKind::intern:
            return config.enter(where, "InternVLVisionConfig",
                                {{"hidden_size", 1024},
                                 {"intermediate_size", 4096},
                                 {"num_hidden_layers", 24},
                                 {"image_size", 448},
                                 {"patch_size", 14}});
        case VisionKind::unknown: return;
    }
}

// What InternVL's tower says of its norms.
void read_intern(Reader& config, TowerLayer& shape, Block& rest) {
    shape.qkv_bias = config.flag_or({"attention_bias", "qkv_bias"}, false);
    if (config.word_or({"norm_type"}, "layer_norm") == "rms_norm") {
        shape.norm = Norm::Kind::rms;
        shape.norm_bias = false;
    }
    if (!config.flag_or({"use_mean_pooling"}, true)) append_counted_norm(rest, Norm::Kind::layer, true, shape.hidden);
}

void append_intern_vectors(Reader& config, Block& layer, const Traced& hidden) {
    for (const Label scale : {"lambda_1", "lambda_2"}) append_vector(layer, scale, hidden);
    if (!config.flag_or({"use_qk_norm", "qk_normalization"}, false)) return;
    for (const Label norm : {"q_norm", "k_norm"}) append_vector(layer, norm, hidden);
}

}  // namespace

Traced vision_tower(Reader& config, Model& model, Label otherwise) {
    config.enter("vision_config", "", {});
    const std::string type = config.word_or({"model_type"}, otherwise);
    const VisionKind kind = vision_kind(type);
    const bool clip = kind == VisionKind::clip, siglip = kind == VisionKind::siglip,
               pixtral = kind == VisionKind::pixtral, intern = kind == VisionKind::intern;
    if (kind == VisionKind::unknown)
        config.fail("model_type", "unknown_architecture", "the vision tower " + type + " is not known",
                    "type the model's numbers by hand");
    enter_vision(config, kind, otherwise);
    TowerLayer shape{config.count({"hidden_size"}), config.count({"intermediate_size"})};
    const Traced layers = config.count({"num_hidden_layers"});
    const Traced& hidden = shape.hidden;
    Block rest;
    append_patches(rest, config, hidden, !clip && !pixtral, false);
    if (clip || intern) append_vector(rest, "class_embedding", hidden);
    if (!pixtral)
        rest.ops.push_back(Lookup{"position_embedding", part,
                                  siglip ? patches_of(config) : patches_of(config) + Traced(1), hidden, true, "x"});
    if (pixtral) {
        shape.norm = Norm::Kind::rms;
        shape.gated = true;
        shape.norm_bias = shape.qkv_bias = shape.output_bias = shape.feed_forward_bias = false;
        append_counted_norm(rest, Norm::Kind::rms, false, hidden);
    }
    if (clip) append_counted_norm(rest, Norm::Kind::layer, true, hidden);
    if (clip || siglip) append_counted_norm(rest, Norm::Kind::layer, true, hidden);
    if (type == "siglip_vision_model" && config.flag_or({"vision_use_head"}, true)) append_pooling_head(rest, shape);
    if (intern) read_intern(config, shape, rest);
    Block layer = tower_layer(shape);
    if (intern) append_intern_vectors(config, layer, hidden);
    add_tower(model, "vision", std::move(layer), layers, std::move(rest));
    config.enter("", "", {});
    return hidden;
}

void qwen_vision_tower(Reader& config, Model& model, QwenVision version) {
    const bool v2 = version == QwenVision::v2, v3 = version == QwenVision::v3 || version == QwenVision::v3_5;
    config.enter("vision_config", "VisionConfig",
                 {{"depth", v3 ? 27 : 32},
                  {"embed_dim", 1280},
                  {"hidden_size", v3 ? 1152 : 3584},
                  {"intermediate_size", v3 ? 4304 : 3420},
                  {"mlp_ratio", 4},
                  {"patch_size", v3 ? 16 : 14},
                  {"temporal_patch_size", 2},
                  {"spatial_merge_size", 2},
                  {"out_hidden_size", 3584},
                  {"num_position_embeddings", 2304}});
    const Traced hidden = config.count({v2 ? "embed_dim" : "hidden_size"});
    const Traced out = config.count({v2 ? "hidden_size" : "out_hidden_size"});
    TowerLayer shape{hidden, v2 ? hidden * config.count({"mlp_ratio"}) : config.count({"intermediate_size"})};
    if (version == QwenVision::v2_5) shape.norm = Norm::Kind::rms, shape.norm_bias = false, shape.gated = true;
    const Traced merged =
        Traced::name(Made::term, "merged_width", hidden * square(config.count({"spatial_merge_size"})));
    Block rest;
    append_patches(rest, config, hidden, v3, true);
    if (v3)
        rest.ops.push_back(
            Lookup{"position_embedding", part, config.count({"num_position_embeddings"}), hidden, true, "x"});
    append_counted_norm(rest, shape.norm, shape.norm_bias, hidden);
    append_two_linears(rest, merged, merged, out, true);
    add_tower(model, "vision", tower_layer(shape), config.count({"depth"}), std::move(rest));
    const std::vector<double>* deep = config.numbers("deepstack_visual_indexes");
    const double by_default = version == QwenVision::v3 ? 3 : 0;
    if (const double mergers = deep ? static_cast<double>(deep->size()) : by_default; v3 && mergers > 0) {
        Block merger;  // each takes a middle layer's patches to the language model, normalised after they are merged
        append_counted_norm(merger, Norm::Kind::layer, true, merged);
        append_two_linears(merger, merged, merged, out, true);
        model.towers.back().kinds.push_back(
            {"deepstack_merger", Traced::leaf("deepstack_mergers", mergers, "length of deepstack_visual_indexes"),
             std::move(merger)});
    }
    config.enter("", "", {});
}

}  // namespace plimsoll
