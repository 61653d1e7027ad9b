// GLM-4-9B in transformers' own class: Llama's layer with biases on q, k and v, and gate and up in one matrix.
// Source: transformers, models/glm/configuration_glm.py and modeling_glm.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_glm(Reader& config) {
    LayerShape shape = read_dense_layer(config, true);
    shape.attention.output_bias = false;
    shape.feed_forward.fused = true;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture glm{{"glm"},
                              {"GlmForCausalLM"},
                              "GlmConfig",
                              {{"vocab_size", 151552},
                               {"hidden_size", 4096},
                               {"intermediate_size", 13696},
                               {"num_hidden_layers", 40},
                               {"num_attention_heads", 32},
                               {"num_key_value_heads", 2},
                               {"head_dim", 128},
                               {"max_position_embeddings", 131072}},
                              build_glm};

}  // namespace plimsoll::architecture
