// ModernBERT: rotary attention both ways, two layers in three over a window, a gated feed-forward, norms without biases
// and none before the first layer's attention. No cache, no vocabulary head.
// Source: transformers, models/modernbert/configuration_modernbert.py and modeling_modernbert.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build_modernbert(Reader& config) {
    LayerShape shape;
    shape.norm = Norm::Kind::layer;
    shape.attention = read_attention(config);
    shape.attention.fused = true;
    shape.attention.source = CrossAttention::Source::none;
    shape.attention.bias = shape.attention.output_bias = config.flag_or({"attention_bias"}, false);
    shape.attention.dropout = config.number_or({"attention_dropout"}, 0);
    shape.norm_bias = config.flag_or({"norm_bias"}, false);
    shape.dropout = config.number_or({"mlp_dropout"}, 0);
    const Traced& hidden = shape.attention.hidden;
    shape.feed_forward = {.hidden = hidden,
                          .intermediate = config.count({"intermediate_size"}),
                          .fused = true,
                          .bias = config.flag_or({"mlp_bias"}, false),
                          .activation = read_activation(config, "gelu")};
    Model model = decoder_of(config, {{"layer", &shape}, {"first_layer", &shape}},
                             pattern_by(config, [](double index) { return index == 0; }));
    if (config.error()) return model;
    model.vocab_size.reset();
    model.tied = false;                                              // there is no head to tie
    Norm& first = *model.kinds.back().block.ops.front().as<Norm>();  // the embedding's serves
    first.weight = first.bias = false;
    model.embedding.ops.push_back(
        Norm{"embedding_norm", Norm::Kind::layer, hidden, true, shape.norm_bias, "x", "x_normed", Part::embedding});
    const auto* classes = config.words("architectures");
    if (classes && !classes->empty() && classes->front().find("ForSequenceClassification") != std::string::npos) {
        append_linear(model.head, "dense", Part::head, hidden, hidden, config.flag_or({"classifier_bias"}, false),
                      "final", "pooled");
        model.head.ops.push_back(
            Norm{"head_norm", Norm::Kind::layer, hidden, true, shape.norm_bias, "pooled", "pooled_normed"});
        append_linear(model.head, "classifier", Part::head, hidden,
                      config.count_or({"num_labels"}, Traced(1), "not stated: one score, as rerankers give"), true,
                      "pooled_normed", "scores");
    }
    return model;
}

}  // namespace

extern const Architecture modernbert{
    {"modernbert"},
    {"ModernBertModel", "ModernBertForMaskedLM", "ModernBertForSequenceClassification"},
    "ModernBertConfig",
    {{"vocab_size", 50368},
     {"hidden_size", 768},
     {"num_hidden_layers", 22},
     {"num_attention_heads", 12},
     {"intermediate_size", 1152},
     {"max_position_embeddings", 8192}},
    build_modernbert};

}  // namespace plimsoll::architecture
