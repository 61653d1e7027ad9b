// Models of one kind of layer. Source: llama.cpp, conversion/base.py (TextModel) and the file of each model.
#include <cmath>

#include "engine/formats/gguf_rules.h"

namespace plimsoll::test {

// TextModel.set_gguf_parameters
void write_text_model(Conversion& c) {
    c.out.put("block_count", c.layers());
    c.put("context_length",
          {"max_position_embeddings", "n_ctx", "n_positions", "max_length", "max_sequence_length", "model_max_length"});
    c.put("embedding_length", {"hidden_size", "n_embd", "dim"});
    c.put("feed_forward_length", {"intermediate_size", "n_inner", "hidden_dim"});
    c.put("attention.head_count", {"num_attention_heads", "n_head", "n_heads"});
    c.put("attention.head_count_kv", {"num_key_value_heads", "n_kv_heads"});
    c.put("expert_count", {"num_local_experts", "num_experts"});
    if (c.hp.number({"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}))
        c.put("expert_used_count", {"num_experts_per_tok", "num_experts_per_token", "top_k_experts"});
    c.put("attention.key_length", {"head_dim"});
    c.put("attention.value_length", {"head_dim"});
}

void write_llama(Conversion& c) {
    write_text_model(c);
    c.put("vocab_size", {"vocab_size"});
    c.drop("sliding_window");  // Mistral's: neither written nor run
}

void write_gemma(Conversion& c) {
    write_text_model(c);
    c.put("attention.sliding_window", {"sliding_window"});
    c.out.put_real("attn_logit_softcapping", c.hp.at("attn_logit_softcapping"));
}

void write_gemma3(Conversion& c) {
    write_text_model(c);
    if (c.hp.at("sliding_window_pattern", 6) != 1) c.put("attention.sliding_window", {"sliding_window"});
}

namespace {

void write_window_flags(Conversion& c) {
    std::vector<bool> windowed;
    for (const std::string& type : c.hp.words("layer_types")) windowed.push_back(type == "sliding_attention");
    for (size_t layer = windowed.size(); layer < static_cast<size_t>(c.layers()); ++layer)
        windowed.push_back((layer + 1) % 5 != 0);  // Gemma3nTextConfig's own
    c.out.put_flags("attention.sliding_window_pattern", windowed);
}

void write_layer_embeddings(Conversion& c) {
    c.out.put("embedding_length_per_layer_input", c.hp.at("hidden_size_per_layer_input"));
    c.out.put("attention.shared_kv_layers", c.hp.at("num_kv_shared_layers"));
}

}  // namespace

void write_gemma3n(Conversion& c) {
    write_gemma3(c);
    write_layer_embeddings(c);
    write_window_flags(c);
    c.put("altup.num_inputs", {"altup_num_inputs"});
    if (const auto widths = c.hp.numbers("intermediate_size"); !widths.empty())
        c.out.put("feed_forward_length", widths);
    c.style.layer_tokens = c.hp.at("vocab_size");
    c.result.config.values[c.prefix + "vocab_size_per_layer_input"] = c.hp.at("vocab_size");
}

void write_gemma4(Conversion& c) {
    write_gemma3(c);
    write_layer_embeddings(c);
    write_window_flags(c);
    c.put("attention.key_length", {"global_head_dim"});
    c.put("attention.key_length_swa", {"head_dim"});
    c.put("expert_feed_forward_length", {"expert_intermediate_size", "moe_intermediate_size"});
    const double width = c.hp.at("intermediate_size"), own = c.layers() - c.hp.at("num_kv_shared_layers");
    const auto borrows = [own](size_t layer) { return static_cast<double>(layer) >= own; };
    std::vector<double> widths, kv_heads;
    const std::vector<std::string> types = c.hp.words("layer_types");
    for (size_t layer = 0; layer < static_cast<size_t>(c.layers()); ++layer) {
        widths.push_back(borrows(layer) ? 2 * width : width);
        kv_heads.push_back(types[layer] == "sliding_attention" ? c.hp.at("num_key_value_heads")
                                                               : c.hp.at("num_global_key_value_heads"));
    }
    if (c.hp.flag("use_double_wide_mlp", false)) c.out.put("feed_forward_length", widths);
    if (c.hp.number({"num_global_key_value_heads"})) c.out.put("attention.head_count_kv", kv_heads);
}

void write_phi2(Conversion& c) {
    write_text_model(c);
    c.out.put("feed_forward_length", 4 * c.hp.at("hidden_size"));
}

void write_phi3(Conversion& c) {
    write_text_model(c);
    c.out.put("attention.sliding_window", c.hp.at("sliding_window"));
    c.style.fused = true;
}

void write_chatglm(Conversion& c) {
    write_text_model(c);
    const double heads = c.hp.at("num_attention_heads");
    c.out.put("feed_forward_length", *c.hp.number({"ffn_hidden_size", "intermediate_size"}));
    c.out.put("attention.head_count_kv", c.hp.number({"multi_query_group_num", "num_key_value_heads"}).value_or(heads));
    c.put("context_length", {"seq_length"});
    c.style.fused = true;
}

void write_windowed(Conversion& c) {
    write_text_model(c);
    c.put("attention.sliding_window", {"sliding_window"});
    c.put("vocab_size", {"vocab_size"});
}

void write_falcon(Conversion& c) {
    const double hidden = c.hp.at("hidden_size");
    c.out.put("context_length", 2048.0);
    c.out.put("embedding_length", hidden);
    c.out.put("feed_forward_length", 4 * hidden);
    c.out.put("block_count", c.layers());
    c.out.put("attention.head_count", *c.hp.number({"num_attention_heads", "n_head"}));
    c.out.put("attention.head_count_kv", c.hp.number({"num_kv_heads", "n_head_kv"}).value_or(1));
    c.style.fused = c.style.norm_per_branch = true;
}

void write_gpt2(Conversion& c) {
    const double hidden = *c.hp.number({"n_embd", "hidden_size"});
    c.out.put("block_count", c.layers());
    c.put("context_length", {"n_ctx", "n_positions"});
    c.out.put("embedding_length", hidden);
    c.out.put("feed_forward_length", 4 * hidden);
    c.put("attention.head_count", {"n_head", "num_attention_heads"});
    c.style.fused = true;
}

void write_starcoder(Conversion& c) {
    write_gpt2(c);
    c.out.put("attention.head_count_kv", 1.0);
}

void write_starcoder2(Conversion& c) {
    write_text_model(c);
    c.drop("sliding_window");
}

void write_gpt_neox(Conversion& c) {
    write_text_model(c);
    c.out.put("use_parallel_residual", c.hp.flag("use_parallel_residual", true));
    c.style.fused = true;
}

void write_bloom(Conversion& c) {
    write_text_model(c);
    const double heads = *c.hp.number({"n_head", "num_attention_heads"});
    c.out.put("feed_forward_length", 4 * c.hp.at("hidden_size"));
    c.out.put("attention.head_count_kv", heads);
    c.style.fused = true;
}

void write_mpt(Conversion& c) {
    c.out.put("context_length", c.hp.at("max_seq_len"));
    c.out.put("embedding_length", c.hp.at("d_model"));
    c.out.put("block_count", c.hp.at("n_layers"));
    c.out.put("feed_forward_length", 4 * c.hp.at("d_model"));
    c.out.put("attention.head_count", c.hp.at("n_heads"));
    c.put("attention.head_count_kv", {"attn_config.kv_n_heads"});
    c.style.fused = true;
}

void write_stablelm(Conversion& c) {
    write_text_model(c);
    c.out.put("use_parallel_residual", c.hp.flag("use_parallel_residual", true));
}

void write_qwen(Conversion& c) {
    write_text_model(c);
    c.style.fused = true;
}

void write_olmo2(Conversion& c) {
    write_text_model(c);
    const auto window = c.hp.number({"sliding_window"});
    if (!window) return;
    c.out.put("attention.sliding_window", *window);
    const auto types = c.hp.words("layer_types");
    std::vector<bool> windowed;
    for (size_t layer = 0; layer < static_cast<size_t>(c.layers()); ++layer)
        windowed.push_back(types.empty() ? (layer + 1) % 4 != 0 : types[layer] == "sliding_attention");
    c.out.put_flags("attention.sliding_window_pattern", windowed);
}

void write_bert(Conversion& c) {
    write_text_model(c);
    const bool roberta = c.hp.text("model_type") != "bert";
    c.style.cut_positions = roberta ? 2 : 0;
    c.out.put("context_length", c.hp.at("max_position_embeddings") - c.style.cut_positions);
    c.out.put("attention.causal", false);
    c.out.text("tokenizer.ggml.model", c.hp.text("model_type") == "roberta" ? "gpt2" : roberta ? "t5" : "bert");
}

void write_modern_bert(Conversion& c) {
    write_text_model(c);
    c.out.put("attention.sliding_window", c.hp.at("local_attention", 128));
    c.out.put("attention.sliding_window_pattern", c.hp.at("global_attn_every_n_layers", 3));
    c.style.fused = true;
}

void write_t5(Conversion& c) {
    if (c.hp.text("model_type") == "umt5")
        c.style.bias_tables = static_cast<int>(*c.hp.number({"num_decoder_layers", "num_layers"}));
    c.out.put("context_length", c.hp.at("n_positions", 512));
    c.out.put("embedding_length", c.hp.at("d_model"));
    c.out.put("feed_forward_length", c.hp.at("d_ff"));
    c.out.put("block_count", c.hp.at("num_layers"));
    c.put("decoder_block_count", {"num_decoder_layers"});
    c.out.put("attention.head_count", c.hp.at("num_heads"));
    c.out.put("attention.key_length", c.hp.at("d_kv"));
    c.out.put("attention.value_length", c.hp.at("d_kv"));
    c.out.put("attention.relative_buckets_count", c.hp.at("relative_attention_num_buckets"));
}

}  // namespace plimsoll::test
