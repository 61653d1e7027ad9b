// GPT-Neo: GPT-2's layer with separate q, k and v without biases. Every second layer looks at 256 tokens only, by its
// mask: the cache holds all of them.
// Source: transformers, models/gpt_neo/configuration_gpt_neo.py and modeling_gpt_neo.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_gpt_neo(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.output_bias = true;
    layer.attention.rotary = false;
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.dropout = config.number_or({"resid_dropout"}, 0);
    const Traced& hidden = layer.attention.hidden;
    layer.feed_forward = {.hidden = hidden,
                          .intermediate = config.count_or({"intermediate_size"}, Traced(4) * hidden,
                                                          "not stated: four times the hidden width"),
                          .gated = false,
                          .bias = true,
                          .activation = read_activation(config, "gelu_new")};
    Model model = decoder_of(config, layer, true);
    model.embedding.ops.push_back(Lookup{"position_embedding", Part::embedding,
                                         config.count({"max_position_embeddings"}), hidden, true, "positions"});
    return model;
}

}  // namespace

extern const Architecture gpt_neo{{"gpt_neo"},
                                  {"GPTNeoForCausalLM"},
                                  "GPTNeoConfig",
                                  {{"vocab_size", 50257},
                                   {"max_position_embeddings", 2048},
                                   {"hidden_size", 2048},
                                   {"num_layers", 24},
                                   {"num_heads", 16}},
                                  build_gpt_neo};

}  // namespace plimsoll::architecture
