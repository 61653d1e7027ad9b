// Encoders beside BERT: DistilBERT (no segments, no pooler), ELECTRA (a narrower embedding), MPNet (biases by relative
// position), DeBERTa-v2 and -v3 (relative positions as vectors, no positions), Nomic's BERT (rotation, gates, no biases;
// its own code, under GPT-2's names, has switches for them and q, k and v in one matrix). Nothing is kept, no vocabulary
// head. Source: transformers, models/distilbert, electra, mpnet, deberta_v2, nomic_bert: configuration and modeling;
// modeling_hf_nomic_bert.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

struct EncoderClass {
    Label type, config_class;
    Reader::Defaults defaults;
};

const EncoderClass encoder_classes[] = {{"distilbert",
                                         "DistilBertConfig",
                                         {{"vocab_size", 30522},
                                          {"dim", 768},
                                          {"n_layers", 6},
                                          {"n_heads", 12},
                                          {"hidden_dim", 3072},
                                          {"max_position_embeddings", 512}}},
                                        {"electra",
                                         "ElectraConfig",
                                         {{"vocab_size", 30522},
                                          {"embedding_size", 128},
                                          {"hidden_size", 256},
                                          {"num_hidden_layers", 12},
                                          {"num_attention_heads", 4},
                                          {"intermediate_size", 1024},
                                          {"max_position_embeddings", 512},
                                          {"type_vocab_size", 2}}},
                                        {"mpnet",
                                         "MPNetConfig",
                                         {{"vocab_size", 30527},
                                          {"hidden_size", 768},
                                          {"num_hidden_layers", 12},
                                          {"num_attention_heads", 12},
                                          {"intermediate_size", 3072},
                                          {"max_position_embeddings", 512},
                                          {"relative_attention_num_buckets", 32}}},
                                        {"deberta-v2",
                                         "DebertaV2Config",
                                         {{"vocab_size", 128100},
                                          {"hidden_size", 1536},
                                          {"num_hidden_layers", 24},
                                          {"num_attention_heads", 24},
                                          {"intermediate_size", 6144},
                                          {"max_position_embeddings", 512}}},
                                        {"nomic_bert",
                                         "NomicBertConfig",
                                         {{"vocab_size", 30522},
                                          {"hidden_size", 768},
                                          {"num_hidden_layers", 12},
                                          {"num_attention_heads", 12},
                                          {"intermediate_size", 3072},
                                          {"max_position_embeddings", 2048},
                                          {"type_vocab_size", 2}}}};

void append_classifier(Reader& config, Model& model, const Traced& hidden, bool pooler) {
    const auto* classes = config.words("architectures");
    const bool classifies =
        classes && !classes->empty() && classes->front().find("ForSequenceClassification") != std::string::npos;
    if (pooler || classifies) append_linear(model.head, "pooler", Part::head, hidden, hidden, true, "x", "pooled");
    if (classifies)
        append_linear(model.head, "classifier", Part::head, hidden,
                      config.count_or({"num_labels"}, Traced(2), "not stated: two classes"), true, "pooled", "scores");
}

/// `plain`: Nomic's class in transformers, which has no switches.
LayerShape read_encoder_layer(Reader& config, bool distil, bool nomic, bool plain) {
    LayerShape shape;
    shape.layer_norms();
    AttentionShape& attention = shape.attention;
    attention.hidden = config.count({distil ? "dim" : "hidden_size", "n_embd"});
    attention.heads = attention.kv_heads = config.count({distil ? "n_heads" : "num_attention_heads", "n_head"});
    attention.head_dim = config.head_dim(attention.hidden, attention.heads);
    attention.bias = attention.output_bias = config.flag_or({"qkv_proj_bias"}, !plain);
    attention.rotary = nomic;
    attention.fused = nomic && !plain;
    attention.softmax_in_fp32 = false;
    attention.dropout = config.number_or({"attention_probs_dropout_prob", "attention_dropout", "attn_pdrop"}, 0.1);
    attention.source = CrossAttention::Source::none;
    shape.place = NormPlace::after_sum;
    shape.dropout = config.number_or({"hidden_dropout_prob", "dropout", "resid_pdrop"}, 0.1);
    shape.feed_forward = {.hidden = attention.hidden,
                          .intermediate = config.count({distil ? "hidden_dim" : "intermediate_size", "n_inner"}),
                          .gated = plain || config.word_or({"activation_function"}, "") == "swiglu",
                          .bias = config.flag_or({"mlp_fc1_bias"}, !plain),
                          .activation = read_activation(config, "gelu")};
    return shape;
}

