// Qwen3-Next, and the language model of Qwen3.5: three gated delta-net layers to one of attention whose output is
// gated; a gated feed-forward, or experts with a shared one behind a gate of its own. Source: transformers,
// models/qwen3_next, qwen3_5, qwen3_5_moe, configuration and modeling; multi-token prediction: vLLM qwen3_next_mtp.py.
#include "model/build/gated_delta.h"

namespace plimsoll::architecture {
namespace {

// Two fused input projections; Qwen3.5 has four.
Model build_qwen3_next(Reader& config) { return gated_delta_decoder(config, true); }

}  // namespace

extern const Architecture qwen3_next{{"qwen3_next"},
                                     {"Qwen3NextForCausalLM"},
                                     "Qwen3NextConfig",
                                     {{"vocab_size", 151936},
                                      {"hidden_size", 2048},
                                      {"intermediate_size", 5632},
                                      {"num_hidden_layers", 48},
                                      {"num_attention_heads", 16},
                                      {"num_key_value_heads", 2},
                                      {"head_dim", 256},
                                      {"max_position_embeddings", 32768},
                                      {"linear_conv_kernel_dim", 4},
                                      {"linear_key_head_dim", 128},
                                      {"linear_value_head_dim", 128},
                                      {"linear_num_key_heads", 16},
                                      {"linear_num_value_heads", 32},
                                      {"moe_intermediate_size", 512},
                                      {"shared_expert_intermediate_size", 512},
                                      {"num_experts_per_tok", 10},
                                      {"num_experts", 512}},
                                     build_qwen3_next};

}  // namespace plimsoll::architecture
