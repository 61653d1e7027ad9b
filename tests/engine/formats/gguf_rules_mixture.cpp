// Mixtures of experts. Source: llama.cpp,
// conversion/{llama4,qwen,deepseek,glm,gpt_oss,dbrx,minimax,hunyuan,ernie,phi}.py.
#include <cmath>

#include "engine/formats/gguf_rules.h"

namespace plimsoll::test {

void write_llama4(Conversion& c) {
    write_llama(c);
    c.put("feed_forward_length", {"intermediate_size_mlp"});
    c.put("expert_feed_forward_length", {"intermediate_size"});
    c.out.put("interleave_moe_layer_step", c.hp.at("interleave_moe_layer_step", 1));
}

void write_qwen_moe(Conversion& c) {
    write_text_model(c);
    c.put("expert_feed_forward_length", {"moe_intermediate_size"});
    c.put("expert_shared_feed_forward_length", {"shared_expert_intermediate_size"});
}

void write_qwen3_next(Conversion& c) {
    write_qwen_moe(c);
    const double heads = c.hp.at("linear_num_value_heads");
    c.out.put("ssm.conv_kernel", c.hp.at("linear_conv_kernel_dim"));
    c.out.put("ssm.state_size", c.hp.at("linear_key_head_dim"));
    c.out.put("ssm.group_count", c.hp.at("linear_num_key_heads"));
    c.out.put("ssm.time_step_rank", heads);
    c.out.put("ssm.inner_size", c.hp.at("linear_value_head_dim") * heads);
    c.out.put("full_attention_interval", c.hp.at("full_attention_interval", 4));
}

void write_qwen3_5(Conversion& c) {
    write_qwen3_next(c);
    c.with_prediction();
}

void write_phimoe(Conversion& c) {
    write_phi3(c);
    c.style.fused = false;
}

void write_deepseek(Conversion& c) {
    write_text_model(c);
    c.out.put("leading_dense_block_count", c.hp.at("first_k_dense_replace"));
    c.put("vocab_size", {"vocab_size"});
    c.put("expert_feed_forward_length", {"moe_intermediate_size"});
    c.put("expert_count", {"n_routed_experts"});
    c.put("expert_shared_count", {"n_shared_experts"});
}

void write_deepseek2(Conversion& c) {
    write_deepseek(c);
    const double rank = c.hp.at("kv_lora_rank"), rope = c.hp.at("qk_rope_head_dim");
    c.out.put("attention.head_count_kv", 1.0);
    c.put("attention.q_lora_rank", {"q_lora_rank"});
    c.out.put("attention.kv_lora_rank", rank);
    c.out.put("attention.key_length", rank + rope);
    c.out.put("attention.value_length", rank);
    c.out.put("attention.key_length_mla", c.hp.at("qk_nope_head_dim") + rope);
    c.out.put("attention.value_length_mla", c.hp.at("v_head_dim"));
    c.out.put("rope.dimension_count", rope);
}

void write_glm4_moe_lite(Conversion& c) {
    write_deepseek2(c);
    c.with_prediction();
}

void write_deepseek32(Conversion& c) {
    write_deepseek2(c);
    c.put("attention.indexer.head_count", {"index_n_heads"});
    c.put("attention.indexer.key_length", {"index_head_dim"});
}

void write_deepseek4(Conversion& c) {
    write_text_model(c);
    for (const auto& [key, field] : {std::pair{"vocab_size", "vocab_size"},
                                     {"attention.q_lora_rank", "q_lora_rank"},
                                     {"attention.output_lora_rank", "o_lora_rank"},
                                     {"attention.output_group_count", "o_groups"},
                                     {"expert_count", "n_routed_experts"},
                                     {"expert_feed_forward_length", "moe_intermediate_size"},
                                     {"expert_shared_count", "n_shared_experts"},
                                     {"attention.sliding_window", "sliding_window"},
                                     {"attention.indexer.head_count", "index_n_heads"},
                                     {"attention.indexer.key_length", "index_head_dim"},
                                     {"nextn_predict_layers", "num_nextn_predict_layers"},
                                     {"hyper_connection.count", "hc_mult"}})
        c.put(key, {field});
    c.out.put("attention.compress_ratios", c.hp.numbers("compress_ratios"));
}

void write_glm_dsa(Conversion& c) {
    write_deepseek32(c);
    c.with_prediction();
    if (const auto types = c.hp.words("indexer_types"); !types.empty()) {
        std::vector<bool> full;
        for (const std::string& type : types) full.push_back(type == "full");
        c.out.put_flags("attention.indexer.types", full);
    }
}

void write_glm4_moe(Conversion& c) {
    write_text_model(c);
    c.put("expert_count", {"n_routed_experts"});
    c.put("expert_feed_forward_length", {"moe_intermediate_size"});
    c.put("expert_shared_count", {"n_shared_experts"});
    c.put("leading_dense_block_count", {"first_k_dense_replace"});
    c.with_prediction();
}

void write_gpt_oss(Conversion& c) {
    write_windowed(c);
    c.put("expert_feed_forward_length", {"intermediate_size"});
}

void write_dbrx(Conversion& c) {
    c.out.put("block_count", c.hp.at("n_layers"));
    c.out.put("context_length", c.hp.at("max_seq_len"));
    c.out.put("embedding_length", c.hp.at("d_model"));
    c.out.put("feed_forward_length", c.hp.at("ffn_config.ffn_hidden_size"));
    c.out.put("attention.head_count", c.hp.at("n_heads"));
    c.out.put("attention.head_count_kv", c.hp.at("attn_config.kv_n_heads"));
    c.out.put("expert_count", c.hp.at("ffn_config.moe_num_experts"));
    c.out.put("expert_used_count", c.hp.at("ffn_config.moe_top_k"));
    c.style.fused = true;
}

void write_minimax_m2(Conversion& c) {
    write_text_model(c);
    c.put("expert_feed_forward_length", {"intermediate_size"});
}

void write_hunyuan_moe(Conversion& c) {
    write_text_model(c);
    const auto first = [&c](const char* name) {
        const auto list = c.hp.numbers(name);
        return list.empty() ? c.hp.at(name) : list.front();
    };
    c.put("expert_shared_feed_forward_length", {"intermediate_size"});
    c.out.put("expert_feed_forward_length", c.hp.at("intermediate_size"));
    c.out.put("expert_count", first("num_experts"));
    c.out.put("expert_used_count", first("moe_topk"));
    c.out.put("expert_shared_count", 1.0);
}

void write_ernie_moe(Conversion& c) {
    write_text_model(c);
    c.put("expert_count", {"moe_num_experts"});
    c.put("expert_used_count", {"moe_k"});
    c.out.put("interleave_moe_layer_step", c.hp.at("moe_layer_interval", 1));
    c.out.put("leading_dense_block_count", c.hp.at("moe_layer_start_index", 1));
    c.put("expert_feed_forward_length", {"moe_intermediate_size"});
    c.put("expert_shared_count", {"moe_num_shared_experts"});
}

}  // namespace plimsoll::test
