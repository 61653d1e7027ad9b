// Apertus: norms over each head of query and key, and a plain feed-forward whose activation, xIELU, learns two scalars.
// Source: transformers, models/apertus/configuration_apertus.py and modeling_apertus.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_apertus(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.qk_norm = QueryKeyNorm::head;
    shape.feed_forward.gated = false;
    if (config.word_or({"hidden_act"}, "xielu") == "xielu") shape.feed_forward.activation_parameters = 2;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture apertus{{"apertus"},
                                  {"ApertusForCausalLM"},
                                  "ApertusConfig",
                                  {{"vocab_size", 131072},
                                   {"hidden_size", 4096},
                                   {"intermediate_size", 14336},
                                   {"num_hidden_layers", 32},
                                   {"num_attention_heads", 32},
                                   {"max_position_embeddings", 65536}},
                                  build_apertus};

}  // namespace plimsoll::architecture
