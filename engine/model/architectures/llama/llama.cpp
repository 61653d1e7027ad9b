// Llama 1-3 and the many models that use its class: RMSNorm, rotary grouped-query attention, gated feed-forward.
// Source: transformers, models/llama/configuration_llama.py and modeling_llama.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_llama(Reader& config) {
    LayerShape shape = read_layer(config);
    shape.feed_forward.intermediate = config.count({"intermediate_size"});
    shape.feed_forward.bias = config.flag_or({"mlp_bias"}, false);
    return decoder_of(config, shape);
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
                                build_llama};

}  // namespace plimsoll::architecture
