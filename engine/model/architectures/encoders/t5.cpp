// T5, FLAN-T5, mT5 and UMT5: an encoder, and a decoder with cross-attention to it; RMSNorm, learned biases by relative
// position in place of positions (UMT5: in every layer), a plain (v1.0) or gated (v1.1) feed-forward, no biases.
// Source: transformers, models/t5, mt5, umt5: configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

constexpr auto rms = Norm::Kind::rms;
const std::initializer_list<ClassDefault> mt5_defaults = {{"vocab_size", 250112},
                                                          {"d_model", 512},
                                                          {"d_kv", 64},
                                                          {"d_ff", 1024},
                                                          {"num_layers", 8},
                                                          {"num_heads", 6},
                                                          {"relative_attention_num_buckets", 32}};

// One probability for all: T5 drops attention's weights, what goes into the feed-forward's last product, and what is
// added to the residual stream.
LayerShape read_stack_layer(Reader& config, bool gated_by_default) {
    LayerShape layer;
    AttentionShape& attention = layer.attention;
    attention.hidden = config.count({"d_model"});
    attention.heads = attention.kv_heads = config.count({"num_heads"});
    attention.head_dim = config.count({"d_kv"});
    attention.rotary = false;
    attention.dropout = config.number_or({"dropout_rate"}, 0.1);
    layer.dropout = attention.dropout;
    const std::string projection = config.word_or({"feed_forward_proj"}, gated_by_default ? "gated-gelu" : "relu");
    FeedForwardShape& feed_forward = layer.feed_forward;
    feed_forward.hidden = attention.hidden;
    feed_forward.intermediate = config.count({"d_ff"});
    feed_forward.gated = projection.rfind("gated-", 0) == 0;
    feed_forward.dropout = attention.dropout;
    if (feed_forward.gated) feed_forward.activation = Activation::Kind::composed_gelu;
    if (projection == "relu") feed_forward.activation = Activation::Kind::from_output;
    return layer;
}

Lookup relative_bias(const Traced& rows, const Traced& heads) {
    return {"relative_attention_bias", Part::attention, rows, heads, true, "relative_bias"};
}

Model build_t5(Reader& config) {
    const std::string type = config.word_or({"model_type"}, "t5");
    if (type != "t5") config.enter("", "MT5Config", mt5_defaults);  // UMT5Config's, too
    const LayerShape encoder = read_stack_layer(config, type != "t5");
    LayerShape layer = encoder;
    layer.cross = layer.attention;
    layer.cross->source = CrossAttention::Source::text;
    const Traced layers = config.count({"num_layers"});
    const Traced decoder_layers =
        config.count_or({"num_decoder_layers"}, layers, "not stated: as many as the encoder has");
    Model model = decoder_of(config, layer, true);
    if (config.error()) return model;
    set_depth(model, "decoder_layer", decoder_layers);
    const Traced buckets = config.count({"relative_attention_num_buckets"});
    const bool each_layer = type == "umt5";
    const Traced& heads = layer.attention.heads;
    Block rest;
    append_counted_norm(rest, rms, false, layer.attention.hidden);
    rest.ops.push_back(relative_bias((each_layer ? layers : Traced(1)) * buckets, heads));
    model.embedding.ops.push_back(relative_bias((each_layer ? decoder_layers : Traced(1)) * buckets, heads));
    add_tower(model, "encoder", layer_of(encoder), layers, std::move(rest));
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
    build_t5};

}  // namespace plimsoll::architecture
