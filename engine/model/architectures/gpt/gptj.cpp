// GPT-J and CodeGen: one norm feeds attention (no biases) and a plain feed-forward (biases) in parallel; the head has a
// bias. Source: transformers, models/gptj, codegen: configuration and modeling.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_gptj(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.fused = config.word_or({"model_type"}, "gptj") == "codegen";
    layer.attention.dropout = config.number_or({"attn_pdrop"}, 0);
    layer.dropout = config.number_or({"resid_pdrop"}, 0);
    layer.branches = Branches::parallel;
    const Traced& hidden = layer.attention.hidden;
    layer.feed_forward = {
        .hidden = hidden,
        .intermediate = config.count_or({"n_inner"}, Traced(4) * hidden, "not stated: four times the hidden width"),
        .gated = false,
        .bias = true,
        .activation = read_activation(config, "gelu_new")};
    Model model = decoder_of(config, layer);
    model.head_bias = true;
    return model;
}

}  // namespace

extern const Architecture gptj{
    {"gptj", "codegen"},
    {"GPTJForCausalLM", "CodeGenForCausalLM"},
    "GPTJConfig",
    {{"vocab_size", 50400}, {"n_positions", 2048}, {"n_embd", 4096}, {"n_layer", 28}, {"n_head", 16}},
    build_gptj};

}  // namespace plimsoll::architecture
