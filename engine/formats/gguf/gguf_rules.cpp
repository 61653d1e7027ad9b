// What names alone do not tell of an architecture: biases and norms that only tensors show, keys that one converter
// writes, two models under one name. Source: llama.cpp, conversion/*.py.
#include "formats/gguf/gguf_draft.h"

namespace plimsoll {
namespace {

void finish_classes(GgufDraft& draft, const char* class_name) {
    const TensorRole classes = draft.role("cls.output.weight");
    if (classes.count == 0) return;
    draft.set("architectures", std::vector<std::string>{class_name});
    draft.set("num_labels", classes.rows);
}

}  // namespace

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

// Youtu's dense layers have latent attention under DeepSeek's name.
void finish_deepseek2(GgufDraft& draft) {
    finish_deepseek(draft);
    if (draft.number("expert_count") <= 0) draft.set_type("youtu");
}

void finish_bailing(GgufDraft& draft) {
    draft.set("use_qkv_bias", draft.stores("blk.attn_q.bias") || draft.stores("blk.attn_qkv.bias"));
    draft.set_stored("use_bias", "blk.attn_output.bias");
}

// Its smaller models have no window, and then no key of one.
void finish_exaone4(GgufDraft& draft) {
    if (!draft.has("attention.sliding_window")) draft.set("sliding_window", std::monostate());
}

// RoBERTa's positions begin behind the padding token, and the rows before it are cut off.
void finish_bert(GgufDraft& draft) {
    const Facts& metadata = draft.gguf().metadata;
    const std::string tokenizer = draft.gguf().text("tokenizer.ggml.model");
    const bool roberta = tokenizer == "t5" || tokenizer == "gpt2";
    const double* padding = metadata.get<double>("tokenizer.ggml.padding_token_id");
    if (roberta) draft.set_type(tokenizer == "t5" ? "xlm-roberta" : "roberta");
    if (const double rows = draft.role("position_embd.weight").rows; rows > 0)
        draft.set("max_position_embeddings", roberta ? rows + (padding ? *padding : 1) + 1 : rows);
    const double segments = draft.role("token_types.weight").rows;
    const double* stated = metadata.get<double>("tokenizer.ggml.token_type_count");
    if (segments > 0)
        draft.set("type_vocab_size", segments);
    else if (stated)
        draft.set("type_vocab_size", *stated);
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

}  // namespace plimsoll
