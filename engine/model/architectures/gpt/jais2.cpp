// Jais 2: Nemotron's layer with biases on all matrices. Source: transformers, models/jais2/configuration_jais2.py and
// modeling_jais2.py.
#include "model/build/blocks.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    ClassicLayer layer;
    layer.attention = read_attention(config);
    layer.attention.bias = layer.attention.output_bias = config.flag_or({"attention_bias"}, true);
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.feed_forward = {layer.attention.hidden,
                          config.count({"intermediate_size"}),
                          false,
                          false,
                          config.flag_or({"mlp_bias"}, true),
                          read_activation(config, "relu2")};
    Model model = classic_decoder(config, layer);
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
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
                                build};

}  // namespace plimsoll::architecture
