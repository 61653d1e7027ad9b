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
Block pooling_head(const TowerLayer& shape) {
    Block head;
    append_vector(head, "probe", shape.hidden);
    append_linear(head, "in_proj", part, shape.hidden, Traced(3) * shape.hidden, true, "x", "x");
    append_linear(head, "out_proj", part, shape.hidden, shape.hidden, true, "x", "x");
    append_counted_norm(head, Norm::Kind::layer, true, shape.hidden);
    append_two_linears(head, shape.hidden, shape.intermediate, shape.hidden, true);
    return head;
}

// LayerScale: what a sub-layer's last product gives is multiplied by a vector.
Block scaled(Block layer, const Traced& hidden) {
    Block made;
    for (Op& op : layer.ops) {
        Linear* product = op.as<Linear>();
        const bool last = product && (product->to == "attention_out" || product->to == "feed_forward_out");
        const Label to = last ? std::exchange(product->to, "unscaled") : Label();
        made.ops.push_back(std::move(op));
        if (last) made.ops.push_back(Norm{"lambda", Norm::Kind::scale, hidden, true, false, "unscaled", to});
    }
    return made;
}

}  // namespace

void append_vector(Block& block, Label name, const Traced& width) {
    block.ops.push_back(Norm{name, Norm::Kind::scale, width, true, false, "x", "x", part});
}

void append_token(Block& block, Label name, const Traced& width) {
    block.ops.push_back(Lookup{name, Part::embedding, Traced(1), width, true, name});
}

void append_counted_norm(Block& block, Norm::Kind kind, bool bias, const Traced& width) {
    block.ops.push_back(Norm{"norm", kind, width, true, bias, "x", "x", part});
}

void append_two_linears(Block& block, const Traced& in, const Traced& middle, const Traced& out, bool bias) {
    append_linear(block, "linear_1", part, in, middle, bias, "x", "x");
    block.ops.push_back(Activation{part, Activation::Kind::one_kernel, "x", "x"});
    append_linear(block, "linear_2", part, middle, out, bias, "x", "x");
}

void append_patches(Block& block, Reader& config, const Traced& hidden, bool bias, bool temporal) {
    const Traced channels =
        config.count_or({"num_channels", "in_channels", "in_chans"}, Traced(3), "not stated: red, green, blue");
    Traced pixels = channels * square(size_of(config, "patch_size"));
    if (temporal) pixels = pixels * config.count({"temporal_patch_size"});
    append_linear(block, "patch_embedding", part, pixels, hidden, bias, "x", "x");
}

void append_positions(Block& block, const Traced& rows, const Traced& width) {
    block.ops.push_back(Lookup{"position_embedding", Part::embedding, rows, width, true, "positions"});
    block.ops.push_back(Add{part, "x", "positions", "x"});
}

Block tower_layer(const TowerLayer& tower) {
    LayerShape shape;
    AttentionShape& attention = shape.attention;
    attention.hidden = tower.hidden;
    attention.heads = attention.kv_heads = tower.heads;
    attention.head_dim = tower.hidden / tower.heads;
    attention.bias = tower.qkv_bias;
    attention.output_bias = tower.output_bias;
    attention.fused = tower.fused;
    attention.rotary = tower.rotary;
    attention.joined = tower.joined;
    if (tower.qk_norm) attention.qk_norm = QueryKeyNorm::whole;
    shape.feed_forward.hidden = tower.hidden;
    shape.feed_forward.intermediate = tower.intermediate;
    shape.feed_forward.gated = tower.gated;
    shape.feed_forward.bias = tower.feed_forward_bias;
    shape.norm = tower.norm;
    shape.norm_bias = tower.norm_bias;
    Block layer = layer_of(shape);
    return tower.scaled ? scaled(std::move(layer), tower.hidden) : std::move(layer);
}

void add_tower(Model& model, Label name, Block layer, const Traced& layers, Block rest) {
    model.towers.push_back({std::string(name), {}});
    add_layers(model, "layer", layers, std::move(layer), Stream::hidden_states);
    if (!rest.ops.empty()) add_to_tower(model, "rest", std::move(rest));
}

void add_layers(Model& model, Label name, const Traced& count, Block block, Stream stream) {
    model.towers.back().kinds.push_back({std::string(name), count, std::move(block), stream});
}

void add_to_tower(Model& model, Label name, Block block, Stream stream) {
    add_layers(model, name, Traced(1), std::move(block), stream);
}

void add_projector(Model& model, Block block) {
    model.towers.push_back({"projector", {}});
    add_to_tower(model, "projector", std::move(block), Stream::image_tokens);
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
                                 {"num_attention_heads", 12},
                                 {"image_size", 224},
                                 {"patch_size", 32}});
        case VisionKind::siglip:
            return config.enter(where, "SiglipVisionConfig",
                                {{"hidden_size", idefics3 ? 1152 : 768},
                                 {"intermediate_size", 3072},
                                 {"num_hidden_layers", 12},
                                 {"num_attention_heads", idefics3 ? 16 : 12},
                                 {"image_size", 224},
                                 {"patch_size", idefics2 || idefics3 ? 32 : 16}});
        case VisionKind::pixtral:
            return config.enter(where, "PixtralVisionConfig",
                                {{"hidden_size", 1024},
                                 {"intermediate_size", 4096},
                                 {"num_hidden_layers", 24},
                                 {"num_attention_heads", 16},
                                 {"patch_size", 16}});
        case VisionKind::intern:
            return config.enter(where, "InternVLVisionConfig",
                                {{"hidden_size", 1024},
                                 {"intermediate_size", 4096},
                                 {"num_hidden_layers", 24},
                                 {"num_attention_heads", 16},
                                 {"image_size", 448},
                                 {"patch_size", 14}});
        case VisionKind::unknown: return;
    }
}

