// Models whose layers are of several kinds: llama.cpp writes a number of key-value heads, or a feed-forward width, for
// each layer, and zero where a layer has none. Source: llama.cpp,
// conversion/{deci,nemotron,granite,jamba,minimax,lfm2,gemma,deepseek}.py.
#include <algorithm>
#include <cmath>

#include "formats/gguf/gguf_draft.h"

namespace plimsoll {
namespace {

constexpr const char *heads_key = "attention.head_count", *kv_heads_key = "attention.head_count_kv",
                     *width_key = "feed_forward_length";

void set_kv_heads(GgufDraft& draft) {
    if (const double heads = draft.number(kv_heads_key); heads > 0) draft.set("num_key_value_heads", heads);
}

/// The first layer of those that come again every `period`, and that period; one that comes once has the model's
/// length.
struct Recurring {
    double first = 0, period = 1;
};

Recurring recurring(double count, double first, double last, double layers) {
    return {first, count > 1 ? (last - first) / (count - 1) : std::max(1.0, layers)};
}

}  // namespace

void finish_deci(GgufDraft& draft) {
    const auto heads = draft.per_layer(heads_key), kv_heads = draft.per_layer(kv_heads_key),
               widths = draft.per_layer(width_key);
    const double most = draft.number(heads_key);
    draft.set("num_attention_heads", most);
    for (size_t layer = 0; layer < heads.size(); ++layer) {
        const std::string at = "block_configs." + std::to_string(layer);
        if (kv_heads[layer] > 0)
            draft.set(at + ".attention.n_heads_in_group", most / kv_heads[layer]);
        else
            draft.set(at + (heads[layer] > 0 ? ".attention.replace_with_linear" : ".attention.no_op"), true);
        if (widths[layer] > 0)
            draft.set(at + ".ffn.intermediate_size", widths[layer]);
        else
            draft.set(at + ".ffn.no_op", true);
    }
}

void finish_nemotron_h(GgufDraft& draft) {
    const auto kv_heads = draft.per_layer(kv_heads_key), widths = draft.per_layer(width_key);
    const bool experts = draft.number("expert_count") > 0;
    const auto letter = [experts](double heads, double width) {
        if (heads > 0) return '*';
        if (width <= 0) return 'M';
        return experts ? 'E' : '-';
    };
    std::string pattern;
    for (size_t layer = 0; layer < kv_heads.size(); ++layer) pattern += letter(kv_heads[layer], widths[layer]);
    draft.set("hybrid_override_pattern", std::move(pattern));
    if (draft.number("nextn_predict_layers") > 0) draft.set("mtp_hybrid_override_pattern", std::string("*E"));
    set_kv_heads(draft);
    draft.set("intermediate_size", draft.number(width_key));
    const double heads = std::max(1.0, draft.number("ssm.time_step_rank"));
    draft.set("mamba_head_dim", draft.number("ssm.inner_size") / heads);
    draft.set_stored("mamba_proj_bias", "blk.ssm_in.bias");
    draft.set_stored("use_conv_bias", "blk.ssm_conv1d.bias");
}

// Files of plain attention layers have the names `granite` and `granitemoe`; the latter's shared expert is this type's.
void finish_granite_hybrid(GgufDraft& draft) {
    if (!draft.has("ssm.inner_size") && !draft.has("expert_shared_feed_forward_length")) return;
    draft.set_type("granitemoehybrid");
    draft.set_layers("layer_types", draft.per_layer(kv_heads_key), "attention", "mamba");
    set_kv_heads(draft);
    const double hidden = std::max(1.0, draft.number("embedding_length"));
    if (const double inner = draft.number("ssm.inner_size"); inner > 0) draft.set("mamba_expand", inner / hidden);
    draft.set("shared_intermediate_size", draft.number("expert_shared_feed_forward_length", draft.number(width_key)));
    draft.set("num_local_experts", draft.number("expert_count"));
    draft.set_stored("mamba_proj_bias", "blk.ssm_in.bias");
    draft.set_stored("mamba_conv_bias", "blk.ssm_conv1d.bias");
}

void finish_jamba(GgufDraft& draft) {
    const auto kv_heads = draft.per_layer(kv_heads_key);
    double count = 0, first = 0, last = 0;
    for (size_t layer = 0; layer < kv_heads.size(); ++layer) {
        if (kv_heads[layer] <= 0) continue;
        last = static_cast<double>(layer);
        if (count++ == 0) first = last;
    }
    const TensorRole router = draft.role("blk.ffn_gate_inp.weight");
    const Recurring attention = recurring(count, first, last, draft.layers()),
                    experts = recurring(router.count, router.first, router.last, draft.layers());
    draft.set("attn_layer_offset", attention.first);
    draft.set("attn_layer_period", attention.period);
    draft.set("expert_layer_offset",
              router.count > 0 ? experts.first : static_cast<double>(kv_heads.size()));  // beyond the last: none
    draft.set("expert_layer_period", experts.period);
    set_kv_heads(draft);
    draft.set("mamba_expand", draft.number("ssm.inner_size") / std::max(1.0, draft.number("embedding_length")));
    draft.set_stored("mamba_proj_bias", "blk.ssm_in.bias");
    draft.set_stored("mamba_conv_bias", "blk.ssm_conv1d.bias");
}

// Only the layers with keys of their own attend to all tokens: each eighth.
void finish_minimax(GgufDraft& draft) {
    const TensorRole keys = draft.role("blk.attn_k.weight");
    const Recurring full =
        keys.count > 0 ? recurring(keys.count, keys.first, keys.last, draft.layers()) : Recurring{7, 8};
    std::vector<double> attends = draft.per_layer("");
    for (size_t layer = 0; layer < attends.size(); ++layer)
        attends[layer] = std::fmod(static_cast<double>(layer), full.period) == full.first ? 1 : 0;
    draft.set_layers("layer_types", attends, "full_attention", "linear_attention");
}

void finish_lfm2(GgufDraft& draft) {
    draft.set_layers("layer_types", draft.per_layer(kv_heads_key), "full_attention", "conv");
    set_kv_heads(draft);
    draft.set("block_auto_adjust_ff_dim", false);  // the converter has done it
    draft.set_stored("conv_bias", "blk.shortconv.conv.bias");
}

// The converter widens the table of layer embeddings to the whole vocabulary; the rank of LAuReL is no key.
void finish_gemma3n(GgufDraft& draft) {
    draft.set_rows("vocab_size_per_layer_input", "per_layer_token_embd.weight");
    draft.set_rows("laurel_rank", "blk.laurel_l.weight");
    if (auto widths = draft.per_layer(width_key); !widths.empty()) draft.set("intermediate_size", std::move(widths));
}

// The usual keys are those of the full layers, of which some have keys for values: no tensor of values.
void finish_gemma4(GgufDraft& draft) {
    if (draft.has("attention.key_length_swa")) {
        draft.set("global_head_dim", draft.number("attention.key_length"));
        draft.set("head_dim", draft.number("attention.key_length_swa"));
    }
    const auto kv_heads = draft.per_layer(kv_heads_key), windowed = draft.per_layer("attention.sliding_window_pattern"),
               widths = draft.per_layer(width_key);
    for (size_t layer = 0; layer < kv_heads.size(); ++layer)
        draft.set(windowed[layer] > 0 ? "num_key_value_heads" : "num_global_key_value_heads", kv_heads[layer]);
    draft.set("attention_k_eq_v", draft.role("blk.attn_v.weight").count < draft.role("blk.attn_k.weight").count);
    if (!widths.empty()) {
        draft.set("intermediate_size", widths.front());
        draft.set("use_double_wide_mlp", widths.back() > widths.front());
    }
    draft.set("enable_moe_block", draft.number("expert_count") > 0);
    draft.set_rows("vocab_size_per_layer_input", "per_layer_token_embd.weight");
    if (draft.number("embedding_length_per_layer_input") <= 0)
        draft.set("hidden_size_per_layer_input", std::monostate());
}

// The number of prediction layers stands in files, too, that hold none; llama.cpp looks for their tensors.
void finish_deepseek4(GgufDraft& draft) {
    const double predicting = draft.stores("blk.nextn.eh_proj.weight") ? draft.number("nextn_predict_layers") : 0;
    draft.set("num_hidden_layers", draft.number("block_count") - predicting);
    if (const auto* ratios = draft.list("attention.compress_ratios")) draft.set("compress_ratios", *ratios);
}

}  // namespace plimsoll
