// StarCoder2: grouped-query attention, a sliding window where one is given, LayerNorm, a plain feed-forward, biases.
// Source: transformers, models/starcoder2/configuration_starcoder2.py and modeling_starcoder2.py.
#include "model/build/blocks.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    ClassicLayer layer;
    layer.attention = read_attention(config);
    layer.attention.bias = layer.attention.output_bias = config.flag_or({"use_bias"}, true);
    layer.attention.window = config.optional_count({"sliding_window"});
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.dropout = config.number_or({"residual_dropout"}, 0);
    layer.feed_forward = {layer.attention.hidden, config.count({"intermediate_size"}),         false, false,
                          layer.attention.bias,   read_activation(config, "gelu_pytorch_tanh")};
    Model model = classic_decoder(config, layer);
    model.tied = config.flag_or({"tie_word_embeddings"}, true);
    return model;
}

}  // namespace

extern const Architecture starcoder2{{"starcoder2"},
                                     {"Starcoder2ForCausalLM"},
                                     "Starcoder2Config",
                                     {{"vocab_size", 49152},
                                      {"hidden_size", 3072},
                                      {"intermediate_size", 12288},
                                      {"num_hidden_layers", 30},
                                      {"num_attention_heads", 24},
                                      {"num_key_value_heads", 2},
                                      {"max_position_embeddings", 4096}},
                                     build};

}  // namespace plimsoll::architecture
