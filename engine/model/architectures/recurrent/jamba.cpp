// Jamba: one attention layer in eight among Mamba 1 mixers (with norms on Δ, B and C), experts in every second layer;
// no positions at all. Source: transformers, models/jamba/configuration_jamba.py and modeling_jamba.py.
#include "model/build/blocks.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    AttentionShape attention = read_attention(config);
    attention.rotary = false;
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    const Traced& hidden = attention.hidden;
    MambaShape mixer;
    mixer.hidden = hidden;
    mixer.inner = Traced::name(Made::term, "inner_width", config.count({"mamba_expand"}) * hidden);
    mixer.state = config.count({"mamba_d_state"});
    mixer.kernel = config.count({"mamba_d_conv"});
    mixer.rank = count_or_auto(config, "mamba_dt_rank", ceiling(hidden / Traced(16)));
    mixer.bias = config.flag_or({"mamba_proj_bias"}, false);
    mixer.conv_bias = config.flag_or({"mamba_conv_bias"}, true);
    mixer.inner_norms = true;
    const FeedForwardShape feed_forward{hidden, config.count({"intermediate_size"})};
    const Traced experts = config.count({"num_experts", "num_local_experts"}),
                 active = config.count({"num_experts_per_tok"});
    std::vector<NamedBlock> kinds;
    for (const char* name : {"mamba_layer", "attention_layer", "mamba_expert_layer", "attention_expert_layer"}) {
        Block layer;
        const size_t kind = kinds.size();
        append_mixed(layer, hidden, [&] {
            kind % 2 ? append_attention(layer, attention, "normed", "mixed")
                     : append_mamba(layer, mixer, "normed", "mixed");
        });
        if (kind < 2)
            append_dense(layer, feed_forward);
        else
            append_experts(layer, Experts{Part::experts, experts, active, hidden, feed_forward.intermediate, {}, {}},
                           nullptr, false);
        kinds.push_back({name, std::move(layer)});
    }
    Model model = decoder(config, hidden, Norm::Kind::rms, false, {});
    const int attention_period = static_cast<int>(config.count({"attn_layer_period"}).value()),
              expert_period = static_cast<int>(config.count({"expert_layer_period"}).value());
    const int attention_offset = static_cast<int>(config.number_or({"attn_layer_offset"}, 4)),
              expert_offset = static_cast<int>(config.number_or({"expert_layer_offset"}, 1));
    std::vector<unsigned short> order(model.order.size());
    for (int index = 0; index < static_cast<int>(order.size()); ++index)
        order[static_cast<size_t>(index)] =
            static_cast<unsigned short>((index % attention_period == attention_offset ? 1 : 0) +
                                        (experts.value() > 1 && index % expert_period == expert_offset ? 2 : 0));
    set_pattern(config, model, std::move(kinds), std::move(order));
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
}

}  // namespace

extern const Architecture jamba{{"jamba"},
                                {"JambaForCausalLM"},
                                "JambaConfig",
                                {{"vocab_size", 65536},
                                 {"hidden_size", 4096},
                                 {"intermediate_size", 14336},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 32},
                                 {"num_key_value_heads", 8},
                                 {"max_position_embeddings", 262144},
                                 {"num_experts_per_tok", 2},
                                 {"num_experts", 16},
                                 {"expert_layer_period", 2},
                                 {"attn_layer_period", 8},
                                 {"mamba_d_state", 16},
                                 {"mamba_d_conv", 4},
                                 {"mamba_expand", 2}},
                                build};

}  // namespace plimsoll::architecture
