// GPTBigCode (SantaCoder, StarCoder): GPT-2's layer with one key-value head for all query heads.
// Source: transformers, models/gpt_bigcode/configuration_gpt_bigcode.py and modeling_gpt_bigcode.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_gpt_bigcode(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    if (config.flag_or({"multi_query"}, true))
        layer.attention.kv_heads = Traced::leaf("num_key_value_heads", 1, "multi_query");
    layer.attention.fused = layer.attention.bias = layer.attention.output_bias = true;
    layer.attention.rotary = false;
    layer.attention.dropout = config.number_or({"attn_pdrop"}, 0.1);
    layer.dropout = config.number_or({"resid_pdrop"}, 0.1);
    const Traced& hidden = layer.attention.hidden;
    layer.feed_forward = {
        .hidden = hidden,
        .intermediate = config.count_or({"n_inner"}, Traced(4) * hidden, "not stated: four times the hidden width"),
        .gated = false,
        .bias = true,
        .activation = read_activation(config, "gelu_pytorch_tanh")};
    Model model = decoder_of(config, layer, true);
    model.embedding.ops.push_back(
        Lookup{"position_embedding", Part::embedding, config.count({"n_positions"}), hidden, true, "positions"});
    return model;
}

}  // namespace

extern const Architecture gpt_bigcode{
    {"gpt_bigcode"},
    {"GPTBigCodeForCausalLM"},
    "GPTBigCodeConfig",
    {{"vocab_size", 50257}, {"n_positions", 1024}, {"n_embd", 768}, {"n_layer", 12}, {"n_head", 12}},
    build_gpt_bigcode};

}  // namespace plimsoll::architecture
