// OLMo 1: Llama's layer with LayerNorms that have no weights.
// Source: transformers, models/olmo/configuration_olmo.py and modeling_olmo.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_olmo(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.norm = Norm::Kind::layer_upcast;
    shape.norm_weight = false;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture olmo{{"olmo"},
                               {"OlmoForCausalLM"},
                               "OlmoConfig",
                               {{"vocab_size", 50304},
                                {"hidden_size", 4096},
                                {"intermediate_size", 11008},
                                {"num_hidden_layers", 32},
                                {"num_attention_heads", 32},
                                {"max_position_embeddings", 2048}},
                               build_olmo};

}  // namespace plimsoll::architecture
