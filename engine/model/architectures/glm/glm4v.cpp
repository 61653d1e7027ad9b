// GLM-4.1V, 4.5V, 4.6V and GLM-OCR: a vision transformer with gated feed-forwards, a convolution that merges patches,
// and a gated merger, in front of GLM-4 or GLM-4.5. Source: transformers, models/glm4v, glm4v_moe, glm46v, glm_ocr:
// configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

constexpr Part part = Part::feed_forward;

const TextClass text_of_glm4v{"Glm4vTextConfig",
                              {{"vocab_size", 151552},
                               {"hidden_size", 4096},
                               {"intermediate_size", 13696},
                               {"num_hidden_layers", 40},
                               {"num_attention_heads", 32},
                               {"num_key_value_heads", 2},
                               {"max_position_embeddings", 32768}}};
const TextClass text_of_glm4v_moe{"Glm4vMoeTextConfig",
                                  {{"vocab_size", 151424},
                                   {"hidden_size", 4096},
                                   {"intermediate_size", 10944},
                                   {"num_hidden_layers", 46},
                                   {"num_attention_heads", 96},
                                   {"num_key_value_heads", 8},
                                   {"attention_bias", 1},
                                   {"moe_intermediate_size", 1408},
                                   {"num_experts_per_tok", 8},
                                   {"n_shared_experts", 1},
                                   {"n_routed_experts", 128},
                                   {"first_k_dense_replace", 1},
                                   {"max_position_embeddings", 65536}}};

void append_vision(Reader& config, Model& model, bool ocr) {
    config.enter("vision_config", ocr ? "GlmOcrVisionConfig" : "Glm4vVisionConfig",
                 {{"depth", 24},
                  {"hidden_size", ocr ? 1024 : 1536},
                  {"num_heads", ocr ? 16 : 12},
                  {"image_size", 336},
                  {"patch_size", 14},
                  {"spatial_merge_size", 2},
                  {"temporal_patch_size", 2},
                  {"out_hidden_size", ocr ? 1536 : 4096},
                  {"intermediate_size", ocr ? 4096 : 13696}});
    const Traced hidden = config.count({"hidden_size"}), out = config.count({"out_hidden_size"}),
                 intermediate = config.count({"intermediate_size"}), merge = config.count({"spatial_merge_size"});
    const bool bias = config.flag_or({"attention_bias"}, ocr);
    TowerLayer shape{hidden, ocr ? intermediate : out, Norm::Kind::rms, false, bias, ocr && bias, ocr && bias, true};
    Block layer = tower_layer(shape), rest;
    append_patches(rest, config, hidden, true, true);
    append_counted_norm(rest, Norm::Kind::rms, false, hidden);
    if (ocr) {
        const Traced head = config.head_dim(hidden, config.count({"num_heads"}));
        append_vector(layer, "q_norm", head), append_vector(layer, "k_norm", head);
    } else {
        append_counted_norm(rest, Norm::Kind::rms, false, hidden);
        const Traced side = Traced::name(Made::term, "patches_a_side",
                                         rounded_down(config.count({"image_size"}) / config.count({"patch_size"})));
        rest.ops.push_back(Lookup{"position_embedding", part, side * side, hidden, true, "x"});
    }
    append_linear(rest, "downsample", part, hidden * (merge * merge), out, true, "x", "x");
    append_linear(rest, "merger", part, out, out, false, "x", "x");
    append_counted_norm(rest, Norm::Kind::layer, true, out);
    append_linear(rest, "merger_gated", part, out,
                  Traced(3) * (ocr ? config.count_or({"in_channels"}, Traced(3), "class default") * out : intermediate),
                  false, "x", "x");
    add_tower(model, "vision", std::move(layer), config.count({"depth"}), std::move(rest));
    config.enter("", "", {});
}

Model build_glm4v(Reader& config) {
    const std::string type = config.word_or({"model_type"}, "glm4v");
    Model model;
    if (type == "glm_ocr")
        model = language_model(config, "text_config", "glm_ocr_text");
    else if (type == "glm4v_moe")
        model = language_model(config, "text_config", "glm4_moe", text_of_glm4v_moe);
    else
        model = language_model(config, "text_config", "glm4", text_of_glm4v);
    if (!config.error() && model.hidden_size) append_vision(config, model, type == "glm_ocr");
    return model;
}

}  // namespace

extern const Architecture glm4v{{"glm4v", "glm4v_moe", "glm46v", "glm_ocr"},
                                {"Glm4vForConditionalGeneration", "Glm4vMoeForConditionalGeneration",
                                 "Glm46VForConditionalGeneration", "GlmOcrForConditionalGeneration"},
                                "Glm4vConfig",
                                {},
                                build_glm4v};

}  // namespace plimsoll::architecture
