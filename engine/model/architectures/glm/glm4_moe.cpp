// GLM-4.5, 4.6 and 4.7: grouped attention with biases on q, k and v and, in the larger one, norms over their heads;
// experts after the first dense layers. The router's correction bias is a buffer. Source: transformers,
// models/glm4_moe/configuration_glm4_moe.py and modeling_glm4_moe.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_glm4_moe(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.output_bias = false;
    if (config.flag_or({"use_qk_norm"}, false)) shape.attention.qk_norm = QueryKeyNorm::head;
    MixtureShape mixture = read_mixture(config);
    mixture.scores_by_sigmoid();
    return mixture_decoder(config, shape, mixture);
}

}  // namespace

extern const Architecture glm4_moe{{"glm4_moe"},
                                   {"Glm4MoeForCausalLM"},
                                   "Glm4MoeConfig",
                                   {{"vocab_size", 151552},
                                    {"hidden_size", 4096},
                                    {"intermediate_size", 10944},
                                    {"num_hidden_layers", 46},
                                    {"num_attention_heads", 96},
                                    {"num_key_value_heads", 8},
                                    {"moe_intermediate_size", 1408},
                                    {"num_experts_per_tok", 8},
                                    {"n_shared_experts", 1},
                                    {"n_routed_experts", 128},
                                    {"first_k_dense_replace", 1},
                                    {"max_position_embeddings", 131072}},
                                   build_glm4_moe};

}  // namespace plimsoll::architecture
