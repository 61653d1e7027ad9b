// Encoder and decoder as the first Transformer has them: BART and Marian norm behind each sub-layer, mBART, Pegasus,
// M2M-100 and NLLB before it and once at the end. BART and mBART learn positions and norm the embedding; Pegasus and
// Marian hold their sinusoids as tables, M2M-100 computes them. Source: transformers, models/bart, mbart, pegasus,
// marian, m2m_100: configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

constexpr auto layer_norm = Norm::Kind::layer;

Block stack_layer(const AttentionShape& shape, const FeedForwardShape& feed_forward, double dropout, bool decoder,
                  bool before) {
    Block layer;
    const auto sub_layer = [&](Label x, Label normed, Label out, Label dropped, Label sum, auto append) {
        if (before) append_normed(layer, layer_norm, true, shape.hidden, x, normed);
        append(before ? normed : x, out);
        layer.ops.push_back(Dropout{Part::attention, dropout, out, dropped});
        layer.ops.push_back(Add{Part::attention, x, dropped, before ? sum : normed});
        if (!before) append_normed(layer, layer_norm, true, shape.hidden, normed, sum);
    };
    sub_layer("x", "normed", "attention_out", "attention_dropped", "x_attended",
              [&](Label from, Label to) { append_attention(layer, shape, from, to); });
    if (decoder)
        sub_layer("x_attended", "normed_2", "cross_out", "cross_dropped", "x_crossed",
                  [&](Label from, Label to) { append_cross_attention(layer, shape, from, to); });
    sub_layer(decoder ? "x_crossed" : "x_attended", "normed_3", "feed_forward_out", "feed_forward_dropped", "x_out",
              [&](Label from, Label to) { append_feed_forward(layer, feed_forward, from, to); });
    return layer;
}

Model build(Reader& config) {
    const std::string type = config.word_or({"model_type"}, "bart");
    const bool bart = type == "bart", mbart = type == "mbart", pegasus = type == "pegasus", marian = type == "marian";
    const bool before = !bart && !marian;
    Label config_class = "BartConfig";
    int vocabulary = 50265;
    if (marian) {
        config_class = "MarianConfig";
        vocabulary = 58101;
    } else if (type == "m2m_100") {
        config_class = "M2M100Config";
        vocabulary = 128112;
    }
    config.enter("", config_class,
                 {{"vocab_size", vocabulary},
                  {"max_position_embeddings", 1024},
                  {"encoder_layers", 12},
                  {"num_hidden_layers", 12},
                  {"encoder_ffn_dim", 4096},
                  {"encoder_attention_heads", 16},
                  {"decoder_layers", 12},
                  {"decoder_ffn_dim", 4096},
                  {"decoder_attention_heads", 16},
                  {"d_model", 1024}});
    const Traced hidden = config.count({"d_model"});
    const auto layer_with = [&](const char* heads, const char* width, bool decoder) {
        AttentionShape attention;
        attention.hidden = hidden;
        attention.heads = attention.kv_heads = config.count({heads});
        attention.head_dim = config.head_dim(hidden, attention.heads);
        attention.bias = attention.output_bias = true;
        attention.rotary = attention.softmax_in_fp32 = false;
        attention.dropout = config.number_or({"attention_dropout"}, 0);
        FeedForwardShape feed_forward{hidden, config.count({width}),          false, false,
                                      true,   read_activation(config, "gelu")};
        feed_forward.dropout = config.number_or({"activation_dropout"}, 0);
        return stack_layer(attention, feed_forward, config.number_or({"dropout"}, 0.1), decoder, before);
    };
    Model model =
        decoder(config, hidden, layer_norm, true, layer_with("decoder_attention_heads", "decoder_ffn_dim", true));
    const Traced layers = config.count({"decoder_layers"});
    if (config.error()) return model;
    model.kinds.front().count = layers;
    model.kinds.front().name = "decoder_layer";
    model.order.assign(static_cast<size_t>(layers.value()), 0);
    if (!before) model.head.ops.clear();
    Block rest;
    if (before) append_counted_norm(rest, layer_norm, true, hidden);
    if (bart || mbart || pegasus || marian) {
        const Traced rows =
            config.count({"max_position_embeddings"}) + constant("position_offset", bart || mbart ? 2 : 0);
        const Lookup positions{"position_embedding", Part::embedding, rows, hidden, true, "positions"};
        rest.ops.push_back(positions);
        model.embedding.ops.push_back(positions);
    }
    if (bart || mbart) {
        append_counted_norm(rest, layer_norm, true, hidden);
        model.embedding.ops.push_back(
            Norm{"embedding_norm", layer_norm, hidden, true, true, "x", "x_normed", Part::embedding});
    }
    add_tower(model, "encoder", layer_with("encoder_attention_heads", "encoder_ffn_dim", false),
              config.count({"encoder_layers"}), std::move(rest));
    model.tied = config.flag_or({"tie_word_embeddings"}, true);
    return model;
}

}  // namespace

extern const Architecture bart{{"bart", "mbart", "pegasus", "marian", "m2m_100"},
                               {"BartForConditionalGeneration", "MBartForConditionalGeneration",
                                "PegasusForConditionalGeneration", "MarianMTModel", "M2M100ForConditionalGeneration"},
                               "BartConfig",
                               {},
                               build};

}  // namespace plimsoll::architecture
