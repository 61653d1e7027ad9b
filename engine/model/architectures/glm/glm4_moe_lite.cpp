// GLM-4.7-Flash: DeepSeek-V3's layer.
// Source: transformers, models/glm4_moe_lite/configuration_glm4_moe_lite.py and modeling_glm4_moe_lite.py.
#include "model/build/latent_decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_glm4_moe_lite(Reader& config) { return latent_decoder(config, false); }

}  // namespace

extern const Architecture glm4_moe_lite{{"glm4_moe_lite"},
                                        {"Glm4MoeLiteForCausalLM"},
                                        "Glm4MoeLiteConfig",
                                        {{"vocab_size", 154880},
                                         {"hidden_size", 2048},
                                         {"intermediate_size", 10240},
                                         {"moe_intermediate_size", 1536},
                                         {"num_hidden_layers", 47},
                                         {"num_attention_heads", 20},
                                         {"n_shared_experts", 1},
                                         {"n_routed_experts", 64},
                                         {"kv_lora_rank", 512},
                                         {"q_lora_rank", 768},
                                         {"qk_rope_head_dim", 64},
                                         {"v_head_dim", 256},
                                         {"qk_nope_head_dim", 192},
                                         {"num_experts_per_tok", 4},
                                         {"first_k_dense_replace", 1},
                                         {"max_position_embeddings", 202752}},
                                        build_glm4_moe_lite};

}  // namespace plimsoll::architecture
