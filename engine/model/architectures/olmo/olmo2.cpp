// OLMo 2: norms after attention and feed-forward, and over the whole query and key projections.
// Source: transformers, models/olmo2/configuration_olmo2.py and modeling_olmo2.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_olmo2(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.qk_norm = QueryKeyNorm::whole;
    shape.norm = shape.attention.qk_norm_kind = Norm::Kind::rms_wide;
    shape.place = NormPlace::after;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture olmo2{{"olmo2"},
                                {"Olmo2ForCausalLM"},
                                "Olmo2Config",
                                {{"vocab_size", 50304},
                                 {"hidden_size", 4096},
                                 {"intermediate_size", 11008},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 32},
                                 {"max_position_embeddings", 2048}},
                                build_olmo2};

}  // namespace plimsoll::architecture
