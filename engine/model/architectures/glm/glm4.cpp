// GLM-4-0414 and GLM-Z1: GLM's layer with four norms.
// Source: transformers, models/glm4/configuration_glm4.py and modeling_glm4.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_glm4(Reader& config) {
    LayerShape shape = read_dense_layer(config, true);
    shape.attention.output_bias = false;
    shape.feed_forward.fused = true;
    shape.place = NormPlace::both;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture glm4{{"glm4"},
                               {"Glm4ForCausalLM"},
                               "Glm4Config",
                               {{"vocab_size", 151552},
                                {"hidden_size", 4096},
                                {"intermediate_size", 13696},
                                {"num_hidden_layers", 40},
                                {"num_attention_heads", 32},
                                {"num_key_value_heads", 2},
                                {"head_dim", 128},
                                {"max_position_embeddings", 131072}},
                               build_glm4};

}  // namespace plimsoll::architecture
