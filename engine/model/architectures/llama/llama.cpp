// Llama 1-3 and the many models that use its class: RMSNorm, rotary grouped-query attention, gated feed-forward.
// Source: transformers, models/llama/configuration_llama.py and modeling_llama.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    AttentionShape attention = read_attention(config);
    attention.bias = attention.output_bias = config.flag_or({"attention_bias"}, false);
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    FeedForwardShape feed_forward{attention.hidden, config.count({"intermediate_size"})};
    feed_forward.bias = config.flag_or({"mlp_bias"}, false);
    Model model = decoder(config, attention.hidden, Norm::Kind::rms, false,
                          sequential_layer(attention, feed_forward, Norm::Kind::rms));
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
}

}  // namespace

extern const Architecture llama{{"llama"},
                                {"LlamaForCausalLM"},
                                "LlamaConfig",
                                {{"vocab_size", 32000},
                                 {"hidden_size", 4096},
                                 {"intermediate_size", 11008},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 32},
                                 {"max_position_embeddings", 2048}},
                                build};

}  // namespace plimsoll::architecture
