// StarCoder2: grouped-query attention, a sliding window where one is given, LayerNorm, a plain feed-forward, biases.
// Source: transformers, models/starcoder2/configuration_starcoder2.py and modeling_starcoder2.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_starcoder2(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.bias = layer.attention.output_bias = config.flag_or({"use_bias"}, true);
    layer.attention.window = config.optional_count({"sliding_window"});
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.dropout = config.number_or({"residual_dropout"}, 0);
    layer.feed_forward = {.hidden = layer.attention.hidden,
                          .intermediate = config.count({"intermediate_size"}),
                          .gated = false,
                          .bias = layer.attention.bias,
                          .activation = read_activation(config, "gelu_pytorch_tanh")};
    return decoder_of(config, layer, true);
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
                                     build_starcoder2};

}  // namespace plimsoll::architecture
