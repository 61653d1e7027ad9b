// ERNIE 4.5 (dense): Llama's layer; one switch gives every projection a bias.
// Source: transformers, models/ernie4_5/configuration_ernie4_5.py and modeling_ernie4_5.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_ernie4_5(Reader& config) {
    const bool bias = config.flag_or({"use_bias"}, false);
    LayerShape shape = read_dense_layer(config, bias);
    shape.feed_forward.bias = bias;
    return decoder_of(config, shape, true);
}

}  // namespace

extern const Architecture ernie4_5{{"ernie4_5"},
                                   {"Ernie4_5ForCausalLM", "Ernie4_5_ForCausalLM"},
                                   "Ernie4_5Config",
                                   {{"vocab_size", 103424},
                                    {"hidden_size", 1024},
                                    {"intermediate_size", 3072},
                                    {"num_hidden_layers", 18},
                                    {"num_attention_heads", 16},
                                    {"num_key_value_heads", 2},
                                    {"head_dim", 128},
                                    {"max_position_embeddings", 131072}},
                                   build_ernie4_5};

}  // namespace plimsoll::architecture
