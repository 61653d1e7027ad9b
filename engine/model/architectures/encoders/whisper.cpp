// Whisper: an audio encoder over 30 s of spectrogram (1500 positions after its convolutions), a decoder with
// cross-attention to it; LayerNorm, biases on all matrices but that of the keys; a tied head.
// Source: transformers, models/whisper/configuration_whisper.py and modeling_whisper.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

constexpr auto layer_norm = Norm::Kind::layer;

/// Attention whose keys alone have no bias; across to the encoder's positions where they are given.
void append_keyless_bias(Block& block, const AttentionShape& shape, const Traced* source, Label from, Label to) {
    Block plain;
    append_attention(plain, shape, from, to);
    for (Op& op : plain.ops) {
        if (Linear* linear = op.as<Linear>(); linear && linear->name == "k_proj") linear->bias = false;
        if (Attention* attention = op.as<Attention>(); attention && source)
            block.ops.push_back(CrossAttention{Part::attention, *attention, CrossAttention::Source::fixed, *source});
        else
            block.ops.push_back(std::move(op));
    }
}

Block stack_layer(const AttentionShape& attention, const Traced& inner, const Traced* source,
                  Activation::Kind activation) {
    const FeedForwardShape feed_forward{attention.hidden, inner, false, false, true, activation};
    Block layer;
    append_normed(layer, layer_norm, true, attention.hidden, "x", "normed");
    append_keyless_bias(layer, attention, nullptr, "normed", "attention_out");
    layer.ops.push_back(Add{Part::attention, "x", "attention_out", "x_attended"});
    Label x = "x_attended";
    if (source) {
        append_normed(layer, layer_norm, true, attention.hidden, x, "normed_2");
        append_keyless_bias(layer, attention, source, "normed_2", "cross_out");
        layer.ops.push_back(Add{Part::attention, x, "cross_out", "x_crossed"});
        x = "x_crossed";
    }
    append_normed(layer, layer_norm, true, attention.hidden, x, "normed_3");
    append_feed_forward(layer, feed_forward, "normed_3", "feed_forward_out");
    layer.ops.push_back(Add{Part::feed_forward, x, "feed_forward_out", "x_out"});
    return layer;
}

AttentionShape shape_of(Reader& config, const Traced& hidden, const char* heads_field) {
    AttentionShape attention;
    attention.hidden = hidden;
    attention.heads = attention.kv_heads = config.count({heads_field});
    attention.head_dim = config.head_dim(hidden, attention.heads);
    attention.bias = attention.output_bias = true;
    attention.rotary = false;
    attention.softmax_in_fp32 = false;
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    return attention;
}

Model build(Reader& config) {
    const Traced hidden = config.count({"d_model"});
    const Traced source = config.count({"max_source_positions"});
    const Activation::Kind activation = read_activation(config, "gelu");
    const AttentionShape attention = shape_of(config, hidden, "decoder_attention_heads");
    Model model = decoder(config, hidden, layer_norm, true,
                          stack_layer(attention, config.count({"decoder_ffn_dim"}), &source, activation));
    const Traced layers = config.count({"decoder_layers"}), targets = config.count({"max_target_positions"});
    if (config.error()) return model;
    model.kinds.front().count = layers;
    model.kinds.front().name = "decoder_layer";
    model.order.assign(static_cast<size_t>(layers.value()), 0);
    model.context_limit = targets.value();
    model.embedding.ops.push_back(Lookup{"position_embedding", Part::embedding, targets, hidden, true, "positions"});
    Block rest;
    const Traced kernel = constant("kernel_size", 3);
    append_linear(rest, "conv1", Part::feed_forward, config.count({"num_mel_bins"}) * kernel, hidden, true, "x", "x");
    append_linear(rest, "conv2", Part::feed_forward, hidden * kernel, hidden, true, "x", "x");
    rest.ops.push_back(Lookup{"position_embedding", Part::feed_forward, source, hidden, true, "x"});
    append_counted_norm(rest, layer_norm, true, hidden);
    // one by one: compilers differ in the order of a call's arguments, and assumptions are listed as they are made
    const Traced encoder_layers = config.count({"encoder_layers"}), intermediate = config.count({"encoder_ffn_dim"});
    const AttentionShape encoder = shape_of(config, hidden, "encoder_attention_heads");
    add_tower(model, "audio", stack_layer(encoder, intermediate, nullptr, activation), encoder_layers, std::move(rest));
    model.tied = config.flag_or({"tie_word_embeddings"}, true);
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
                                  build};

}  // namespace plimsoll::architecture
