// Phi-1, Phi-1.5 and Phi-2: one LayerNorm feeds attention and a plain feed-forward in parallel; biases everywhere,
// the vocabulary head included.
// Source: transformers, models/phi/configuration_phi.py and modeling_phi.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_phi(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.branches = Branches::parallel;
    layer.attention = read_attention(config);
    layer.attention.bias = layer.attention.output_bias = true;
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.feed_forward = {.hidden = layer.attention.hidden,
                          .intermediate = config.count({"intermediate_size", "n_inner"}),
                          .gated = false,
                          .bias = true,
                          .activation = read_activation(config, "gelu_new")};
    layer.dropout = config.number_or({"resid_pdrop"}, 0);
    Model model = decoder_of(config, layer);
    model.head_bias = true;
    return model;
}

}  // namespace

extern const Architecture phi{{"phi"},
                              {"PhiForCausalLM"},
                              "PhiConfig",
                              {{"vocab_size", 51200},
                               {"hidden_size", 2048},
                               {"intermediate_size", 8192},
                               {"num_hidden_layers", 24},
                               {"num_attention_heads", 32},
                               {"max_position_embeddings", 2048}},
                              build_phi};

}  // namespace plimsoll::architecture
