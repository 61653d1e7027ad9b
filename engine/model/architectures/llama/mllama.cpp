// Llama 3.2 Vision: Llama's layers, among them some that attend to the image in place of the text, with a norm on each
// head and two gates; a vision tower of local and gated global layers. The embedding has eight rows more than the head.
// Source: transformers, models/mllama/configuration_mllama.py and modeling_mllama.py.
#include <algorithm>
#include <cmath>

#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

// A layer that attends to an image's patches, with a gate on each half.
Block cross_layer(LayerShape layer, const Traced& patches) {
    AttentionShape& attention = layer.attention;
    attention.rotary = false;
    attention.qk_norm = QueryKeyNorm::head;
    attention.source = CrossAttention::Source::fixed;
    attention.source_tokens = patches;
    Block block = layer_of(layer);
    append_vector(block, "gates", Traced(2));
    return block;
}

// Positions within a tile, and of the tile in the image, by the image's aspect ratio.
void append_tables(Block& rest, const Traced& hidden, const Traced& patches, const Traced& tiles) {
    int ratios = 0;  // supported_aspect_ratios lists them; the class derives the same from max_num_tiles
    for (int width = 1; width <= static_cast<int>(tiles.value()); ++width)
        for (int height = 1; width * height <= static_cast<int>(tiles.value()); ++height) ++ratios;
    const Traced aspects =
        Traced::leaf("aspect_ratio_rows", ratios + 1, "tilings of at most max_num_tiles, and one for none");
    const auto table = [&rest](Label name, const Traced& rows, const Traced& width) {
        rest.ops.push_back(Lookup{name, Part::feed_forward, rows, width, true, "x"});
    };
    table("position_embedding", patches, hidden);
    table("tile_position_embedding", aspects, tiles * (patches * hidden));
    table("pre_tile_embedding", aspects, tiles * hidden);
    table("post_tile_embedding", aspects, tiles * hidden);
}

void append_projector(Reader& config, Model& model, const Traced& hidden) {
    const std::vector<double>* taken = config.numbers("intermediate_layers_indices");
    const Traced out = Traced::leaf("vision_feature_layers", taken ? static_cast<double>(taken->size()) + 1 : 6,
                                    "intermediate_layers_indices and the last") *
                       hidden;
    const Traced stated = config.count_or({"vision_output_dim"}, out, "not stated: a width for each feature layer");
    Block projector;
    append_linear(projector, "projector", Part::feed_forward, stated, *model.hidden_size, true, "x", "x");
    add_tower(model, "projector", std::move(projector), Traced(1), {});
}

// Positions by aspect ratio and tile are tables of whole vectors; two of the three are gated.
Traced append_mllama_vision(Reader& config, Model& model) {
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
    Block rest;
    append_patches(rest, config, hidden, false, false);
    append_vector(rest, "class_embedding", hidden);
    append_vector(rest, "gates", Traced(3));
    append_tables(rest, hidden, patches, tiles);
    append_counted_norm(rest, Norm::Kind::layer, true, hidden);
    append_counted_norm(rest, Norm::Kind::layer, true, hidden);
    add_tower(model, "vision", tower_layer(shape), config.count({"num_hidden_layers"}), std::move(rest));
    Block global = tower_layer(shape);
    append_vector(global, "gates", Traced(2));
    model.towers.back().kinds.push_back({"global_layer", config.count({"num_global_layers"}), std::move(global)});
    append_projector(config, model, hidden);
    config.enter("", "", {});
    return Traced::leaf("image_tokens", tiles.value() * patches.value(), "max_num_tiles × patches, one image");
}

Model build_mllama(Reader& config) {
    config.enter("text_config", "MllamaTextConfig",
                 {{"vocab_size", 128256},
                  {"hidden_size", 4096},
                  {"intermediate_size", 14336},
                  {"num_hidden_layers", 40},
                  {"num_attention_heads", 32},
                  {"num_key_value_heads", 8},
                  {"max_position_embeddings", 131072}});
    LayerShape layer;
    layer.attention = read_attention(config);
    layer.feed_forward = {.hidden = layer.attention.hidden, .intermediate = config.count({"intermediate_size"})};
    Model model = decoder_of(config, layer);
    if (config.error()) return model;
    Lookup& embedding = (*model.embedding.ops.front().as<Lookup>());
    embedding.rows = embedding.rows + constant("image_rows", 8);
    const std::vector<double>* listed = config.numbers("cross_attention_layers");
    const std::vector<double> crossed = listed ? *listed : std::vector<double>{3, 8, 13, 18, 23, 28, 33, 38};
    Pattern pattern = pattern_by(
        config, [&](double index) { return std::find(crossed.begin(), crossed.end(), index) != crossed.end(); });
    const Traced patches = append_mllama_vision(config, model);
    set_layers(config, model, {{"layer", layer_of(layer)}, {"cross_attention_layer", cross_layer(layer, patches)}},
               std::move(pattern), KindCounts::rest_first);
    return model;
}

}  // namespace

extern const Architecture mllama{{"mllama"}, {"MllamaForConditionalGeneration"}, "MllamaConfig", {}, build_mllama};

}  // namespace plimsoll::architecture
