// T5, FLAN-T5, mT5 and UMT5: an encoder, and a decoder with cross-attention to it; RMSNorm, learned biases by relative
// position in place of positions (UMT5: in every layer), a plain (v1.0) or gated (v1.1) feed-forward, no biases.
// Source: transformers, models/t5, mt5, umt5: configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

constexpr auto rms = Norm::Kind::rms;

// One probability for all: T5 drops attention's weights, what goes into the feed-forward's last product, and what is
// added to the residual stream.
Block stack_layer(const AttentionShape& attention, const FeedForwardShape& feed_forward, bool decoder) {
    Block layer;
    const auto add = [&](Part part, Label x, Label from, Label dropped, Label to) {
        layer.ops.push_back(Dropout{part, attention.dropout, from, dropped});
        layer.ops.push_back(Add{part, x, dropped, to});
    };
    append_normed(layer, rms, false, attention.hidden, "x", "normed");
    append_attention(layer, attention, "normed", "attention_out");
    add(Part::attention, "x", "attention_out", "attention_dropped", "x_attended");
    Label x = "x_attended";
    if (decoder) {
        append_normed(layer, rms, false, attention.hidden, x, "normed_2");
        append_cross_attention(layer, attention, "normed_2", "cross_out");
        add(Part::attention, x, "cross_out", "cross_dropped", "x_crossed");
        x = "x_crossed";
    }
    append_normed(layer, rms, false, attention.hidden, x, "normed_3");
    append_feed_forward(layer, feed_forward, "normed_3", "feed_forward_out");
    add(Part::feed_forward, x, "feed_forward_out", "feed_forward_dropped", "x_out");
    return layer;
}

Model build(Reader& config) {
    AttentionShape attention;
    attention.hidden = config.count({"d_model"});
    attention.heads = attention.kv_heads = config.count({"num_heads"});
    attention.head_dim = config.count({"d_kv"});
    attention.rotary = false;
    attention.dropout = config.number_or({"dropout_rate"}, 0.1);
    const std::string type = config.word_or({"model_type"}, "t5");
    const std::string projection = config.word_or({"feed_forward_proj"}, type == "t5" ? "relu" : "gated-gelu");
    FeedForwardShape feed_forward{attention.hidden, config.count({"d_ff"}), projection.rfind("gated-", 0) == 0};
    feed_forward.dropout = attention.dropout;
    feed_forward.activation = feed_forward.gated ? Activation::Kind::composed_gelu : Activation::Kind::one_kernel;
    if (projection == "relu") feed_forward.activation = Activation::Kind::from_output;
    const Traced layers = config.count({"num_layers"});
    const Traced decoder_layers =
        config.count_or({"num_decoder_layers"}, layers, "not stated: as many as the encoder has");
    Model model = decoder(config, attention.hidden, rms, false, stack_layer(attention, feed_forward, true));
    if (config.error()) return model;
    model.kinds.front().count = decoder_layers;
    model.kinds.front().name = "decoder_layer";
    model.order.assign(static_cast<size_t>(decoder_layers.value()), 0);
    const Traced buckets = config.count({"relative_attention_num_buckets"});
    const bool each_layer = type == "umt5";
    Block rest;
    append_counted_norm(rest, rms, false, attention.hidden);
    const auto table = [&](const Traced& times) {
        return Lookup{
            "relative_attention_bias", Part::attention, times * buckets, attention.heads, true, "relative_bias"};
    };
    rest.ops.push_back(table(each_layer ? layers : Traced(1)));
    model.embedding.ops.push_back(table(each_layer ? decoder_layers : Traced(1)));
    add_tower(model, "encoder", stack_layer(attention, feed_forward, false), layers, std::move(rest));
    model.tied = config.flag_or({"tie_word_embeddings"}, true);
    return model;
}

}  // namespace

extern const Architecture t5{
    {"t5", "mt5", "umt5"},
    {"T5ForConditionalGeneration", "MT5ForConditionalGeneration", "UMT5ForConditionalGeneration"},
    "T5Config",
    {{"vocab_size", 32128},
     {"d_model", 512},
     {"d_kv", 64},
     {"d_ff", 2048},
     {"num_layers", 6},
     {"num_heads", 8},
     {"relative_attention_num_buckets", 32}},
    build};

}  // namespace plimsoll::architecture
