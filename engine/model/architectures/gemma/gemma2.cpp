// Gemma 2: four norms a layer, soft-capped attention, and a sliding window in every second layer, the first included.
// Source: transformers, models/gemma2/configuration_gemma2.py and modeling_gemma2.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Block layer_of(const AttentionShape& attention, const FeedForwardShape& feed_forward) {
    constexpr auto norm = Norm::Kind::rms_gemma;
    Block layer;
    append_normed(layer, norm, false, attention.hidden, "x", "normed");
    append_attention(layer, attention, "normed", "attention_out");
    append_normed(layer, norm, false, attention.hidden, "attention_out", "attention_normed");
    layer.ops.push_back(Add{Part::attention, "x", "attention_normed", "x_attended"});
    append_normed(layer, norm, false, attention.hidden, "x_attended", "normed_2");
    append_feed_forward(layer, feed_forward, "normed_2", "feed_forward_out");
    append_normed(layer, norm, false, attention.hidden, "feed_forward_out", "feed_forward_normed");
    layer.ops.push_back(Add{Part::feed_forward, "x_attended", "feed_forward_normed", "x_out"});
    return layer;
}

Model build(Reader& config) {
    AttentionShape attention = read_attention(config);
    attention.softcap = config.number_or({"attn_logit_softcapping"}, 0) > 0;
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    const FeedForwardShape feed_forward{attention.hidden, config.count({"intermediate_size"})};
    AttentionShape windowed = attention;
    windowed.window = config.optional_count({"sliding_window"});
    Model model = decoder(config, attention.hidden, Norm::Kind::rms_gemma, false, layer_of(windowed, feed_forward));
    model.tied = config.flag_or({"tie_word_embeddings"}, true);
    if (!config.error())
        alternate(model, layer_of(attention, feed_forward), "sliding_layer", "full_layer",
                  [](int index) { return index % 2 == 1; });
    return model;
}

}  // namespace

extern const Architecture gemma2{{"gemma2"},
                                 {"Gemma2ForCausalLM"},
                                 "Gemma2Config",
                                 {{"vocab_size", 256000},
                                  {"hidden_size", 2304},
                                  {"intermediate_size", 9216},
                                  {"num_hidden_layers", 26},
                                  {"num_attention_heads", 8},
                                  {"num_key_value_heads", 4},
                                  {"head_dim", 256},
                                  {"sliding_window", 4096},
                                  {"attn_logit_softcapping", 50},
                                  {"max_position_embeddings", 8192}},
                                 build};

}  // namespace plimsoll::architecture
