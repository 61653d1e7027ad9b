// MiniMax-M2: norms over the whole query and key projections, a mixture of experts in every layer. The router's
// correction bias is a buffer. Source: transformers, models/minimax_m2/configuration_minimax_m2.py and
// modeling_minimax_m2.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_minimax_m2(Reader& config) {
    LayerShape shape = read_layer(config);
    shape.attention.qk_norm = config.flag_or({"use_qk_norm"}, true) ? QueryKeyNorm::whole : QueryKeyNorm::none;
    shape.mixture = read_mixture(config);
    shape.mixture->correction_buffer = true;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture minimax_m2{{"minimax_m2"},
                                     {"MiniMaxM2ForCausalLM"},
                                     "MiniMaxM2Config",
                                     {{"vocab_size", 200064},
                                      {"hidden_size", 3072},
                                      {"intermediate_size", 1536},
                                      {"num_hidden_layers", 62},
                                      {"num_attention_heads", 48},
                                      {"num_key_value_heads", 8},
                                      {"head_dim", 128},
                                      {"num_local_experts", 256},
                                      {"num_experts_per_tok", 8},
                                      {"max_position_embeddings", 196608}},
                                     build_minimax_m2};

}  // namespace plimsoll::architecture
