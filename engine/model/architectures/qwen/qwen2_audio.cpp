// Qwen2-Audio and Voxtral: Whisper's encoder and one or two linears in front of a language model. Source: transformers,
// models/qwen2_audio, voxtral: configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

const TextClass text_of_voxtral{"VoxtralConfig",
                                {{"vocab_size", 131072},
                                 {"hidden_size", 3072},
                                 {"intermediate_size", 8192},
                                 {"num_hidden_layers", 30},
                                 {"num_attention_heads", 32},
                                 {"num_key_value_heads", 8},
                                 {"head_dim", 128},
                                 {"max_position_embeddings", 131072}}};

// Biases on all matrices but that of the keys; two convolutions over three frames each.
Traced append_audio(Reader& config, Model& model) {
    config.enter("audio_config", "Qwen2AudioEncoderConfig",
                 {{"d_model", 1280},
                  {"hidden_size", 1280},
                  {"encoder_ffn_dim", 5120},
                  {"intermediate_size", 5120},
                  {"encoder_layers", 32},
                  {"num_hidden_layers", 32},
                  {"num_mel_bins", 128},
                  {"max_source_positions", 1500}});
    const TowerLayer shape{config.count({"d_model", "hidden_size"}),
                           config.count({"encoder_ffn_dim", "intermediate_size"}), Norm::Kind::layer, true, false};
    const Traced &width = shape.hidden, kernel = constant("kernel_size", 3);
    Block layer = tower_layer(shape), rest;
    append_vector(layer, "q_and_v_bias", Traced(2) * width);
    append_linear(rest, "conv1", Part::feed_forward, config.count({"num_mel_bins"}) * kernel, width, true, "x", "x");
    append_linear(rest, "conv2", Part::feed_forward, width * kernel, width, true, "x", "x");
    rest.ops.push_back(
        Lookup{"position_embedding", Part::feed_forward, config.count({"max_source_positions"}), width, true, "x"});
    append_counted_norm(rest, Norm::Kind::layer, true, width);
    add_tower(model, "audio", std::move(layer), config.count({"encoder_layers", "num_hidden_layers"}), std::move(rest));
    const Traced intermediate = shape.intermediate;
    config.enter("", "", {});
    return config.word_or({"model_type"}, "") == "voxtral" ? intermediate : width;
}

Model build_qwen2_audio(Reader& config) {
    const bool voxtral = config.word_or({"model_type"}, "qwen2_audio") == "voxtral";
    Model model = voxtral ? language_model(config, "text_config", "llama", text_of_voxtral)
                          : language_model(config, "text_config", "qwen2");
    if (config.error() || !model.hidden_size) return model;
    const Traced width = append_audio(config, model), &hidden = *model.hidden_size;
    Block projector;
    if (voxtral)
        append_two_linears(projector, width, hidden, hidden, false);
    else
        append_linear(projector, "linear", Part::feed_forward, width, hidden, true, "x", "x");
    add_tower(model, "projector", std::move(projector), Traced(1), {});
    return model;
}

}  // namespace

extern const Architecture qwen2_audio{{"qwen2_audio", "voxtral"},
                                      {"Qwen2AudioForConditionalGeneration", "VoxtralForConditionalGeneration"},
                                      "Qwen2AudioConfig",
                                      {},
                                      build_qwen2_audio};

}  // namespace plimsoll::architecture
