// SmolLM3: Llama's layer, every fourth one without rotation, and a tied head.
// Source: transformers, models/smollm3/configuration_smollm3.py and modeling_smollm3.py.
#include <algorithm>

#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_smollm3(Reader& config) {
    const LayerShape rotary = read_dense_layer(config);
    LayerShape plain = rotary;
    plain.attention.rotary = false;
    if (config.flag_or({"use_sliding_window"}, false))
        plain.attention.window = config.optional_count({"sliding_window"});
    const std::vector<double>* stated = config.numbers("no_rope_layers");
    const double interval = std::max(1.0, config.number_or({"no_rope_layer_interval"}, 4));
    const Pattern pattern = pattern_by(config, [&](double index) {
        const auto at = static_cast<size_t>(index);
        return stated && at < stated->size() ? (*stated)[at] == 0 : is_multiple(index + 1, interval);
    });
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
                                  build_smollm3};

}  // namespace plimsoll::architecture
