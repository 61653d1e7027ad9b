// Llama 3.2 Vision: Llama's layers, among them some that attend to the image in place of the text, with a norm on each
// head and two gates; a vision tower of local and gated global layers. The embedding has eight rows more than the head.
// Source: transformers, models/mllama/configuration_mllama.py and modeling_mllama.py.
#include <algorithm>
#include <cmath>

#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Block cross_layer(const AttentionShape& shape, const FeedForwardShape& feed_forward, const Traced& patches) {
    AttentionShape crossed = shape;
    crossed.rotary = false;
    crossed.qk_norm = QueryKeyNorm::head;
    Block layer, plain = sequential_layer(crossed, feed_forward, Norm::Kind::rms);
    for (Op& op : plain.ops) {
        if (Attention* attention = op.as<Attention>())
            layer.ops.push_back(CrossAttention{Part::attention, *attention, CrossAttention::Source::fixed, patches});
        else
            layer.ops.push_back(std::move(op));
    }
    append_vector(layer, "gates", Traced(2));
    return layer;
}

// Positions by aspect ratio and tile are tables of whole vectors; two of the three are gated.
Traced append_vision(Reader& config, Model& model) {
    config.enter("vision_config", "MllamaVisionConfig",
                 {{"hidden_size", 1280},
                  {"intermediate_size", 5120},
                  {"num_hidden_layers", 32},
                  {"num_global_layers", 8},
                  {"image_size", 448},
                  {"patch_size", 14},
                  {"max_num_tiles", 4}});
    TowerLayer shape{config.count({"hidden_size"}), config.count({"intermediate_size"})};
    shape.qkv_bias = shape.output_bias = false;
    const Traced& hidden = shape.hidden;
    const double side = std::floor(config.count({"image_size"}).value() / config.count({"patch_size"}).value());
    const Traced patches = Traced::leaf("patches", side * side + 1, "(image_size / patch_size)² and the class token");
    const Traced tiles = config.count({"max_num_tiles"});
    int ratios = 0;  // supported_aspect_ratios lists them; the class derives the same from max_num_tiles
    for (int width = 1; width <= static_cast<int>(tiles.value()); ++width)
        for (int height = 1; width * height <= static_cast<int>(tiles.value()); ++height) ++ratios;
    const Traced aspects =
        Traced::leaf("aspect_ratio_rows", ratios + 1, "tilings of at most max_num_tiles, and one for none");
    Block rest;
    append_patches(rest, config, hidden, false, false);
    append_vector(rest, "class_embedding", hidden);
    append_vector(rest, "gates", Traced(3));
    const auto table = [&](Label name, const Traced& rows, const Traced& width) {
        rest.ops.push_back(Lookup{name, Part::feed_forward, rows, width, true, "x"});
    };
    table("position_embedding", patches, hidden);
    table("tile_position_embedding", aspects, tiles * (patches * hidden));
    table("pre_tile_embedding", aspects, tiles * hidden);
    table("post_tile_embedding", aspects, tiles * hidden);
    append_counted_norm(rest, Norm::Kind::layer, true, hidden);
    append_counted_norm(rest, Norm::Kind::layer, true, hidden);
    add_tower(model, "vision", tower_layer(shape), config.count({"num_hidden_layers"}), std::move(rest));
    Block global = tower_layer(shape);
    append_vector(global, "gates", Traced(2));
    model.towers.back().kinds.push_back({"global_layer", config.count({"num_global_layers"}), std::move(global)});
    const std::vector<double>* taken = config.numbers("intermediate_layers_indices");
    const Traced out = Traced::leaf("vision_feature_layers", taken ? static_cast<double>(taken->size()) + 1 : 6,
                                    "intermediate_layers_indices and the last") *
                       hidden;
    const Traced stated = config.count_or({"vision_output_dim"}, out, "not stated: a width for each feature layer");
    Block projector;
    append_linear(projector, "projector", Part::feed_forward, stated, *model.hidden_size, true, "x", "x");
    add_tower(model, "projector", std::move(projector), Traced(1), {});
    config.enter("", "", {});
    return Traced::leaf("image_tokens", tiles.value() * patches.value(), "max_num_tiles × patches, one image");
}

Model build(Reader& config) {
    config.enter("text_config", "MllamaTextConfig",
                 {{"vocab_size", 128256},
                  {"hidden_size", 4096},
                  {"intermediate_size", 14336},
                  {"num_hidden_layers", 40},
                  {"num_attention_heads", 32},
                  {"num_key_value_heads", 8},
                  {"max_position_embeddings", 131072}});
    const AttentionShape attention = read_attention(config);
    const FeedForwardShape feed_forward{attention.hidden, config.count({"intermediate_size"})};
    Model model = decoder(config, attention.hidden, Norm::Kind::rms, false,
                          sequential_layer(attention, feed_forward, Norm::Kind::rms));
    if (config.error()) return model;
    Lookup& embedding = (*model.embedding.ops.front().as<Lookup>());
    embedding.rows = embedding.rows + constant("image_rows", 8);
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    const std::vector<double>* listed = config.numbers("cross_attention_layers");
    const std::vector<double> crossed = listed ? *listed : std::vector<double>{3, 8, 13, 18, 23, 28, 33, 38};
    const Traced patches = append_vision(config, model);
    alternate(model, cross_layer(attention, feed_forward, patches), "layer", "cross_attention_layer", [&](int index) {
        return std::find(crossed.begin(), crossed.end(), static_cast<double>(index)) != crossed.end();
    });
    return model;
}

}  // namespace

extern const Architecture mllama{{"mllama"}, {"MllamaForConditionalGeneration"}, "MllamaConfig", {}, build};

}  // namespace plimsoll::architecture
