// Bamba: Mamba 2 mixers with attention in the layers that attn_layer_indices lists, a gated feed-forward in each.
// Source: transformers, models/bamba/configuration_bamba.py and modeling_bamba.py.
#include <algorithm>

#include "model/build/blocks.h"
#include "model/build/layer.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    const AttentionShape attention = read_layer(config).attention;
    const Traced& hidden = attention.hidden;
    const Mamba2Shape mixer =
        read_mamba2(config, hidden, Traced::name(Made::term, "inner_width", config.count({"mamba_expand"}) * hidden));
    FeedForwardShape feed_forward{hidden, config.count({"intermediate_size"})};
    feed_forward.bias = config.flag_or({"mlp_bias"}, false);
    std::vector<NamedBlock> kinds;
    for (const bool attends : {false, true}) {
        Block layer;
        append_mixed(layer, hidden, [&] {
            attends ? append_attention(layer, attention, "normed", "mixed")
                    : append_mamba2(layer, mixer, "normed", "mixed");
        });
        append_dense(layer, feed_forward);
        kinds.push_back({attends ? "attention_layer" : "mamba_layer", std::move(layer)});
    }
    Model model = decoder(config, hidden, Norm::Kind::rms, false, {});
    std::vector<unsigned short> order(model.order.size());
    if (const std::vector<double>* listed = config.numbers("attn_layer_indices"))
        for (size_t index = 0; index < order.size(); ++index)
            order[index] = std::find(listed->begin(), listed->end(), static_cast<double>(index)) != listed->end();
    set_pattern(config, model, std::move(kinds), std::move(order));
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
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
                                build};

}  // namespace plimsoll::architecture
