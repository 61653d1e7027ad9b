// gpt-oss: a mixture of experts in every layer, whose router weighs what it has chosen and whose gate and up are
// clamped; biases everywhere (router and experts too), a learned sink per head, norms that multiply by their weight before
// they cast back, and a sliding window in every second layer, the first included. Source: transformers,
// models/gpt_oss/configuration_gpt_oss.py and modeling_gpt_oss.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_gpt_oss(Reader& config) {
    LayerShape full = read_layer(config, true);
    full.attention.sinks = true;
    full.mixture = read_mixture(config);
    full.mixture->bias = full.mixture->weighs_chosen = full.mixture->clamped = true;
    full.norm = Norm::Kind::rms_wide;
    LayerShape windowed = full;
    windowed.attention.window = config.optional_count({"sliding_window"});
    return decoder_of(config, {{"full_layer", &full}, {"sliding_layer", &windowed}}, windowed_layers(config, 2));
}

}  // namespace

extern const Architecture gpt_oss{{"gpt_oss"},
                                  {"GptOssForCausalLM"},
                                  "GptOssConfig",
                                  {{"vocab_size", 201088},
                                   {"hidden_size", 2880},
                                   {"intermediate_size", 2880},
                                   {"num_hidden_layers", 36},
                                   {"num_attention_heads", 64},
                                   {"num_key_value_heads", 8},
                                   {"head_dim", 64},
                                   {"sliding_window", 128},
                                   {"num_local_experts", 128},
                                   {"num_experts_per_tok", 4},
                                   {"max_position_embeddings", 131072}},
                                  build_gpt_oss};

}  // namespace plimsoll::architecture
