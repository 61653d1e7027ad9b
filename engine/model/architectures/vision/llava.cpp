// LLaVA 1.5, LLaVA-NeXT and Pixtral: a vision tower and two linears in front of a language model of any kind.
// Source: transformers, models/llava, llava_next, vipllava: configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build_llava(Reader& config) {
    Model model = language_model(config, "text_config", "llama");
    if (config.error() || !model.hidden_size) return model;
    const Traced width = vision_tower(config, model, "clip_vision_model");
    const std::vector<double>* features = config.numbers("vision_feature_layer");
    Block projector;
    append_two_linears(projector, Traced(features ? static_cast<double>(features->size()) : 1) * width,
                       *model.hidden_size, *model.hidden_size, config.flag_or({"multimodal_projector_bias"}, true));
    if (config.word_or({"model_type"}, "llava") == "llava_next")
        append_token(projector, "image_newline", *model.hidden_size);
    add_projector(model, std::move(projector));
    return model;
}

}  // namespace

extern const Architecture llava{{"llava", "llava_next"},
                                {"LlavaForConditionalGeneration", "LlavaNextForConditionalGeneration"},
                                "LlavaConfig",
                                {},
                                build_llava};

}  // namespace plimsoll::architecture
