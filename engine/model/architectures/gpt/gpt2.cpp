// GPT-2: LayerNorm, learned positions, full attention from one matrix, a plain feed-forward; biases everywhere, tied
// head. Source: transformers, models/gpt2/configuration_gpt2.py and modeling_gpt2.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    AttentionShape attention = read_attention(config);
    attention.bias = attention.output_bias = attention.fused = true;
    attention.rotary = false;
    attention.softmax_in_fp32 = false;
    attention.dropout = config.number_or({"attn_pdrop"}, 0.1);
    const double dropout = config.number_or({"resid_pdrop"}, 0.1);
    const Traced inner =
        config.count_or({"n_inner"}, Traced(4) * attention.hidden, "not stated: four times the hidden width");
    FeedForwardShape feed_forward{attention.hidden, inner};
    feed_forward.gated = false;
    feed_forward.bias = true;
    feed_forward.activation = read_activation(config, "gelu_new");
    Block layer;
    append_normed(layer, Norm::Kind::layer, true, attention.hidden, "x", "normed");
    append_attention(layer, attention, "normed", "attention_out");
    layer.ops.push_back(Dropout{Part::attention, dropout, "attention_out", "attention_dropped"});
    layer.ops.push_back(Add{Part::attention, "attention_dropped", "x", "x_attended"});
    append_normed(layer, Norm::Kind::layer, true, attention.hidden, "x_attended", "normed_2");
    append_feed_forward(layer, feed_forward, "normed_2", "feed_forward_out");
    layer.ops.push_back(Dropout{Part::feed_forward, dropout, "feed_forward_out", "feed_forward_dropped"});
    layer.ops.push_back(Add{Part::feed_forward, "x_attended", "feed_forward_dropped", "x_out"});
    Model model = decoder(config, attention.hidden, Norm::Kind::layer, true, std::move(layer));
    const Traced positions = config.count({"n_positions", "max_position_embeddings"});
    model.embedding.ops.push_back(
        Lookup{"position_embedding", Part::embedding, positions, attention.hidden, true, "positions"});
    model.embedding.ops.push_back(Dropout{Part::embedding, config.number_or({"embd_pdrop"}, 0.1), "x", "x_dropped"});
    model.tied = config.flag_or({"tie_word_embeddings"}, true);
    return model;
}

}  // namespace

extern const Architecture gpt2{
    {"gpt2"},
    {"GPT2LMHeadModel", "GPT2Model"},
    "GPT2Config",
    {{"vocab_size", 50257}, {"n_positions", 1024}, {"n_embd", 768}, {"n_layer", 12}, {"n_head", 12}},
    build};

}  // namespace plimsoll::architecture
