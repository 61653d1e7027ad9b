// OLMo 3: OLMo 2's layer, with a sliding window in three layers of four.
// Source: transformers, models/olmo3/configuration_olmo3.py and modeling_olmo3.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_olmo3(Reader& config) {
    LayerShape full = read_dense_layer(config);
    full.attention.qk_norm = QueryKeyNorm::whole;
    full.place = NormPlace::after;
    LayerShape windowed = full;
    windowed.attention.window = config.optional_count({"sliding_window"});
    return decoder_of(config, {{"full_layer", &full}, {"sliding_layer", &windowed}}, windowed_layers(config, 4));
}

}  // namespace

extern const Architecture olmo3{{"olmo3"},
                                {"Olmo3ForCausalLM"},
                                "Olmo3Config",
                                {{"vocab_size", 50304},
                                 {"hidden_size", 4096},
                                 {"intermediate_size", 11008},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 32},
                                 {"max_position_embeddings", 2048},
                                 {"sliding_window", 4096}},
                                build_olmo3};

}  // namespace plimsoll::architecture
