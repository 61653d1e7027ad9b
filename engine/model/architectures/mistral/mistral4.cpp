// Mistral Small 4: DeepSeek-V3's layer, experts in all layers. Source: transformers,
// models/mistral4/configuration_mistral4.py and modeling_mistral4.py.
#include "model/build/latent_decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_mistral4(Reader& config) { return latent_decoder(config, false); }

}  // namespace

extern const Architecture mistral4{{"mistral4"},
                                   {"Mistral4ForCausalLM"},
                                   "Mistral4Config",
                                   {{"vocab_size", 131072},
                                    {"hidden_size", 4096},
                                    {"intermediate_size", 12288},
                                    {"moe_intermediate_size", 2048},
                                    {"num_hidden_layers", 36},
                                    {"num_attention_heads", 32},
                                    {"n_shared_experts", 1},
                                    {"n_routed_experts", 128},
                                    {"kv_lora_rank", 256},
                                    {"q_lora_rank", 1024},
                                    {"qk_rope_head_dim", 64},
                                    {"v_head_dim", 128},
                                    {"qk_nope_head_dim", 64},
                                    {"num_experts_per_tok", 4},
                                    {"max_position_embeddings", 1048576}},
                                   build_mistral4};

}  // namespace plimsoll::architecture
