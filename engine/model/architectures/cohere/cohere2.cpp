// Command-R7B and Command-A: Cohere's layer; three in four have a sliding window, the others no rotation.
// Source: transformers, models/cohere2/configuration_cohere2.py and modeling_cohere2.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_cohere2(Reader& config) {
    LayerShape full = read_dense_layer(config);
    full.norm = Norm::Kind::layer_composed;
    full.branches = Branches::parallel;
    full.residual_first = true;
    LayerShape windowed = full;
    full.attention.rotary = false;
    windowed.attention.window = config.optional_count({"sliding_window"});
    return decoder_of(config, {{"full_layer", &full}, {"sliding_layer", &windowed}},
                      windowed_layers(config, config.number_or({"sliding_window_pattern"}, 4)), true);
}

}  // namespace

extern const Architecture cohere2{{"cohere2"},
                                  {"Cohere2ForCausalLM"},
                                  "Cohere2Config",
                                  {{"vocab_size", 256000},
                                   {"hidden_size", 8192},
                                   {"intermediate_size", 22528},
                                   {"num_hidden_layers", 40},
                                   {"num_attention_heads", 64},
                                   {"max_position_embeddings", 8192},
                                   {"sliding_window", 4096}},
                                  build_cohere2,
                                  true};

}  // namespace plimsoll::architecture
