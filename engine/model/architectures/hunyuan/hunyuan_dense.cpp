// Hunyuan (dense): Llama's layer with norms over each head of query and key.
// Source: transformers, models/hunyuan_v1_dense/configuration_hunyuan_v1_dense.py and modeling_hunyuan_v1_dense.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_hunyuan_dense(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.qk_norm = QueryKeyNorm::head;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture hunyuan_dense{{"hunyuan_v1_dense"},
                                        {"HunYuanDenseV1ForCausalLM"},
                                        "HunYuanDenseV1Config",
                                        {{"vocab_size", 290943},
                                         {"hidden_size", 4096},
                                         {"intermediate_size", 11008},
                                         {"num_hidden_layers", 32},
                                         {"num_attention_heads", 32},
                                         {"max_position_embeddings", 2048}},
                                        build_hunyuan_dense};

}  // namespace plimsoll::architecture
