// Nemotron 3 and 4, Minitron: LayerNorm of 1 + weight, with bias, rotary grouped-query attention, a plain feed-forward with squared
// ReLU. Source: transformers, models/nemotron/configuration_nemotron.py and modeling_nemotron.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_nemotron(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.norm = Norm::Kind::layer_plus_one;
    layer.attention = read_attention(config);
    layer.attention.bias = layer.attention.output_bias = config.flag_or({"attention_bias"}, false);
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.feed_forward = {.hidden = layer.attention.hidden,
                          .intermediate = config.count({"intermediate_size"}),
                          .gated = false,
                          .bias = config.flag_or({"mlp_bias"}, false),
                          .activation = read_activation(config, "relu2")};
    return decoder_of(config, layer);
}

}  // namespace

extern const Architecture nemotron{{"nemotron"},
                                   {"NemotronForCausalLM"},
                                   "NemotronConfig",
                                   {{"vocab_size", 256000},
                                    {"hidden_size", 6144},
                                    {"intermediate_size", 24576},
                                    {"num_hidden_layers", 32},
                                    {"num_attention_heads", 48},
                                    {"max_position_embeddings", 4096}},
                                   build_nemotron};

}  // namespace plimsoll::architecture
