// State space models and models of several kinds of layer. Source: llama.cpp,
// conversion/{mamba,falcon_h1,granite,nemotron, deci,jamba,lfm2,minimax}.py.
#include <cmath>

#include "engine/formats/gguf_rules.h"

namespace plimsoll::test {

void write_falcon_h1(Conversion& c) {
    write_text_model(c);
    const double inner = c.hp.at("mamba_d_ssm");
    c.out.put("ssm.conv_kernel", c.hp.at("mamba_d_conv"));
    c.out.put("ssm.inner_size", inner);
    c.out.put("ssm.state_size", c.hp.at("mamba_d_state"));
    c.out.put("ssm.time_step_rank", inner / c.hp.at("mamba_d_head", inner / c.hp.at("mamba_n_heads")));
    c.out.put("ssm.group_count", c.hp.at("mamba_n_groups"));
}

void write_granite(Conversion& c) {
    write_llama(c);
    if (const double shared = c.hp.at("shared_intermediate_size"); shared > 0)
        c.out.put("expert_shared_feed_forward_length", shared);
}

void write_granite_hybrid(Conversion& c) {
    write_granite(c);
    auto types = c.hp.words("layer_types");
    if (types.empty()) types = c.hp.words("layers_block_type");
    c.out.put("ssm.conv_kernel", c.hp.at("mamba_d_conv"));
    c.out.put("ssm.state_size", c.hp.at("mamba_d_state"));
    c.out.put("ssm.group_count", c.hp.at("mamba_n_groups"));
    c.out.put("ssm.inner_size", c.hp.at("mamba_expand") * c.hp.at("hidden_size"));
    c.out.put("ssm.time_step_rank", c.hp.at("mamba_n_heads"));
    c.put_where("attention.head_count_kv", *c.hp.number({"num_key_value_heads", "num_attention_heads"}),
                [&types](size_t layer) { return types[layer] == "attention"; });
}

void write_nemotron_h(Conversion& c) {
    write_text_model(c);
    std::string pattern = c.hp.text("hybrid_override_pattern");
    if (pattern.empty())
        for (const std::string& word : c.hp.words("layers_block_type"))
            pattern += word == "mamba" ? 'M' : word == "attention" ? '*' : word == "moe" ? 'E' : '-';
    const bool experts = pattern.find('E') != std::string::npos;
    const double prediction = experts ? c.hp.at("num_nextn_predict_layers") : 0;
    const double layers = static_cast<double>(pattern.size()) + prediction, heads = c.hp.at("mamba_num_heads");
    for (double i = 0; i < prediction; ++i) pattern += "+";  // attention and experts in one block
    const auto put = [&](const char* key, double value, char kind) {
        std::vector<double> list;
        for (const char letter : pattern) list.push_back(letter == kind || letter == '+' ? value : 0);
        c.out.put(key, list);
    };
    c.out.put("block_count", layers);
    c.put("attention.key_length", {"head_dim", "attention_head_dim"});
    put("attention.head_count_kv", c.hp.at("num_key_value_heads"), '*');
    if (experts)
        put("feed_forward_length", c.hp.at("moe_intermediate_size"), 'E');
    else
        put("feed_forward_length", c.hp.at("intermediate_size"), '-');
    c.out.put("ssm.conv_kernel", c.hp.at("conv_kernel"));
    c.out.put("ssm.state_size", c.hp.at("ssm_state_size"));
    c.out.put("ssm.group_count", c.hp.at("n_groups"));
    c.out.put("ssm.inner_size", heads * c.hp.at("mamba_head_dim"));
    c.out.put("ssm.time_step_rank", heads);
    c.drop("mamba_ssm_cache_dtype");  // llama.cpp keeps every state in 32 bits
    if (!experts) return;
    c.put("expert_feed_forward_length", {"moe_intermediate_size"});
    c.put("expert_shared_feed_forward_length", {"moe_shared_expert_intermediate_size"});
    c.put("expert_count", {"n_routed_experts"});
    c.put("expert_shared_count", {"n_shared_experts"});
    c.put("moe_latent_size", {"moe_latent_size"});
    if (prediction > 0) c.out.put("nextn_predict_layers", prediction);
    c.result.prediction = prediction > 0;
}

void write_deci(Conversion& c) {
    write_text_model(c);
    const double heads = c.hp.at("num_attention_heads"), hidden = c.hp.at("hidden_size");
    std::vector<double> all, kv, widths;
    for (size_t layer = 0; layer < static_cast<size_t>(c.layers()); ++layer) {
        const std::string at = "block_configs." + std::to_string(layer) + ".";
        const auto group = c.hp.number({(at + "attention.n_heads_in_group").c_str()});
        const auto multiple = c.hp.number({(at + "ffn.ffn_mult").c_str()});
        kv.push_back(group ? heads / *group : 0);
        all.push_back(group || c.hp.flag((at + "attention.replace_with_linear").c_str(), false) ? heads : 0);
        widths.push_back(256 * std::ceil(std::floor(2 * multiple.value_or(0) * hidden / 3) / 256));
    }
    c.out.put("attention.head_count_kv", kv);
    c.out.put("attention.head_count", all);
    c.out.put("feed_forward_length", widths);
    c.out.put("attention.key_length", hidden / heads);
}

void write_jamba(Conversion& c) {
    write_text_model(c);
    const double hidden = c.hp.at("hidden_size");
    const auto offset = static_cast<size_t>(c.hp.at("attn_layer_offset", 4)),
               period = static_cast<size_t>(c.hp.at("attn_layer_period"));
    c.put_where("attention.head_count_kv", c.hp.at("num_key_value_heads"),
                [=](size_t layer) { return layer % period == offset; });
    c.out.put("ssm.conv_kernel", c.hp.at("mamba_d_conv"));
    c.out.put("ssm.inner_size", c.hp.at("mamba_expand") * hidden);
    c.out.put("ssm.state_size", c.hp.at("mamba_d_state"));
    c.out.put("ssm.time_step_rank", c.hp.at("mamba_dt_rank", std::ceil(hidden / 16)));
}

void write_mamba(Conversion& c) {
    const double hidden = *c.hp.number({"hidden_size", "d_model"});
    c.out.put("context_length", 1048576.0);
    c.out.put("embedding_length", hidden);
    c.out.put("feed_forward_length", 0.0);
    c.out.put("attention.head_count", 0.0);
    c.out.put("block_count", c.layers());
    c.out.put("ssm.conv_kernel", c.hp.number({"conv_kernel", "d_conv"}).value_or(4));
    c.out.put("ssm.inner_size", c.hp.number({"intermediate_size", "d_inner"}).value_or(2 * hidden));
    c.out.put("ssm.state_size", c.hp.number({"state_size", "d_state"}).value_or(16));
    c.out.put("ssm.time_step_rank", c.hp.number({"time_step_rank", "dt_rank"}).value_or(std::ceil(hidden / 16)));
}

void write_lfm2(Conversion& c) {
    write_text_model(c);
    const auto types = c.hp.words("layer_types");
    const auto full = c.hp.numbers("full_attn_idxs");
    c.put_where("attention.head_count_kv", c.hp.at("num_key_value_heads"), [&](size_t layer) {
        if (!types.empty()) return types[layer] == "full_attention";
        for (const double index : full)
            if (index == static_cast<double>(layer)) return true;
        return full.empty();
    });
    c.out.put("shortconv.l_cache", c.hp.at("conv_L_cache"));
    c.put("vocab_size", {"vocab_size"});
    c.style.short_convolution = true;
    if (c.hp.number({"num_experts"})) {
        c.put("expert_feed_forward_length", {"moe_intermediate_size"});
        c.out.put("leading_dense_block_count", c.hp.at("num_dense_layers", 2));
        return;
    }
    double width = *c.hp.number({"block_ff_dim", "intermediate_size"});
    if (c.hp.flag("block_auto_adjust_ff_dim", true)) {
        const double multiple = c.hp.at("block_multiple_of", 256);
        width = std::floor(c.hp.at("block_ffn_dim_multiplier", 1) * std::floor(2 * width / 3));
        width = multiple * std::ceil(width / multiple);
    }
    c.out.put("feed_forward_length", width);
}

void write_mamba2(Conversion& c) {
    write_mamba(c);
    const double hidden = *c.hp.number({"hidden_size", "d_model"}), inner = c.hp.at("expand") * hidden;
    c.out.put("ssm.inner_size", inner);
    c.out.put("ssm.time_step_rank", inner / c.hp.at("head_dim", 64));
    c.out.put("ssm.group_count", c.hp.at("n_groups", 1));
}

// Which layers attend, only the tensors tell.
void write_minimax(Conversion& c) {
    write_text_model(c);
    c.out.put("rope.dimension_count", c.hp.at("rotary_dim", 64));
}

}  // namespace plimsoll::test
