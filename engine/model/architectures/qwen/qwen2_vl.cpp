// Qwen2-VL, Qwen2.5-VL, Qwen3-VL, its mixtures, and Qwen3.5: the line's own vision tower in front of its language
// model, which older configurations describe flat. Source: transformers, models/qwen2_vl, qwen2_5_vl, qwen3_vl,
// qwen3_vl_moe, qwen3_5, qwen3_5_moe: configuration, modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    const std::string type = config.word_or({"model_type"}, "qwen2_vl");
    const bool v2 = type == "qwen2_vl", v2_5 = type == "qwen2_5_vl";
    std::string language = v2 || v2_5 ? "qwen2" : type + "_text";
    if (type == "qwen3_vl") language = "qwen3";
    if (type == "qwen3_vl_moe") language = "qwen3_moe";
    const bool nested =
        config.has("text_config.hidden_size") || config.has("text_config.num_hidden_layers") || !(v2 || v2_5);
    Model model = language_model(config, nested ? "text_config" : "", language.c_str());
    const QwenVision later = v2_5 ? QwenVision::v2_5 : QwenVision::v3;
    if (!config.error()) qwen_vision_tower(config, model, v2 ? QwenVision::v2 : later);
    return model;
}

}  // namespace

extern const Architecture qwen2_vl{
    {"qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe"},
    {"Qwen2VLForConditionalGeneration", "Qwen2_5_VLForConditionalGeneration", "Qwen3VLForConditionalGeneration",
     "Qwen3VLMoeForConditionalGeneration", "Qwen3_5ForConditionalGeneration", "Qwen3_5MoeForConditionalGeneration"},
    "Qwen2VLConfig",
    {},
    build};

}  // namespace plimsoll::architecture
