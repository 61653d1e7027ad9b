// GPT-2: LayerNorm, learned positions, full attention from one matrix, a plain feed-forward; biases everywhere, tied
// head. Source: transformers, models/gpt2/configuration_gpt2.py and modeling_gpt2.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_gpt2(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.bias = layer.attention.output_bias = layer.attention.fused = true;
    layer.attention.rotary = layer.attention.softmax_in_fp32 = false;
    layer.attention.dropout = config.number_or({"attn_pdrop"}, 0.1);
    layer.dropout = config.number_or({"resid_pdrop"}, 0.1);
    const Traced& hidden = layer.attention.hidden;
    layer.feed_forward = {
        .hidden = hidden,
        .intermediate = config.count_or({"n_inner"}, Traced(4) * hidden, "not stated: four times the hidden width"),
        .gated = false,
        .bias = true,
        .activation = read_activation(config, "gelu_new")};
    Model model = decoder_of(config, layer, true);
    const Traced positions = config.count({"n_positions", "max_position_embeddings"});
    model.embedding.ops.push_back(Lookup{"position_embedding", Part::embedding, positions, hidden, true, "positions"});
    model.embedding.ops.push_back(Dropout{Part::embedding, config.number_or({"embd_pdrop"}, 0.1), "x", "x_dropped"});
    return model;
}

}  // namespace

extern const Architecture gpt2{
    {"gpt2"},
    {"GPT2LMHeadModel", "GPT2Model"},
    "GPT2Config",
    {{"vocab_size", 50257}, {"n_positions", 1024}, {"n_embd", 768}, {"n_layer", 12}, {"n_head", 12}},
    build_gpt2};

}  // namespace plimsoll::architecture
