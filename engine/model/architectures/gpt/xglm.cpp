// XGLM and BioGPT: GPT's layer with biases everywhere and a tied head; XGLM computes its positions, BioGPT learns them,
// two rows more than positions. Source: transformers, models/xglm, biogpt: configuration and modeling.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

void enter_class(Reader& config, bool bio) {
    config.enter("", bio ? "BioGptConfig" : "XGLMConfig",
                 {{"vocab_size", bio ? 42384 : 256008},
                  {"max_position_embeddings", bio ? 1024 : 2048},
                  {bio ? "hidden_size" : "d_model", 1024},
                  {bio ? "num_attention_heads" : "attention_heads", 16},
                  {bio ? "intermediate_size" : "ffn_dim", 4096},
                  {bio ? "num_hidden_layers" : "num_layers", 24}});
}

Model build_xglm(Reader& config) {
    const bool bio = config.word_or({"model_type"}, "xglm") == "biogpt";
    enter_class(config, bio);
    LayerShape layer;
    layer.layer_norms();
    AttentionShape& attention = layer.attention;
    attention.hidden = config.count({bio ? "hidden_size" : "d_model"});
    attention.heads = attention.kv_heads = config.count({bio ? "num_attention_heads" : "attention_heads"});
    attention.head_dim = config.head_dim(attention.hidden, attention.heads);
    attention.bias = attention.output_bias = true;
    attention.rotary = false;
    attention.dropout = config.number_or({"attention_probs_dropout_prob", "attention_dropout"}, 0.1);
    layer.dropout = config.number_or({"hidden_dropout_prob", "dropout"}, 0.1);
    const Traced& hidden = attention.hidden;
    layer.feed_forward = {.hidden = hidden,
                          .intermediate = config.count({bio ? "intermediate_size" : "ffn_dim"}),
                          .gated = false,
                          .bias = true,
                          .activation = read_activation(config, "gelu")};
    Model model = decoder_of(config, layer, true);
    if (bio)
        model.embedding.ops.push_back(Lookup{"position_embedding", Part::embedding,
                                             config.count({"max_position_embeddings"}) + constant("position_offset", 2),
                                             hidden, true, "positions"});
    return model;
}

}  // namespace

extern const Architecture xglm{
    {"xglm", "biogpt"}, {"XGLMForCausalLM", "BioGptForCausalLM"}, "XGLMConfig", {}, build_xglm};

}  // namespace plimsoll::architecture
