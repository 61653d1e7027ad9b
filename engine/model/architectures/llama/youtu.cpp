// Youtu-LLM: DeepSeek-V3's latent attention with a dense feed-forward in all layers; tied head. Source: transformers,
// models/youtu/configuration_youtu.py and modeling_youtu.py.
#include "model/build/latent_decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_youtu(Reader& config) { return decoder_of(config, read_latent_layer(config), true); }

}  // namespace

extern const Architecture youtu{{"youtu"},
                                {"YoutuForCausalLM"},
                                "YoutuConfig",
                                {{"vocab_size", 128256},
                                 {"hidden_size", 2048},
                                 {"intermediate_size", 6144},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 16},
                                 {"kv_lora_rank", 512},
                                 {"q_lora_rank", 1536},
                                 {"qk_rope_head_dim", 64},
                                 {"v_head_dim", 128},
                                 {"qk_nope_head_dim", 128},
                                 {"max_position_embeddings", 131072}},
                                build_youtu};

}  // namespace plimsoll::architecture
