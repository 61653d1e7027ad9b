// InternVL: an InternViT tower, patches shuffled into channels, a norm and two linears in front of a language model;
// the configurations of transformers and of the models' own code.
// Source: transformers, models/internvl/configuration_internvl.py and modeling_internvl.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build_internvl(Reader& config) {
    Model model = language_model(config, config.has("llm_config.hidden_size") ? "llm_config" : "text_config", "qwen2");
    if (config.error() || !model.hidden_size) return model;
    const Traced width = vision_tower(config, model, "internvl_vision");
    const double side = 1 / config.number_or({"downsample_ratio"}, 0.5);
    const Traced shuffled = Traced::leaf("shuffled_patches", side * side, "1 / downsample_ratio²") * width;
    Block projector;
    append_counted_norm(projector, Norm::Kind::layer, true, shuffled);
    append_two_linears(projector, shuffled, *model.hidden_size, *model.hidden_size, true);
    add_projector(model, std::move(projector));
    return model;
}

}  // namespace

extern const Architecture internvl{{"internvl", "internvl_chat"},
                                   {"InternVLForConditionalGeneration", "InternVLChatModel"},
                                   "InternVLConfig",
                                   {},
                                   build_internvl};

}  // namespace plimsoll::architecture
