// Kimi-VL and Kimi-K2.5 (remote code): a MoonViT tower, a norm, neighbouring patches put side by side, and two linears
// in front of DeepSeek-V3's layers. PaddleOCR-VL: the same in front of ERNIE 4.5, with positions for one image size.
// Source: modeling_kimi_vl.py of Kimi-VL-A3B, modeling_kimi_k25.py of Kimi-K2.5, vLLM's moonvit.py; transformers,
// models/paddleocr_vl/configuration_paddleocr_vl.py and modeling_paddleocr_vl.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build_kimi_vl(Reader& config) {
    const bool paddle = config.word_or({"model_type"}, "kimi_vl") == "paddleocr_vl";
    const bool nested = config.has("text_config.hidden_size") || config.has("text_config.model_type") || !paddle;
    Model model = language_model(config, nested ? "text_config" : "", paddle ? "ernie4_5" : "deepseek_v3");
    if (config.error() || !model.hidden_size) return model;
    config.enter("vision_config", "MoonViTConfig",
                 {{"hidden_size", 1152},
                  {"intermediate_size", 4304},
                  {"num_hidden_layers", 27},
                  {"patch_size", 14},
                  {"init_pos_emb_height", 64},
                  {"init_pos_emb_width", 64},
                  {"image_size", 384}});
    const TowerLayer shape{config.count({"vt_hidden_size", "hidden_size"}),
                           config.count({"vt_intermediate_size", "intermediate_size"})};
    const Traced& width = shape.hidden;
    Block rest;
    append_patches(rest, config, width, true, false);
    const Traced rows = rounded_down(config.count({paddle ? "image_size" : "init_pos_emb_height"}) /
                                     (paddle ? config.count({"patch_size"}) : Traced(1)));
    rest.ops.push_back(Lookup{"position_embedding", Part::feed_forward,
                              rows * (paddle ? rows : config.count({"init_pos_emb_width"})), width, true, "x"});
    append_counted_norm(rest, Norm::Kind::layer, true, width);
    add_tower(model, "vision", tower_layer(shape), config.count({"vt_num_hidden_layers", "num_hidden_layers"}),
              std::move(rest));
    const std::vector<double>* merged = config.numbers("merge_kernel_size");
    const double side = merged && !merged->empty() ? merged->front() : 2;
    config.enter("", "", {});
    const Traced wide = Traced::leaf("merged_patches", side * side, "vision_config: merge_kernel_size") * width;
    Block projector;
    append_counted_norm(projector, Norm::Kind::layer, true, width);
    append_two_linears(projector, wide, wide, *model.hidden_size, true);
    add_tower(model, "projector", std::move(projector), Traced(1), {});
    return model;
}

}  // namespace

extern const Architecture kimi_vl{
    {"kimi_vl", "kimi_k25", "paddleocr_vl"},
    {"KimiVLForConditionalGeneration", "KimiK25ForConditionalGeneration", "PaddleOCRVLForConditionalGeneration"},
    "KimiVLConfig",
    {},
    build_kimi_vl};

}  // namespace plimsoll::architecture
