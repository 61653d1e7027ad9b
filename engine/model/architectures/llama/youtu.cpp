// Youtu-LLM: DeepSeek-V3's latent attention with a dense feed-forward in all layers; tied head. Source: transformers,
// models/youtu/configuration_youtu.py and modeling_youtu.py.
#include "model/build/layer.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    LayerShape shape;
    shape.attention.hidden = shape.feed_forward.hidden = config.count({"hidden_size"});
    shape.attention.heads = config.count({"num_attention_heads"});
    shape.attention.bias = shape.attention.output_bias = config.flag_or({"attention_bias"}, false);
    shape.attention.dropout = config.number_or({"attention_dropout"}, 0);
    shape.feed_forward.intermediate = config.count({"intermediate_size"});
    shape.latent = read_latent(config);
    return decoder_of(config, shape, true);
}

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
                                build};

}  // namespace plimsoll::architecture
