// Gemma 3: Gemma 2's four norms, norms over each head of query and key, and five sliding windows to one full layer; in
// the larger ones a SigLIP vision tower and a projector before the decoder.
// Source: transformers, models/gemma3/configuration_gemma3.py and modeling_gemma3.py, models/siglip/modeling_siglip.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

const std::initializer_list<ClassDefault> gemma3_text_defaults = {
    {"vocab_size", 262208},    {"hidden_size", 2304},      {"intermediate_size", 9216},
    {"num_hidden_layers", 26}, {"num_attention_heads", 8}, {"num_key_value_heads", 4},
    {"head_dim", 256},         {"sliding_window", 4096},   {"max_position_embeddings", 131072}};

// A SigLIP tower without its pooling, and a norm and a product of what an average of patches gives.
void append_gemma3_vision(Reader& config, Model& model) {
    const Traced width = vision_tower(config, model, "siglip_vision_model", false);
    Block projector;
    append_counted_norm(projector, Norm::Kind::rms_gemma, false, width);
    if (model.hidden_size)
        append_linear(projector, "input_projection", Part::embedding, width, *model.hidden_size, false, "x", "x");
    add_projector(model, std::move(projector));
    config.enter("", "Gemma3Config", {});
}

Model build_gemma3(Reader& config) {
    const bool nested = config.word_or({"model_type"}, "") == "gemma3" || config.has("text_config.model_type") ||
                        config.has("text_config.hidden_size");
    if (nested) config.enter("text_config", "Gemma3TextConfig", gemma3_text_defaults);
    LayerShape full = read_dense_layer(config);
    full.feed_forward.activation = Activation::Kind::one_kernel;
    full.norm = full.attention.qk_norm_kind = Norm::Kind::rms_gemma;
    full.attention.qk_norm = QueryKeyNorm::head;
    full.attention.softcap = config.number_or({"attn_logit_softcapping"}, 0) > 0;
    full.place = NormPlace::both;
    LayerShape windowed = full;
    windowed.attention.window = config.optional_count({"sliding_window"});
    const double period = config.number_or({"sliding_window_pattern", "_sliding_window_pattern"}, 6);
    Model model = decoder_of(config, {{"full_layer", &full}, {"sliding_layer", &windowed}},
                             windowed_layers(config, period), true);
    if (nested) append_gemma3_vision(config, model);
    return model;
}

}  // namespace

extern const Architecture gemma3{{"gemma3_text", "gemma3"},
                                 {"Gemma3ForCausalLM", "Gemma3ForConditionalGeneration", "Gemma3TextModel"},
                                 "Gemma3TextConfig",
                                 gemma3_text_defaults,
                                 build_gemma3};

}  // namespace plimsoll::architecture
