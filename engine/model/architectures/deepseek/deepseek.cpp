// DeepSeek-MoE-16B (remote code): Llama's attention; routed and shared experts after the first dense layers.
// Source: modeling_deepseek.py and configuration_deepseek.py of deepseek-moe-16b-base.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_deepseek(Reader& config) {
    const LayerShape shape = read_dense_layer(config);
    if (!config.optional_count({"n_routed_experts"})) return decoder_of(config, shape);
    return mixture_decoder(config, shape, read_mixture(config));
}

}  // namespace

extern const Architecture deepseek{{"deepseek"},
                                   {"DeepseekForCausalLM"},
                                   "DeepseekConfig",
                                   {{"vocab_size", 102400},
                                    {"hidden_size", 4096},
                                    {"intermediate_size", 11008},
                                    {"moe_intermediate_size", 1407},
                                    {"num_hidden_layers", 30},
                                    {"num_attention_heads", 32},
                                    {"max_position_embeddings", 2048}},
                                   build_deepseek};

}  // namespace plimsoll::architecture
