// Qwen3.5 (experts), its language model alone: Qwen3-Next's layers with defaults of their own.
// Source: transformers, models/qwen3_5_moe/configuration_qwen3_5_moe.py.
#include "model/build/gated_delta.h"

namespace plimsoll::architecture {

extern const Architecture qwen3_5_moe_text{{"qwen3_5_moe_text"},
                                           {"Qwen3_5MoeForCausalLM"},
                                           "Qwen3_5MoeTextConfig",
                                           {{"vocab_size", 248320},
                                            {"num_attention_heads", 16},
                                            {"head_dim", 256},
                                            {"max_position_embeddings", 32768},
                                            {"linear_conv_kernel_dim", 4},
                                            {"linear_key_head_dim", 128},
                                            {"linear_value_head_dim", 128},
                                            {"linear_num_key_heads", 16},
                                            {"linear_num_value_heads", 32},
                                            {"hidden_size", 2048},
                                            {"num_hidden_layers", 40},
                                            {"num_key_value_heads", 2},
                                            {"moe_intermediate_size", 512},
                                            {"shared_expert_intermediate_size", 512},
                                            {"num_experts_per_tok", 8},
                                            {"num_experts", 256}},
                                           [](Reader& config) { return gated_delta_decoder(config, false); }};

}  // namespace plimsoll::architecture