Lookup table(Label name, const Traced& rows, const Traced& width) {
    return {name, Part::embedding, rows, width, true, "positions"};
}

// DeBERTa's embeddings of distances.
void append_distances(Reader& config, std::vector<Op>& embedding, const Traced& hidden, const Traced& positions) {
    const double buckets = config.number_or({"position_buckets"}, -1),
                 most = config.number_or({"max_relative_positions"}, -1);
    Traced rows = positions;
    if (buckets > 0)
        rows = config.count({"position_buckets"});
    else if (most > 0)
        rows = config.count({"max_relative_positions"});
    embedding.push_back(table("rel_embeddings", Traced(2) * rows, hidden));
    if (config.word_or({"norm_rel_ebd"}, "none").find("layer_norm") != std::string::npos)
        embedding.push_back(
            Norm{"relative_norm", Norm::Kind::layer, hidden, true, true, "x", "x_rel", Part::embedding});
    if (!config.flag_or({"share_att_key"}, false) || config.number_or({"conv_kernel_size"}, 0) > 0)
        config.fail("share_att_key", "unsupported",
                    "DeBERTa with projections of positions or a convolution is not known",
                    "type the model's numbers by hand");
}

Model build_encoders(Reader& config) {
    const std::string type = config.word_or({"model_type"}, "distilbert");
    const bool distil = type == "distilbert", nomic = type == "nomic_bert", electra = type == "electra",
               mpnet = type == "mpnet", deberta = type == "deberta-v2";
    for (const EncoderClass& each : encoder_classes)
        if (each.type == type) config.enter("", each.config_class, each.defaults);
    const bool plain = nomic && !config.has("n_embd");
    const LayerShape shape = read_encoder_layer(config, distil, nomic, plain);
    const Traced& hidden = shape.attention.hidden;
    Model model = decoder_of(config, shape);
    if (config.error()) return model;
    model.vocab_size.reset();
    model.tied = false;  // there is no head to tie
    model.head.ops.clear();
    std::vector<Op>& embedding = model.embedding.ops;
    const Traced width = config.count_or({"embedding_size"}, hidden, "not stated: the hidden width");
    (*embedding.front().as<Lookup>()).width = width;
    const Traced positions = config.count({"max_position_embeddings", "n_positions"});
    const bool has_positions = nomic ? !plain && config.number_or({"rotary_emb_fraction"}, 0) == 0
                                     : !deberta || config.flag_or({"position_biased_input"}, true);
    if (has_positions) embedding.push_back(table("position_embedding", positions, width));
    if (const auto segments = config.optional_count({"type_vocab_size"}); segments && !distil && !mpnet)
        embedding.push_back(table("token_type_embedding", *segments, width));
    if (deberta && width.value() != hidden.value())
        append_linear(model.embedding, "embed_proj", Part::embedding, width, hidden, false, "x", "x_wide");
    embedding.push_back(Norm{"embedding_norm", Norm::Kind::layer, electra ? width : hidden, true, true, "x", "x_normed",
                             Part::embedding});
    if (electra && width.value() != hidden.value())
        append_linear(model.embedding, "embeddings_project", Part::embedding, width, hidden, true, "x_normed",
                      "x_wide");
    if (mpnet)
        embedding.push_back(
            table("relative_attention_bias", config.count({"relative_attention_num_buckets"}), shape.attention.heads));
    if (deberta && config.flag_or({"relative_attention"}, false))
        append_distances(config, embedding, hidden, positions);
    append_classifier(config, model, hidden, mpnet || plain);
    return model;
}

}  // namespace

extern const Architecture encoders{
    {"distilbert", "electra", "mpnet", "deberta-v2", "nomic_bert"},
    {"DistilBertModel", "ElectraModel", "MPNetModel", "DebertaV2Model", "NomicBertModel"},
    "encoder configuration",
    {},
    build_encoders};

}  // namespace plimsoll::architecture
