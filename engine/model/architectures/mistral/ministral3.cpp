// Ministral 3 (text): Mistral's layer.
// Source: transformers, models/ministral3/configuration_ministral3.py and modeling_ministral3.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_ministral3(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.window = config.optional_count({"sliding_window"});
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture ministral3{{"ministral3"},
                                     {"Ministral3ForCausalLM"},
                                     "Ministral3Config",
                                     {{"vocab_size", 131072},
                                      {"hidden_size", 4096},
                                      {"intermediate_size", 14336},
                                      {"num_hidden_layers", 34},
                                      {"num_attention_heads", 32},
                                      {"num_key_value_heads", 8},
                                      {"max_position_embeddings", 262144},
                                      {"head_dim", 128}},
                                     build_ministral3};

}  // namespace plimsoll::architecture
