// Phi-1, Phi-1.5 and Phi-2: one LayerNorm feeds attention and a plain feed-forward in parallel; biases everywhere,
// the vocabulary head included.
// Source: transformers, models/phi/configuration_phi.py and modeling_phi.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    AttentionShape attention = read_attention(config);
    attention.bias = attention.output_bias = true;
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    FeedForwardShape feed_forward{attention.hidden, config.count({"intermediate_size", "n_inner"})};
    feed_forward.gated = false;
    feed_forward.bias = true;
    feed_forward.activation = read_activation(config, "gelu_new");
    const double dropout = config.number_or({"resid_pdrop"}, 0);
    Block layer;
    append_normed(layer, Norm::Kind::layer, true, attention.hidden, "x", "normed");
    append_attention(layer, attention, "normed", "attention_out");
    layer.ops.push_back(Dropout{Part::attention, dropout, "attention_out", "attention_dropped"});
    append_feed_forward(layer, feed_forward, "normed", "feed_forward_out");
    layer.ops.push_back(Dropout{Part::feed_forward, dropout, "feed_forward_out", "feed_forward_dropped"});
    layer.ops.push_back(Add{Part::feed_forward, "attention_dropped", "feed_forward_dropped", "sum"});
    layer.ops.push_back(Add{Part::feed_forward, "sum", "x", "x_out"});
    Model model = decoder(config, attention.hidden, Norm::Kind::layer, true, std::move(layer));
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    model.head_bias = true;
    return model;
}

}  // namespace

extern const Architecture phi{{"phi"},
                              {"PhiForCausalLM"},
                              "PhiConfig",
                              {{"vocab_size", 51200},
                               {"hidden_size", 2048},
                               {"intermediate_size", 8192},
                               {"num_hidden_layers", 24},
                               {"num_attention_heads", 32},
                               {"max_position_embeddings", 2048}},
                              build};

}  // namespace plimsoll::architecture
