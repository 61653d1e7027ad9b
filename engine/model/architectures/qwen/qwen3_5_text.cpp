// Qwen3.5 (dense), its language model alone: Qwen3-Next's layers with defaults of their own.
// Source: transformers, models/qwen3_5/configuration_qwen3_5.py.
#include "model/build/gated_delta.h"

namespace plimsoll::architecture {

extern const Architecture qwen3_5_text{{"qwen3_5_text"},
                                       {"Qwen3_5ForCausalLM"},
                                       "Qwen3_5TextConfig",
                                       {{"vocab_size", 248320},
                                        {"num_attention_heads", 16},
                                        {"head_dim", 256},
                                        {"max_position_embeddings", 32768},
                                        {"linear_conv_kernel_dim", 4},
                                        {"linear_key_head_dim", 128},
                                        {"linear_value_head_dim", 128},
                                        {"linear_num_key_heads", 16},
                                        {"linear_num_value_heads", 32},
                                        {"hidden_size", 4096},
                                        {"intermediate_size", 12288},
                                        {"num_hidden_layers", 32},
                                        {"num_key_value_heads", 4}},
                                       [](Reader& config) { return gated_delta_decoder(config, false); }};

}  // namespace plimsoll::architecture
