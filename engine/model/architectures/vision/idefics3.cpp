// Idefics3 and SmolVLM: a SigLIP tower, patches shuffled into channels, one linear in front of a Llama.
// Source: transformers, models/idefics3 and models/smolvlm, configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build_idefics3(Reader& config) {
    Model model = language_model(config, "text_config", "llama");
    if (config.error() || !model.hidden_size) return model;
    const Traced width = vision_tower(config, model, "idefics3");
    const Traced scale = config.count_or({"scale_factor"}, Traced(2), "class default");
    Block projector;
    append_linear(projector, "modality_projection", Part::feed_forward, width * (scale * scale), *model.hidden_size,
                  false, "x", "x");
    add_projector(model, std::move(projector));
    return model;
}

}  // namespace

extern const Architecture idefics3{{"idefics3", "smolvlm"},
                                   {"Idefics3ForConditionalGeneration", "SmolVLMForConditionalGeneration"},
                                   "Idefics3Config",
                                   {},
                                   build_idefics3};

}  // namespace plimsoll::architecture
