// SmolLM3: Llama's layer, every fourth one without rotation, and a tied head.
// Source: transformers, models/smollm3/configuration_smollm3.py and modeling_smollm3.py.
#include <algorithm>
#include <cmath>

#include "model/build/layer.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    const LayerShape rotary = read_dense_layer(config);
    LayerShape plain = rotary;
    plain.attention.rotary = false;
    if (config.flag_or({"use_sliding_window"}, false))
        plain.attention.window = config.optional_count({"sliding_window"});
    const std::vector<double>* stated = config.numbers("no_rope_layers");
    const double interval = std::max(1.0, config.number_or({"no_rope_layer_interval"}, 4));
    Pattern pattern(layer_count(config));
    for (size_t index = 0; index < pattern.size(); ++index)
        pattern[index] = stated && index < stated->size() ? (*stated)[index] == 0
                                                          : std::fmod(static_cast<double>(index) + 1, interval) == 0;
    return decoder_of(config, {{"rotary_layer", &rotary}, {"plain_layer", &plain}}, pattern, true);
}

}  // namespace

extern const Architecture smollm3{{"smollm3"},
                                  {"SmolLM3ForCausalLM"},
                                  "SmolLM3Config",
                                  {{"vocab_size", 128256},
                                   {"hidden_size", 2048},
                                   {"intermediate_size", 11008},
                                   {"num_hidden_layers", 36},
                                   {"num_attention_heads", 16},
                                   {"num_key_value_heads", 4},
                                   {"max_position_embeddings", 32768}},
                                  build};

}  // namespace plimsoll::architecture
