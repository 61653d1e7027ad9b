// DeepSeek-V3, R1 and Kimi-K2: latent attention; experts after the first dense layers. The router's correction bias is
// a buffer. Source: transformers, models/deepseek_v3/configuration_deepseek_v3.py and modeling_deepseek_v3.py.
#include "model/build/latent_decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_deepseek_v3(Reader& config) { return latent_decoder(config, false); }

}  // namespace

extern const Architecture deepseek_v3{{"deepseek_v3", "kimi_k2"},
                                      {"DeepseekV3ForCausalLM"},
                                      "DeepseekV3Config",
                                      {{"vocab_size", 129280},
                                       {"hidden_size", 7168},
                                       {"intermediate_size", 18432},
                                       {"moe_intermediate_size", 2048},
                                       {"num_hidden_layers", 61},
                                       {"num_attention_heads", 128},
                                       {"n_shared_experts", 1},
                                       {"n_routed_experts", 256},
                                       {"kv_lora_rank", 512},
                                       {"q_lora_rank", 1536},
                                       {"qk_rope_head_dim", 64},
                                       {"v_head_dim", 128},
                                       {"qk_nope_head_dim", 128},
                                       {"num_experts_per_tok", 8},
                                       {"first_k_dense_replace", 3},
                                       {"max_position_embeddings", 4096}},
                                      build_deepseek_v3};

}  // namespace plimsoll::architecture
