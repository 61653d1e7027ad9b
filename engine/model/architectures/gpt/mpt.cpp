// MPT: GPT's layer with ALiBi and without any bias, that of the norms included.
// Source: transformers, models/mpt/configuration_mpt.py and modeling_mpt.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_mpt(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.kv_heads = config.optional_count({"attn_config.kv_n_heads"}).value_or(layer.attention.heads);
    layer.attention.fused = true;
    layer.attention.rotary = false;
    layer.attention.dropout = config.number_or({"attn_config.attn_pdrop"}, 0);
    layer.norm_bias = false;
    layer.dropout = layer.attention.dropout;
    const Traced& hidden = layer.attention.hidden;
    layer.feed_forward = {.hidden = hidden, .intermediate = config.count({"expansion_ratio"}) * hidden, .gated = false};
    Model model = decoder_of(config, layer, true);
    model.context_limit = config.number_or({"max_seq_len"}, 0);
    return model;
}

}  // namespace

extern const Architecture mpt{{"mpt"},
                              {"MptForCausalLM", "MPTForCausalLM"},
                              "MptConfig",
                              {{"vocab_size", 50368},
                               {"d_model", 2048},
                               {"n_heads", 16},
                               {"n_layers", 24},
                               {"expansion_ratio", 4},
                               {"max_seq_len", 2048}},
                              build_mpt};

}  // namespace plimsoll::architecture
