// Whisper: an audio encoder over 30 s of spectrogram (1500 positions after its convolutions), a decoder with
// cross-attention to it; LayerNorm, biases on all matrices but that of the keys; a tied head.
// Source: transformers, models/whisper/configuration_whisper.py and modeling_whisper.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

AttentionShape shape_of(Reader& config, const Traced& hidden, const char* heads_field) {
    AttentionShape attention;
    attention.hidden = hidden;
    attention.heads = attention.kv_heads = config.count({heads_field});
    attention.head_dim = config.head_dim(hidden, attention.heads);
    attention.bias = attention.output_bias = true;
    attention.key_bias = attention.rotary = attention.softmax_in_fp32 = false;
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    return attention;
}

LayerShape layer_with(const AttentionShape& attention, const Traced& intermediate, Activation::Kind activation) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = attention;
    layer.feed_forward = {.hidden = attention.hidden,
                          .intermediate = intermediate,
                          .gated = false,
                          .bias = true,
                          .activation = activation};
    return layer;
}

void append_encoder(Reader& config, Model& model, const Traced& positions, Activation::Kind activation) {
    const Traced& hidden = *model.hidden_size;
    Block rest;
    const Traced kernel = constant("kernel_size", 3);
    append_linear(rest, "conv1", Part::feed_forward, config.count({"num_mel_bins"}) * kernel, hidden, true, "x", "x");
    append_linear(rest, "conv2", Part::feed_forward, hidden * kernel, hidden, true, "x", "x");
    rest.ops.push_back(Lookup{"position_embedding", Part::feed_forward, positions, hidden, true, "x"});
    append_counted_norm(rest, Norm::Kind::layer, true, hidden);
    // one by one: compilers differ in the order of a call's arguments, and assumptions are listed as they are made
    const Traced layers = config.count({"encoder_layers"}), intermediate = config.count({"encoder_ffn_dim"});
    const AttentionShape attention = shape_of(config, hidden, "encoder_attention_heads");
    add_tower(model, "audio", layer_of(layer_with(attention, intermediate, activation)), layers, std::move(rest));
}

Model build_whisper(Reader& config) {
    const Traced hidden = config.count({"d_model"});
    const Traced source = config.count({"max_source_positions"});
    const Activation::Kind activation = read_activation(config, "gelu");
    const AttentionShape attention = shape_of(config, hidden, "decoder_attention_heads");
    LayerShape layer = layer_with(attention, config.count({"decoder_ffn_dim"}), activation);
    layer.cross = attention;
    layer.cross->source = CrossAttention::Source::fixed;
    layer.cross->source_tokens = source;
    Model model = decoder_of(config, layer, true);
    const Traced layers = config.count({"decoder_layers"}), targets = config.count({"max_target_positions"});
    if (config.error()) return model;
    set_depth(model, "decoder_layer", layers);
    model.context_limit = targets.value();
    model.embedding.ops.push_back(Lookup{"position_embedding", Part::embedding, targets, hidden, true, "positions"});
    append_encoder(config, model, source, activation);
    return model;
}

}  // namespace

extern const Architecture whisper{{"whisper"},
                                  {"WhisperForConditionalGeneration"},
                                  "WhisperConfig",
                                  {{"vocab_size", 51865},
                                   {"num_mel_bins", 80},
                                   {"encoder_layers", 4},
                                   {"encoder_attention_heads", 6},
                                   {"decoder_layers", 4},
                                   {"num_hidden_layers", 4},
                                   {"decoder_attention_heads", 6},
                                   {"decoder_ffn_dim", 1536},
                                   {"encoder_ffn_dim", 1536},
                                   {"d_model", 384},
                                   {"max_source_positions", 1500},
                                   {"max_target_positions", 448}},
                                  build_whisper};

}  // namespace plimsoll::architecture
