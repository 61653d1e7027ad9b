// Jamba: one attention layer in eight among Mamba 1 mixers (with norms on Δ, B and C), experts in every second layer;
// no positions at all. Source: transformers, models/jamba/configuration_jamba.py and modeling_jamba.py.
#include "model/build/decoder.h"
#include "model/build/sub_layers/mixers.h"

namespace plimsoll::architecture {
namespace {

MambaShape read_mixer(Reader& config, const Traced& hidden) {
    MambaShape mixer;
    mixer.hidden = hidden;
    mixer.inner = Traced::name(Made::term, "inner_width", config.count({"mamba_expand"}) * hidden);
    mixer.state = config.count({"mamba_d_state"});
    mixer.kernel = config.count({"mamba_d_conv"});
    mixer.rank = count_or_auto(config, "mamba_dt_rank", ceiling(hidden / Traced(16)));
    mixer.bias = config.flag_or({"mamba_proj_bias"}, false);
    mixer.conv_bias = config.flag_or({"mamba_conv_bias"}, true);
    mixer.inner_norms = true;
    return mixer;
}

// 1 for each `period`th layer, from `offset` on.
Pattern recurring(Reader& config, const char* period_field, const char* offset_field, double first) {
    const double period = config.count({period_field}).value(), offset = config.number_or({offset_field}, first);
    return pattern_by(config, [=](double index) { return index - period * rounded_down(index / period) == offset; });
}

Model build_jamba(Reader& config) {
    LayerShape attention;
    attention.attention = read_attention(config);
    attention.attention.rotary = false;
    attention.attention.dropout = config.number_or({"attention_dropout"}, 0);
    const Traced& hidden = attention.attention.hidden;
    const MambaShape mixer = read_mixer(config, hidden);
    attention.feed_forward = {.hidden = hidden, .intermediate = config.count({"intermediate_size"})};
    LayerShape attention_experts = attention;
    MixtureShape& mixture = attention_experts.mixture.emplace();
    mixture.experts = config.count({"num_experts", "num_local_experts"});
    read_choices(config, mixture, {"num_experts_per_tok"});
    mixture.intermediate = attention.feed_forward.intermediate;
    LayerShape recurrent = attention, recurrent_experts = attention_experts;
    recurrent.mixer = recurrent_experts.mixer = mamba(mixer);
    Pattern pattern = recurring(config, "attn_layer_period", "attn_layer_offset", 4);
    const Pattern experts = recurring(config, "expert_layer_period", "expert_layer_offset", 1);
    if (mixture.experts.value() > 1) pattern = combined(std::move(pattern), experts);
    return decoder_of(config,
                      {{"mamba_layer", &recurrent},
                       {"attention_layer", &attention},
                       {"mamba_expert_layer", &recurrent_experts},
                       {"attention_expert_layer", &attention_experts}},
                      pattern, false, KindCounts::each);
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
                                build_jamba};

}  // namespace plimsoll::architecture
