// GPT-NeoX and Pythia: two LayerNorms of one input feed attention and a plain feed-forward in parallel; biases
// everywhere but at the head.
// Source: transformers, models/gpt_neox/configuration_gpt_neox.py and modeling_gpt_neox.py.
#include "model/build/blocks.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    ClassicLayer layer;
    layer.attention = read_attention(config);
    layer.attention.fused = true;
    layer.attention.bias = layer.attention.output_bias = config.flag_or({"attention_bias"}, true);
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.dropout = config.number_or({"hidden_dropout"}, 0);
    if (config.flag_or({"use_parallel_residual"}, true)) layer.order = ClassicOrder::parallel_two_norms;
    layer.feed_forward = {layer.attention.hidden,         config.count({"intermediate_size"}), false, false, true,
                          read_activation(config, "gelu")};
    Model model = classic_decoder(config, layer);
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
}

}  // namespace

extern const Architecture gpt_neox{{"gpt_neox"},
                                   {"GPTNeoXForCausalLM"},
                                   "GPTNeoXConfig",
                                   {{"vocab_size", 50432},
                                    {"hidden_size", 6144},
                                    {"intermediate_size", 24576},
                                    {"num_hidden_layers", 44},
                                    {"num_attention_heads", 64},
                                    {"max_position_embeddings", 2048}},
                                   build};

}  // namespace plimsoll::architecture
