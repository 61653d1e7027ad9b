// DeepSeek-V2 and V2-Lite: latent attention (in Lite with queries from one matrix), experts after the first dense
// layers. Source: transformers, models/deepseek_v2/configuration_deepseek_v2.py and modeling_deepseek_v2.py.
#include "model/build/latent_decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_deepseek_v2(Reader& config) { return latent_decoder(config, false, false); }

}  // namespace

extern const Architecture deepseek_v2{{"deepseek_v2"},
                                      {"DeepseekV2ForCausalLM"},
                                      "DeepseekV2Config",
                                      {{"vocab_size", 32000},
                                       {"hidden_size", 4096},
                                       {"intermediate_size", 11008},
                                       {"num_hidden_layers", 32},
                                       {"num_attention_heads", 32},
                                       {"kv_lora_rank", 512},
                                       {"q_lora_rank", 1536},
                                       {"n_routed_experts", 64},
                                       {"n_shared_experts", 2},
                                       {"qk_nope_head_dim", 128},
                                       {"qk_rope_head_dim", 64},
                                       {"v_head_dim", 128},
                                       {"moe_intermediate_size", 1407},
                                       {"first_k_dense_replace", 0},
                                       {"max_position_embeddings", 2048}},
                                      build_deepseek_v2};

}  // namespace plimsoll::architecture
