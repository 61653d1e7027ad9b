// Phi-3.5-MoE: Mixtral's layer with LayerNorm, and biases on the attention and the vocabulary head where the
// configuration asks for them. Source: transformers, models/phimoe/configuration_phimoe.py and modeling_phimoe.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_phimoe(Reader& config) {
    LayerShape shape = read_layer(config);
    shape.attention.window = config.optional_count({"sliding_window"});
    shape.norm = Norm::Kind::layer;
    shape.norm_bias = true;
    shape.mixture = read_mixture(config);
    Model model = decoder_of(config, shape);
    model.head_bias = config.flag_or({"lm_head_bias"}, false);
    return model;
}

}  // namespace

extern const Architecture phimoe{{"phimoe"},
                                 {"PhimoeForCausalLM", "PhiMoEForCausalLM"},
                                 "PhimoeConfig",
                                 {{"vocab_size", 32064},
                                  {"hidden_size", 4096},
                                  {"intermediate_size", 6400},
                                  {"num_hidden_layers", 32},
                                  {"num_attention_heads", 32},
                                  {"num_key_value_heads", 8},
                                  {"num_local_experts", 16},
                                  {"num_experts_per_tok", 2},
                                  {"max_position_embeddings", 131072}},
                                 build_phimoe};

}  // namespace plimsoll::architecture
