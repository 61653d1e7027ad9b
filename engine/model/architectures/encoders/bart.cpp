// Encoder and decoder as the first Transformer has them: BART and Marian norm behind each sub-layer, mBART, Pegasus,
// M2M-100 and NLLB before it and once at the end. BART and mBART learn positions and norm the embedding; Pegasus and
// Marian hold their sinusoids as tables, M2M-100 computes them. Source: transformers, models/bart, mbart, pegasus,
// marian, m2m_100: configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

constexpr auto layer_norm = Norm::Kind::layer;

/// What the lines of models differ in.
struct Line {
    bool norms_before;  ///< the sub-layers, and once more at the end
    bool norms_embedding;
    bool holds_positions;  ///< as a table
    int position_offset;   ///< rows of it more than positions
    double attention_dropout;
    Label activation;
};

Line line_of(std::string_view type) {
    const bool bart = type == "bart", mbart = type == "mbart", marian = type == "marian", m2m = type == "m2m_100";
    return {.norms_before = !bart && !marian,
            .norms_embedding = bart || mbart,
            .holds_positions = bart || mbart || marian || type == "pegasus",
            .position_offset = bart || mbart ? 2 : 0,
            .attention_dropout = m2m ? 0.1 : 0,
            .activation = m2m ? "relu" : "gelu"};
}

void enter_class(Reader& config, std::string_view type) {
    Label config_class = "BartConfig";
    int vocabulary = 50265;
    if (type == "marian") {
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
}

LayerShape read_stack_layer(Reader& config, const Traced& hidden, const char* heads, const char* width,
                            const Line& line) {
    LayerShape layer;
    layer.layer_norms();
    layer.place = line.norms_before ? NormPlace::before : NormPlace::after_sum;
    AttentionShape& attention = layer.attention;
    attention.hidden = hidden;
    attention.heads = attention.kv_heads = config.count({heads});
    attention.head_dim = config.head_dim(hidden, attention.heads);
    attention.bias = attention.output_bias = true;
    attention.rotary = attention.softmax_in_fp32 = false;
    attention.dropout = config.number_or({"attention_dropout"}, line.attention_dropout);
    layer.feed_forward = {.hidden = hidden,
                          .intermediate = config.count({width}),
                          .gated = false,
                          .bias = true,
                          .activation = read_activation(config, line.activation),
                          .dropout = config.number_or({"activation_dropout"}, 0)};
    layer.dropout = config.number_or({"dropout"}, 0.1);
    return layer;
}

// The encoder, and what both sides have of positions and norms.
void append_encoder(Reader& config, Model& model, const Line& line) {
    const Traced& hidden = *model.hidden_size;
    Block rest;
    if (line.norms_before) append_counted_norm(rest, layer_norm, true, hidden);
    if (line.holds_positions) {
        const Traced rows =
            config.count({"max_position_embeddings"}) + constant("position_offset", line.position_offset);
        const Lookup positions{"position_embedding", Part::embedding, rows, hidden, true, "positions"};
        rest.ops.push_back(positions);
        model.embedding.ops.push_back(positions);
    }
    if (line.norms_embedding) {
        append_counted_norm(rest, layer_norm, true, hidden);
        model.embedding.ops.push_back(
            Norm{"embedding_norm", layer_norm, hidden, true, true, "x", "x_normed", Part::embedding});
    }
    const LayerShape layer = read_stack_layer(config, hidden, "encoder_attention_heads", "encoder_ffn_dim", line);
    add_tower(model, "encoder", layer_of(layer), config.count({"encoder_layers"}), std::move(rest));
}

Model build_bart(Reader& config) {
    const std::string type = config.word_or({"model_type"}, "bart");
    const Line line = line_of(type);
    enter_class(config, type);
    const Traced hidden = config.count({"d_model"});
    LayerShape layer = read_stack_layer(config, hidden, "decoder_attention_heads", "decoder_ffn_dim", line);
    layer.cross = layer.attention;
    layer.cross->source = CrossAttention::Source::text;
    Model model = decoder_of(config, layer, true);
    const Traced layers = config.count({"decoder_layers"});
    if (config.error()) return model;
    set_depth(model, "decoder_layer", layers);
    if (!line.norms_before) model.head.ops.clear();
    append_encoder(config, model, line);
    return model;
}

}  // namespace

extern const Architecture bart{{"bart", "mbart", "pegasus", "marian", "m2m_100"},
                               {"BartForConditionalGeneration", "MBartForConditionalGeneration",
                                "PegasusForConditionalGeneration", "MarianMTModel", "M2M100ForConditionalGeneration"},
                               "BartConfig",
                               {},
                               build_bart};

}  // namespace plimsoll::architecture
