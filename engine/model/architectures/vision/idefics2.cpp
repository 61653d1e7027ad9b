// Idefics2: a SigLIP tower, a gated projection, and a perceiver whose latents attend to the patches, in front of
// Mistral. Source: transformers, models/idefics2/configuration_idefics2.py and modeling_idefics2.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

constexpr auto rms = Norm::Kind::rms;

// Three norms, grouped attention, a gated feed-forward of four times the width.
Block perceiver_layer(Reader& config, const Traced& hidden) {
    AttentionShape attention;
    attention.hidden = hidden;
    attention.heads = config.count({"resampler_n_heads"});
    attention.kv_heads = config.count({"num_key_value_heads"});
    attention.head_dim = config.count({"resampler_head_dim"});
    Block layer;
    for (int norm = 0; norm < 3; ++norm) append_counted_norm(layer, rms, false, hidden);
    append_attention(layer, attention, "x", "x");
    append_feed_forward(layer, {hidden, Traced(4) * hidden}, "x", "x");
    return layer;
}

Model build_idefics2(Reader& config) {
    Model model = language_model(config, "text_config", "mistral");
    if (config.error() || !model.hidden_size) return model;
    const Traced width = vision_tower(config, model, "idefics2"), &hidden = *model.hidden_size;
    config.enter("text_config", "MistralConfig", {{"intermediate_size", 14336}});
    const Traced intermediate = config.count({"intermediate_size"});
    config.enter("perceiver_config", "Idefics2PerceiverConfig",
                 {{"resampler_n_latents", 64},
                  {"resampler_depth", 3},
                  {"resampler_n_heads", 16},
                  {"resampler_head_dim", 96},
                  {"num_key_value_heads", 4}});
    Block rest;
    append_linear(rest, "gate_up_proj", Part::feed_forward, width, Traced(2) * intermediate, false, "x", "x");
    append_linear(rest, "down_proj", Part::feed_forward, intermediate, hidden, false, "x", "x");
    rest.ops.push_back(Lookup{"latents", Part::feed_forward, config.count({"resampler_n_latents"}), hidden, true, "x"});
    append_counted_norm(rest, rms, false, hidden);
    add_tower(model, "projector", perceiver_layer(config, hidden), config.count({"resampler_depth"}), std::move(rest));
    config.enter("", "", {});
    return model;
}

}  // namespace

extern const Architecture idefics2{
    {"idefics2"}, {"Idefics2ForConditionalGeneration"}, "Idefics2Config", {}, build_idefics2};

}  // namespace plimsoll::architecture
