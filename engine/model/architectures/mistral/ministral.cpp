// Ministral: Mistral's layer, with a sliding window in the layers that `layer_types` names.
// Source: transformers, models/ministral/configuration_ministral.py and modeling_ministral.py.
#include <algorithm>

#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_ministral(Reader& config) {
    const LayerShape full = read_dense_layer(config);
    LayerShape windowed = full;
    windowed.attention.window = config.optional_count({"sliding_window"});
    Pattern pattern = windowed_layers(config, 1);
    if (!config.words("layer_types")) std::fill(pattern.begin(), pattern.end(), windowed.attention.window.has_value());
    return decoder_of(config, {{"full_layer", &full}, {"sliding_layer", &windowed}}, pattern);
}

}  // namespace

extern const Architecture ministral{{"ministral"},
                                    {"MinistralForCausalLM"},
                                    "MinistralConfig",
                                    {{"vocab_size", 32000},
                                     {"hidden_size", 4096},
                                     {"intermediate_size", 14336},
                                     {"num_hidden_layers", 32},
                                     {"num_attention_heads", 32},
                                     {"num_key_value_heads", 8},
                                     {"max_position_embeddings", 131072},
                                     {"sliding_window", 4096}},
                                    build_ministral};

}  // namespace plimsoll::architecture
