// Jais 2: Nemotron's layer with biases on all matrices. Source: transformers, models/jais2/configuration_jais2.py and
// modeling_jais2.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_jais2(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.bias = layer.attention.output_bias = config.flag_or({"attention_bias"}, true);
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.feed_forward = {.hidden = layer.attention.hidden,
                          .intermediate = config.count({"intermediate_size"}),
                          .gated = false,
                          .bias = config.flag_or({"mlp_bias"}, true),
                          .activation = read_activation(config, "relu2")};
    return decoder_of(config, layer);
}

}  // namespace

extern const Architecture jais2{{"jais2"},
                                {"Jais2ForCausalLM"},
                                "Jais2Config",
                                {{"vocab_size", 150272},
                                 {"hidden_size", 3328},
                                 {"intermediate_size", 26624},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 26},
                                 {"max_position_embeddings", 8192}},
                                build_jais2};

}  // namespace plimsoll::architecture
