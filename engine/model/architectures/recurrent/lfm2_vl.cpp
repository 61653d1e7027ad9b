// LFM2-VL: a SigLIP 2 tower over as many patches as an image has, patches shuffled into channels, a norm and two
// linears in front of LFM2. Source: transformers, models/lfm2_vl, siglip2: configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build_lfm2_vl(Reader& config) {
    Model model = language_model(config, "text_config", "lfm2");
    if (config.error() || !model.hidden_size) return model;
    config.enter("vision_config", "Siglip2VisionConfig",
                 {{"hidden_size", 768},
                  {"intermediate_size", 3072},
                  {"num_hidden_layers", 12},
                  {"num_patches", 256},
                  {"patch_size", 16}});
    const TowerLayer shape{config.count({"hidden_size"}), config.count({"intermediate_size"})};
    const Traced& width = shape.hidden;
    Block rest, projector;
    append_patches(rest, config, width, true, false);
    rest.ops.push_back(
        Lookup{"position_embedding", Part::feed_forward, config.count({"num_patches"}), width, true, "x"});
    append_counted_norm(rest, Norm::Kind::layer, true, width);
    add_tower(model, "vision", tower_layer(shape), config.count({"num_hidden_layers"}), std::move(rest));
    config.enter("", "Lfm2VlConfig", {{"downsample_factor", 2}, {"projector_hidden_size", 2560}});
    const Traced factor = config.count({"downsample_factor"});
    const Traced shuffled = Traced::name(Made::term, "shuffled_width", width * (factor * factor));
    if (config.flag_or({"projector_use_layernorm"}, true))
        append_counted_norm(projector, Norm::Kind::layer, true, shuffled);
    append_two_linears(projector, shuffled, config.count({"projector_hidden_size"}), *model.hidden_size,
                       config.flag_or({"projector_bias"}, true));
    add_tower(model, "projector", std::move(projector), Traced(1), {});
    return model;
}

}  // namespace

extern const Architecture lfm2_vl{{"lfm2_vl"}, {"Lfm2VlForConditionalGeneration"}, "Lfm2VlConfig", {}, build_lfm2_vl};

}  // namespace plimsoll::architecture
