// Qwen2-VL, Qwen2.5-VL, Qwen3-VL, its mixtures, and Qwen3.5: the line's own vision tower in front of its language
// model, which older configurations describe flat. Source: transformers, models/qwen2_vl, qwen2_5_vl, qwen3_vl,
// qwen3_vl_moe, qwen3_5, qwen3_5_moe: configuration, modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

const TextClass text_of_qwen2_vl{"Qwen2VLTextConfig",
                                 {{"vocab_size", 152064},
                                  {"hidden_size", 8192},
                                  {"intermediate_size", 29568},
                                  {"num_hidden_layers", 80},
                                  {"num_attention_heads", 64},
                                  {"num_key_value_heads", 8},
                                  {"max_window_layers", 80},
                                  {"sliding_window", 4096},
                                  {"max_position_embeddings", 32768}}};
const TextClass text_of_qwen3_vl{"Qwen3VLTextConfig",
                                 {{"vocab_size", 151936},
                                  {"hidden_size", 4096},
                                  {"intermediate_size", 22016},
                                  {"num_hidden_layers", 32},
                                  {"num_attention_heads", 32},
                                  {"num_key_value_heads", 32},
                                  {"head_dim", 128},
                                  {"max_position_embeddings", 128000}}};
const TextClass text_of_qwen3_vl_moe{"Qwen3VLMoeTextConfig",
                                     {{"vocab_size", 151936},
                                      {"hidden_size", 2048},
                                      {"intermediate_size", 5632},
                                      {"num_hidden_layers", 24},
                                      {"num_attention_heads", 16},
                                      {"num_key_value_heads", 16},
                                      {"moe_intermediate_size", 1408},
                                      {"num_experts_per_tok", 4},
                                      {"num_experts", 60},
                                      {"max_position_embeddings", 128000}}};

/// What a member of the line is built from.
struct Member {
    std::string language;
    TextClass text;
    QwenVision vision;
};

Member member_of(const std::string& type) {
    if (type == "qwen2_vl") return {"qwen2", text_of_qwen2_vl, QwenVision::v2};
    if (type == "qwen2_5_vl") return {"qwen2", text_of_qwen2_vl, QwenVision::v2_5};
    if (type == "qwen3_vl") return {"qwen3", text_of_qwen3_vl, QwenVision::v3};
    if (type == "qwen3_vl_moe") return {"qwen3_moe", text_of_qwen3_vl_moe, QwenVision::v3};
    return {type + "_text", {}, QwenVision::v3_5};
}

Model build_qwen2_vl(Reader& config) {
    const std::string type = config.word_or({"model_type"}, "qwen2_vl");
    const Member member = member_of(type);
    const bool nested = config.has("text_config.hidden_size") || config.has("text_config.num_hidden_layers") ||
                        member.language != "qwen2";
    Model model = language_model(config, nested ? "text_config" : "", member.language.c_str(), member.text);
    if (!config.error()) qwen_vision_tower(config, model, member.vision);
    return model;
}

}  // namespace

extern const Architecture qwen2_vl{
    {"qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe"},
    {"Qwen2VLForConditionalGeneration", "Qwen2_5_VLForConditionalGeneration", "Qwen3VLForConditionalGeneration",
     "Qwen3VLMoeForConditionalGeneration", "Qwen3_5ForConditionalGeneration", "Qwen3_5MoeForConditionalGeneration"},
    "Qwen2VLConfig",
    {},
    build_qwen2_vl};

}  // namespace plimsoll::architecture