// What InternVL's tower says of its norms.
void read_intern(Reader& config, TowerLayer& shape) {
    shape.qkv_bias = config.flag_or({"attention_bias", "qkv_bias"}, false);
    shape.scaled = true;
    shape.qk_norm = config.flag_or({"use_qk_norm", "qk_normalization"}, false);
    if (config.word_or({"norm_type"}, "layer_norm") != "rms_norm") return;
    shape.norm = Norm::Kind::rms;
    shape.norm_bias = false;
}

// A tower whose layers run over a stream of patches.
void add_vision(Model& model, Block patches, const TowerLayer& shape, const Traced& layers) {
    model.towers.push_back({"vision", {}});
    add_to_tower(model, "embedding", std::move(patches), Stream::patches);
    add_layers(model, "layer", layers, tower_layer(shape), Stream::patches_of_layer);
}

}  // namespace

Traced vision_tower(Reader& config, Model& model, Label otherwise, bool pools) {
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
    shape.heads = config.count({"num_attention_heads"});
    const Traced layers = config.count({"num_hidden_layers"});
    const Traced& hidden = shape.hidden;
    Block patches;
    append_patches(patches, config, hidden, !clip && !pixtral, false);
    if (clip || intern) append_token(patches, "class_embedding", hidden);
    if (!pixtral) append_positions(patches, siglip ? patches_of(config) : patches_of(config) + Traced(1), hidden);
    if (pixtral) {
        shape.norm = Norm::Kind::rms;
        shape.gated = shape.rotary = true;
        shape.norm_bias = shape.qkv_bias = shape.output_bias = shape.feed_forward_bias = false;
        append_counted_norm(patches, Norm::Kind::rms, false, hidden);
    }
    if (clip) append_counted_norm(patches, Norm::Kind::layer, true, hidden);
    if (intern) read_intern(config, shape);
    add_vision(model, std::move(patches), shape, layers);
    if (siglip || clip || (intern && !config.flag_or({"use_mean_pooling"}, true))) {
        Block last;
        append_counted_norm(last, Norm::Kind::layer, true, hidden);
        // CLIP's is of the pooled class alone, which no projector reads
        add_to_tower(model, "rest", std::move(last), clip ? Stream::hidden_states : Stream::patches);
    }
    if (type == "siglip_vision_model" && config.flag_or({"vision_use_head"}, pools))
        add_to_tower(model, "pooling", pooling_head(shape));
    config.enter("", "", {});
    return hidden;
}

// Qwen3-VL's further mergers take middle layers' patches to the language model, normalised after they are merged.
void qwen_vision_tower(Reader& config, Model& model, QwenVision version) {
    const bool v2 = version == QwenVision::v2, v3 = version == QwenVision::v3 || version == QwenVision::v3_5;
    config.enter("vision_config", "VisionConfig",
                 {{"depth", v3 ? 27 : 32},
                  {"embed_dim", 1280},
                  {"hidden_size", v3 ? 1152 : 3584},
                  {"intermediate_size", v3 ? 4304 : 3420},
                  {"mlp_ratio", 4},
                  {"num_heads", 16},
                  {"patch_size", v3 ? 16 : 14},
                  {"temporal_patch_size", 2},
                  {"spatial_merge_size", 2},
                  {"out_hidden_size", 3584},
                  {"num_position_embeddings", 2304}});
    const Traced hidden = config.count({v2 ? "embed_dim" : "hidden_size"});
    const Traced out = config.count({v2 ? "hidden_size" : "out_hidden_size"});
    TowerLayer shape{hidden, v2 ? hidden * config.count({"mlp_ratio"}) : config.count({"intermediate_size"})};
    shape.heads = config.count({"num_heads"});
    shape.fused = shape.rotary = shape.joined = true;
    if (version == QwenVision::v2_5) shape.norm = Norm::Kind::rms, shape.norm_bias = false, shape.gated = true;
    const Traced merged =
        Traced::name(Made::term, "merged_width", hidden * square(config.count({"spatial_merge_size"})));
    Block patches, merger, middle;
    append_patches(patches, config, hidden, v3, true);
    if (v3) append_positions(patches, config.count({"num_position_embeddings"}), hidden);
    append_counted_norm(merger, shape.norm, shape.norm_bias, hidden);
    append_two_linears(merger, merged, merged, out, true);
    add_vision(model, std::move(patches), shape, config.count({"depth"}));
    const std::vector<double>* deep = config.numbers("deepstack_visual_indexes");
    double mergers = version == QwenVision::v3 ? 3 : 0;
    if (deep) mergers = static_cast<double>(deep->size());
    if (v3 && mergers > 0) {
        append_counted_norm(middle, Norm::Kind::layer, true, merged);
        append_two_linears(middle, merged, merged, out, true);
        const Traced count = Traced::leaf("deepstack_mergers", mergers, "length of deepstack_visual_indexes");
        add_layers(model, "deepstack_merger", count, std::move(middle), Stream::image_tokens);
    }
    add_to_tower(model, "merger", std::move(merger), Stream::image_tokens);
    config.enter("", "", {});
}

}  // namespace plimsoll
