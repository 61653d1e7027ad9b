// llama.cpp's architectures and the model types of transformers that describe them. Source: llama.cpp,
// src/llama-arch.cpp (names), conversion/*.py (which models take which, and the keys that only one writes).
#include <cmath>

#include "formats/gguf_draft.h"

namespace plimsoll {
namespace {

// Mixtral, and look-alikes with biases that Llama's switch cannot tell apart, share the name `llama`.
void finish_llama(GgufDraft& draft) {
    if (draft.number("expert_count") > 0) {
        draft.set_type("mixtral");
    } else if (const bool output = draft.stores("blk.attn_output.bias"); draft.stores("blk.attn_q.bias") != output) {
        draft.set_type("internlm3");
        draft.set("qkv_bias", !output);
        draft.set("bias", output);
    }
}

void finish_falcon(GgufDraft& draft) {
    draft.set("new_decoder_architecture", true);
    draft.set("num_ln_in_parallel_attn", draft.stores("blk.attn_norm_2.weight") ? 2.0 : 1.0);
    draft.set_stored("bias", "blk.attn_qkv.bias");
}

void finish_falcon_h1(GgufDraft& draft) {
    draft.set_stored("mamba_rms_norm", "blk.ssm_norm.weight");
    draft.set_stored("mamba_conv_bias", "blk.ssm_conv1d.bias");
    draft.set_stored("mamba_proj_bias", "blk.ssm_in.bias");
    draft.set_stored("projectors_bias", "blk.ssm_out.bias");
}

void finish_mamba(GgufDraft& draft) {
    draft.set_stored("use_bias", "blk.ssm_in.bias");
    draft.set_stored("use_conv_bias", "blk.ssm_conv1d.bias");
    draft.set("intermediate_size", draft.number("ssm.inner_size"));
    if (const double hidden = draft.number("embedding_length"); hidden > 0)
        draft.set("expand", draft.number("ssm.inner_size") / hidden);
}

// GPT-2 and StarCoder: as many positions as the table has rows.
void finish_positions(GgufDraft& draft) {
    draft.set_rows("n_positions", "position_embd.weight");
    draft.set("multi_query", draft.number("attention.head_count_kv") == 1);
}

void finish_mpt(GgufDraft& draft) {
    const double hidden = draft.number("embedding_length");
    if (hidden > 0) draft.set("expansion_ratio", draft.number("feed_forward_length") / hidden);
}

// The 13B models, of 40 layers, have ALiBi in place of rotation; llama.cpp tells them apart so too.
void finish_baichuan(GgufDraft& draft) {
    if (draft.layers() != 40) return;
    draft.facts.values.erase("max_position_embeddings");
    draft.set("model_max_length", draft.number("context_length"));
}

void finish_stablelm(GgufDraft& draft) {
    draft.set_stored("use_qkv_bias", "blk.attn_q.bias");
    draft.set_stored("qk_layernorm", "blk.attn_q_norm.weight");
    draft.set("use_parallel_residual", !draft.stores("blk.ffn_norm.weight"));
}

void finish_bias(GgufDraft& draft) {
    const bool bias = draft.stores("blk.attn_q.bias");
    draft.set("use_bias", bias);
    draft.set("qkv_bias", bias);
    draft.set_stored("bias", "blk.attn_output.bias");
    draft.set_stored("attention_out_bias", "blk.attn_output.bias");
    draft.set_stored("lm_head_bias", "output.bias");
}

// Qwen3-Next and Qwen3.5: the gated delta net has the keys of a state space model.
void finish_gated_delta(GgufDraft& draft) {
    const double heads = draft.number("ssm.time_step_rank");
    if (heads > 0) draft.set("linear_value_head_dim", draft.number("ssm.inner_size") / heads);
}

void finish_olmo2(GgufDraft& draft) {
    if (draft.number("attention.sliding_window") > 0) draft.set_type("olmo3");
}

// Latent attention runs as attention with one wide key-value head, and that head's widths are the usual keys; files
// older than that, of early 2025, have the widths of a head there.
void finish_deepseek(GgufDraft& draft) {
    const double rotary = draft.number("rope.dimension_count");
    const bool latent = draft.has("attention.key_length_mla");
    draft.set("qk_rope_head_dim", rotary);
    draft.set("qk_nope_head_dim", draft.number(latent ? "attention.key_length_mla" : "attention.key_length") - rotary);
    draft.set("v_head_dim", draft.number(latent ? "attention.value_length_mla" : "attention.value_length"));
    if (!draft.has("attention.q_lora_rank")) draft.set("q_lora_rank", std::monostate());
    if (draft.has("attention.indexer.types"))
        draft.set_layers("indexer_types", draft.per_layer("attention.indexer.types"), "full", "shared");
}

void finish_classes(GgufDraft& draft, const char* class_name) {
    const TensorRole classes = draft.role("cls.output.weight");
    if (classes.count == 0) return;
    draft.set("architectures", std::vector<std::string>{class_name});
    draft.set("num_labels", classes.rows);
}

// RoBERTa's positions begin behind the padding token, and the rows before it are cut off.
void finish_bert(GgufDraft& draft) {
    const Facts& metadata = draft.gguf().metadata;
    const std::string tokenizer = draft.gguf().text("tokenizer.ggml.model");
    const bool roberta = tokenizer == "t5" || tokenizer == "gpt2";
    const double* padding = metadata.get<double>("tokenizer.ggml.padding_token_id");
    if (roberta) draft.set_type(tokenizer == "t5" ? "xlm-roberta" : "roberta");
    if (const double rows = draft.role("position_embd.weight").rows; rows > 0)
        draft.set("max_position_embeddings", rows + (!roberta ? 0 : padding ? *padding + 1 : 2));
    const double segments = draft.role("token_types.weight").rows;
    const double* stated = metadata.get<double>("tokenizer.ggml.token_type_count");
    if (segments > 0 || stated) draft.set("type_vocab_size", segments > 0 ? segments : *stated);
    finish_classes(draft, roberta ? "XLMRobertaForSequenceClassification" : "BertForSequenceClassification");
}

void finish_modern_bert(GgufDraft& draft) {
    draft.set_stored("norm_bias", "output_norm.bias");
    finish_classes(draft, "ModernBertForSequenceClassification");
}

void finish_t5(GgufDraft& draft) {
    draft.set("num_layers", draft.layers());
    draft.set("d_kv", draft.number("attention.key_length"));
    draft.set("feed_forward_proj", std::string(draft.stores("enc.blk.ffn_gate.weight") ? "gated-gelu" : "relu"));
    if (draft.role("dec.blk.attn_rel_b.weight").count > 1) draft.set_type("umt5");
}

constexpr GgufArchitecture architectures[] = {
    {"llama", "llama", finish_llama},
    {"llama4", "llama4_text", nullptr},
    {"mistral3", "ministral3", nullptr},
    {"deci", "nemotron-nas", finish_deci},
    {"falcon", "falcon", finish_falcon},
    {"falcon-h1", "falcon_h1", finish_falcon_h1},
    {"gpt2", "gpt2", finish_positions},
    {"gptneox", "gpt_neox", nullptr},
    {"mpt", "mpt", finish_mpt},
    {"baichuan", "baichuan", finish_baichuan},
    {"starcoder", "gpt_bigcode", finish_positions},
    {"starcoder2", "starcoder2", finish_bias},
    {"bloom", "bloom", nullptr},
    {"stablelm", "stablelm", finish_stablelm},
    {"qwen", "qwen", nullptr},
    {"qwen2", "qwen2", nullptr},
    {"qwen2moe", "qwen2_moe", finish_bias},
    {"qwen2vl", "qwen2", nullptr},
    {"qwen3", "qwen3", nullptr},
    {"qwen3moe", "qwen3_moe", nullptr},
    {"qwen3vl", "qwen3", nullptr},
    {"qwen3vlmoe", "qwen3_moe", nullptr},
    {"qwen3next", "qwen3_next", finish_gated_delta},
    {"qwen35", "qwen3_5_text", finish_gated_delta},
    {"qwen35moe", "qwen3_5_moe_text", finish_gated_delta},
    {"phi2", "phi", nullptr},
    {"phi3", "phi3", nullptr},
    {"phimoe", "phimoe", finish_bias},
    {"internlm2", "internlm2", finish_bias},
    {"gemma", "gemma", nullptr},
    {"gemma2", "gemma2", nullptr},
    {"gemma3", "gemma3_text", nullptr},
    {"gemma3n", "gemma3n_text", finish_gemma3n},
    {"gemma4", "gemma4_text", finish_gemma4},
    {"gemma-embedding", "gemma3_text", nullptr},
    {"mamba", "mamba", finish_mamba},
    {"mamba2", "mamba2", finish_mamba},
    {"jamba", "jamba", finish_jamba},
    {"command-r", "cohere", nullptr},
    {"cohere2", "cohere2", nullptr},
    {"dbrx", "dbrx", nullptr},
    {"olmo", "olmo", nullptr},
    {"olmo2", "olmo2", finish_olmo2},
    {"olmoe", "olmoe", nullptr},
    {"deepseek", "deepseek", nullptr},
    {"deepseek2", "deepseek_v3", finish_deepseek},
    {"deepseek32", "deepseek_v32", finish_deepseek},
    {"deepseek4", "deepseek_v4", finish_deepseek4},
    {"glm-dsa", "glm_moe_dsa", finish_deepseek},
    {"chatglm", "glm", nullptr},
    {"glm4", "glm4", nullptr},
    {"glm4moe", "glm4_moe", nullptr},
    {"t5", "t5", finish_t5},
    {"nemotron", "nemotron", nullptr},
    {"nemotron_h", "nemotron_h", finish_nemotron_h},
    {"nemotron_h_moe", "nemotron_h", finish_nemotron_h},
    {"granite", "granite", finish_granite_hybrid},
    {"granitemoe", "granitemoe", finish_granite_hybrid},
    {"granitehybrid", "granitemoehybrid", finish_granite_hybrid},
    {"arcee", "arcee", nullptr},
    {"apertus", "apertus", nullptr},
    {"ernie4_5", "ernie4_5", finish_bias},
    {"ernie4_5-moe", "ernie4_5_moe", finish_bias},
    {"paddleocr", "ernie4_5", finish_bias},
    {"hunyuan-moe", "hunyuan_v1_moe", nullptr},
    {"hunyuan-dense", "hunyuan_v1_dense", nullptr},
    {"hunyuan_vl", "hunyuan_v1_dense", nullptr},
    {"smollm3", "smollm3", nullptr},
    {"gpt-oss", "gpt_oss", nullptr},
    {"lfm2", "lfm2", finish_lfm2},
    {"lfm2moe", "lfm2_moe", finish_lfm2},
    {"seed_oss", "seed_oss", finish_bias},
    {"minimax-01", "minimax", finish_minimax},
    {"minimax-m2", "minimax_m2", nullptr},
    {"bert", "bert", finish_bert},
    {"modern-bert", "modernbert", finish_modern_bert},
};

}  // namespace

const GgufArchitecture* gguf_architecture(std::string_view name) {
    for (const GgufArchitecture& candidate : architectures)
        if (candidate.name == name) return &candidate;
    return nullptr;
}

}  // namespace plimsoll
