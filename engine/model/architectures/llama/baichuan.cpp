// Baichuan 1 and 2: Llama's layer with q, k and v in one matrix; ALiBi in place of rotation in the 13B, which alone
// states no number of positions.
// Source: the modeling_baichuan.py of the models' own repositories.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_baichuan(Reader& config) {
    LayerShape layer;
    layer.attention = read_attention(config);
    layer.attention.fused = true;
    layer.attention.rotary = config.has("max_position_embeddings") || layer.attention.heads.value() == 32;
    layer.feed_forward = {.hidden = layer.attention.hidden, .intermediate = config.count({"intermediate_size"})};
    Model model = decoder_of(config, layer);
    if (model.context_limit == 0) model.context_limit = config.number_or({"model_max_length"}, 0);
    return model;
}

}  // namespace

extern const Architecture baichuan{{"baichuan"},
                                   {"BaichuanForCausalLM", "BaiChuanForCausalLM"},
                                   "BaichuanConfig",
                                   {{"vocab_size", 125696},
                                    {"hidden_size", 4096},
                                    {"intermediate_size", 11008},
                                    {"num_hidden_layers", 32},
                                    {"num_attention_heads", 32}},
                                   build_baichuan};

}  // namespace plimsoll::architecture
