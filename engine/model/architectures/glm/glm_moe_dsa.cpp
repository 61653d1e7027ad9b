// GLM-5: DeepSeek-V3.2's layer; some layers may share the indexer of the last one before them that has it.
// Source: transformers, models/glm_moe_dsa/configuration_glm_moe_dsa.py and modeling_glm_moe_dsa.py.
#include "model/build/latent_decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_glm_moe_dsa(Reader& config) { return latent_decoder(config, true); }

}  // namespace

extern const Architecture glm_moe_dsa{{"glm_moe_dsa"},
                                      {"GlmMoeDsaForCausalLM"},
                                      "GlmMoeDsaConfig",
                                      {{"vocab_size", 154880},
                                       {"hidden_size", 6144},
                                       {"intermediate_size", 12288},
                                       {"moe_intermediate_size", 2048},
                                       {"num_hidden_layers", 78},
                                       {"num_attention_heads", 64},
                                       {"n_shared_experts", 1},
                                       {"n_routed_experts", 256},
                                       {"kv_lora_rank", 512},
                                       {"q_lora_rank", 2048},
                                       {"qk_rope_head_dim", 64},
                                       {"v_head_dim", 256},
                                       {"qk_nope_head_dim", 192},
                                       {"num_experts_per_tok", 8},
                                       {"first_k_dense_replace", 3},
                                       {"max_position_embeddings", 202752},
                                       {"index_n_heads", 32},
                                       {"index_head_dim", 128}},
                                      build_glm_moe_dsa};

}  // namespace plimsoll::architecture
