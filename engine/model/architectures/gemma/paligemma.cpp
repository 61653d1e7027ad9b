// A SigLIP tower and a small projector in front of a language model: PaliGemma (one linear), Aya Vision and Command A
// Vision (patches shuffled into channels, a gated pair of linears), LLaVA-OneVision (two linears and a newline).
// Source: transformers, models/paligemma, aya_vision, cohere2_vision, llava_onevision: configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build_paligemma(Reader& config) {
    const std::string type = config.word_or({"model_type"}, "paligemma");
    const bool pali = type == "paligemma", aya = type == "aya_vision", onevision = type == "llava_onevision";
    const char* other = onevision ? "qwen2" : "cohere2";
    Model model = language_model(config, "text_config", pali ? "gemma" : other);
    if (config.error() || !model.hidden_size) return model;
    const Traced &width = vision_tower(config, model, "siglip_vision_model"), hidden = *model.hidden_size;
    Block projector;
    if (pali) {
        model.tied = config.flag_or({"tie_word_embeddings"}, true);
        append_linear(projector, "linear", Part::feed_forward, width, hidden, true, "x", "x");
    } else if (onevision) {
        append_two_linears(projector, width, hidden, hidden, config.flag_or({"multimodal_projector_bias"}, true));
        append_token(projector, "image_newline", hidden);
    } else {
        const Traced factor = config.count_or({"downsample_factor"}, Traced(2), "class default");
        const Traced shuffled = Traced::name(Made::term, "shuffled_width", width * (factor * factor));
        const Traced aligned =
            config.count_or({"alignment_intermediate_size"}, aya ? hidden : Traced(36864), "class default");
        if (aya) append_counted_norm(projector, Norm::Kind::layer, true, shuffled);
        const Traced half = rounded_down(aligned / Traced(2));
        append_linear(projector, "linear_1", Part::feed_forward, shuffled, aligned, true, "x", "up_gate");
        projector.ops.push_back(Split{Part::feed_forward, "up_gate", {{"up", half}, {"gate", half}}});
        projector.ops.push_back(Activation{Part::feed_forward, Activation::Kind::one_kernel, "gate", "activated"});
        projector.ops.push_back(Multiply{Part::feed_forward, "activated", "up", "x"});
        append_linear(projector, "linear_2", Part::feed_forward, half, hidden, true, "x", "x");
    }
    add_projector(model, std::move(projector));
    return model;
}

}  // namespace

extern const Architecture paligemma{{"paligemma", "aya_vision", "cohere2_vision", "llava_onevision"},
                                    {"PaliGemmaForConditionalGeneration", "AyaVisionForConditionalGeneration",
                                     "Cohere2VisionForConditionalGeneration", "LlavaOnevisionForConditionalGeneration"},
                                    "PaliGemmaConfig",
                                    {},
                                    build_paligemma};

}  // namespace plimsoll::architecture
