// Granite 3 (dense): Llama's layer with fixed multipliers.
// Source: transformers, models/granite/configuration_granite.py and modeling_granite.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_granite(Reader& config) { return decoder_of(config, read_dense_layer(config)); }

}  // namespace

extern const Architecture granite{{"granite"},
                                  {"GraniteForCausalLM"},
                                  "GraniteConfig",
                                  {{"vocab_size", 32000},
                                   {"hidden_size", 4096},
                                   {"intermediate_size", 11008},
                                   {"num_hidden_layers", 32},
                                   {"num_attention_heads", 32},
                                   {"max_position_embeddings", 2048}},
                                  build_granite,
                                  true};

}  // namespace plimsoll::architecture
