// Mistral: Llama's layer with a sliding window over the keys where the configuration gives one.
// Source: transformers, models/mistral/configuration_mistral.py and modeling_mistral.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_mistral(Reader& config) {
    LayerShape shape;
    shape.attention = read_attention(config);
    shape.attention.dropout = config.number_or({"attention_dropout"}, 0);
    shape.attention.window = config.optional_count({"sliding_window"});
    shape.feed_forward = {.hidden = shape.attention.hidden, .intermediate = config.count({"intermediate_size"})};
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture mistral{{"mistral"},
                                  {"MistralForCausalLM"},
                                  "MistralConfig",
                                  {{"vocab_size", 32000},
                                   {"hidden_size", 4096},
                                   {"intermediate_size", 14336},
                                   {"num_hidden_layers", 32},
                                   {"num_attention_heads", 32},
                                   {"num_key_value_heads", 8},
                                   {"sliding_window", 4096},
                                   {"max_position_embeddings", 131072}},
                                  build_mistral};

}  // namespace plimsoll::architecture
