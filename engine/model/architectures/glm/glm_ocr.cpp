// The language model of GLM-OCR: GLM-4's layer without biases. Its tower is in glm4v.cpp.
// Source: transformers, models/glm_ocr/configuration_glm_ocr.py and modeling_glm_ocr.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_glm_ocr(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.bias = shape.attention.output_bias = false;
    shape.feed_forward.fused = true;
    shape.place = NormPlace::both;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture glm_ocr{{"glm_ocr_text"},
                                  {"GlmOcrTextModel"},
                                  "GlmOcrTextConfig",
                                  {{"vocab_size", 59392},
                                   {"hidden_size", 1024},
                                   {"intermediate_size", 4096},
                                   {"num_hidden_layers", 16},
                                   {"num_attention_heads", 16},
                                   {"num_key_value_heads", 8},
                                   {"max_position_embeddings", 131072}},
                                  build_glm_ocr};

}  // namespace plimsoll::architecture
