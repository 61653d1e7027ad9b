// Mistral-Small 3.1 and later, Ministral 3: a Pixtral tower, a norm, a merger of neighbouring patches and two linears
// in front of Mistral. Source: transformers, models/mistral3/configuration_mistral3.py and modeling_mistral3.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build_mistral3(Reader& config) {
    Model model = language_model(config, "text_config", "mistral");
    if (config.error() || !model.hidden_size) return model;
    const Traced width = vision_tower(config, model, "pixtral");
    const Traced merge = config.count_or({"spatial_merge_size"}, Traced(2), "class default");
    Block projector;
    append_counted_norm(projector, Norm::Kind::rms, false, width);
    append_linear(projector, "merging_layer", Part::feed_forward, width * (merge * merge), width, false, "x", "x");
    append_two_linears(projector, width, *model.hidden_size, *model.hidden_size,
                       config.flag_or({"multimodal_projector_bias"}, false));
    add_projector(model, std::move(projector));
    return model;
}

}  // namespace

extern const Architecture mistral3{
    {"mistral3"}, {"Mistral3ForConditionalGeneration"}, "Mistral3Config", {}, build_mistral3};

}  // namespace plimsoll::architecture
