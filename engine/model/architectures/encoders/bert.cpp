// BERT, RoBERTa, XLM-R and their like, as embedding models and rerankers: positions and segments beside the tokens,
// norms behind each sub-layer, attention both ways. Nothing is generated: no cache, no vocabulary head. A classifier
// stands in place of the pooler (RoBERTa) or behind it (BERT). Source: transformers, models/bert, roberta, xlm_roberta:
// configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

const std::initializer_list<ClassDefault> roberta_defaults = {
    {"vocab_size", 50265},       {"hidden_size", 768},        {"num_hidden_layers", 12},
    {"num_attention_heads", 12}, {"intermediate_size", 3072}, {"max_position_embeddings", 512},
    {"type_vocab_size", 2}};

Model build_bert(Reader& config) {
    if (config.word_or({"model_type"}, "bert") == "roberta") config.enter("", "RobertaConfig", roberta_defaults);
    LayerShape shape;
    shape.layer_norms();
    shape.attention = read_attention(config);
    shape.attention.bias = shape.attention.output_bias = true;
    shape.attention.rotary = shape.attention.softmax_in_fp32 = false;
    shape.attention.dropout = config.number_or({"attention_probs_dropout_prob"}, 0.1);
    shape.attention.source = CrossAttention::Source::none;
    shape.place = NormPlace::after_sum;
    shape.dropout = config.number_or({"hidden_dropout_prob"}, 0.1);
    const Traced& hidden = shape.attention.hidden;
    shape.feed_forward = {.hidden = hidden,
                          .intermediate = config.count({"intermediate_size"}),
                          .gated = false,
                          .bias = true,
                          .activation = read_activation(config, "gelu")};
    Model model = decoder_of(config, shape);
    if (config.error()) return model;
    model.vocab_size.reset();
    model.tied = false;  // there is no head to tie
    model.head.ops.clear();
    const auto table = [&](Label name, const char* rows, Label to) {
        model.embedding.ops.push_back(Lookup{name, Part::embedding, config.count({rows}), hidden, true, to});
    };
    table("position_embedding", "max_position_embeddings", "positions");
    table("token_type_embedding", "type_vocab_size", "segments");
    model.embedding.ops.push_back(
        Norm{"embedding_norm", Norm::Kind::layer, hidden, true, true, "x", "x_normed", Part::embedding});
    const auto* classes = config.words("architectures");
    const bool classifies =
        classes && !classes->empty() && classes->front().find("ForSequenceClassification") != std::string::npos;
    append_linear(model.head, "pooler", Part::head, hidden, hidden, true, "x",
                  "pooled");  // a RoBERTa classifier's first matrix has the same shape
    if (classifies)
        append_linear(model.head, "classifier", Part::head, hidden,
                      config.count_or({"num_labels"}, Traced(1), "not stated: one score, as rerankers give"), true,
                      "pooled", "scores");
    return model;
}

}  // namespace

extern const Architecture bert{{"bert", "roberta", "xlm-roberta", "camembert"},
                               {"BertModel", "BertForMaskedLM", "RobertaModel", "XLMRobertaModel",
                                "XLMRobertaForMaskedLM", "XLMRobertaForSequenceClassification"},
                               "BertConfig",
                               {{"vocab_size", 30522},
                                {"hidden_size", 768},
                                {"num_hidden_layers", 12},
                                {"num_attention_heads", 12},
                                {"intermediate_size", 3072},
                                {"max_position_embeddings", 512},
                                {"type_vocab_size", 2}},
                               build_bert};

}  // namespace plimsoll::architecture
