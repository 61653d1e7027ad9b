// DeepSeek-V3.2: V3 with an indexer in every layer, which picks the tokens that attention looks at.
// Source: transformers, models/deepseek_v32/configuration_deepseek_v32.py and modeling_deepseek_v32.py.
#include "model/build/latent_decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_deepseek_v32(Reader& config) { return latent_decoder(config, true); }

}  // namespace

extern const Architecture deepseek_v32{{"deepseek_v32"},
                                       {"DeepseekV32ForCausalLM"},
                                       "DeepseekV32Config",
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
                                        {"max_position_embeddings", 163840},
                                        {"index_n_heads", 64},
                                        {"index_head_dim", 128}},
                                       build_deepseek_v32};

}  // namespace plimsoll::architecture
