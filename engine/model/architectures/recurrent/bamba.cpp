// Bamba: Mamba 2 mixers with attention in the layers that attn_layer_indices lists, a gated feed-forward in each.
// Source: transformers, models/bamba/configuration_bamba.py and modeling_bamba.py.
#include "model/build/decoder.h"
#include "model/build/sub_layers/mixers.h"

namespace plimsoll::architecture {
namespace {

Model build_bamba(Reader& config) {
    LayerShape attention = read_layer(config);
    const Traced& hidden = attention.attention.hidden;
    const Mamba2Shape mixer =
        read_mamba2(config, hidden, Traced::name(Made::term, "inner_width", config.count({"mamba_expand"}) * hidden));
    attention.feed_forward.intermediate = config.count({"intermediate_size"});
    attention.feed_forward.bias = config.flag_or({"mlp_bias"}, false);
    LayerShape recurrent = attention;
    recurrent.mixer = mamba2(mixer);
    const auto attends = layers_listed(config, "attn_layer_indices");
    return decoder_of(config, {{"mamba_layer", &recurrent}, {"attention_layer", &attention}},
                      attends ? *attends : Pattern(layer_count(config)), false, KindCounts::each);
}

}  // namespace

extern const Architecture bamba{{"bamba"},
                                {"BambaForCausalLM"},
                                "BambaConfig",
                                {{"vocab_size", 128000},
                                 {"hidden_size", 4096},
                                 {"intermediate_size", 14336},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 32},
                                 {"num_key_value_heads", 8},
                                 {"max_position_embeddings", 262144},
                                 {"mamba_n_heads", 128},
                                 {"mamba_n_groups", 1},
                                 {"mamba_d_state", 256},
                                 {"mamba_d_conv", 4},
                                 {"mamba_expand", 2}},
                                build_bamba};

}  // namespace plimsoll::architecture
