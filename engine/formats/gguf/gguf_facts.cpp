#include "formats/gguf/gguf_facts.h"

#include <cmath>
#include <iterator>

#include "formats/gguf/gguf_draft.h"

namespace plimsoll {
namespace {

// Keys, and what the configuration classes call the same. Each class asks for its own names alone.
constexpr GgufName names[] = {
    {"context_length", "max_position_embeddings"},
    {"context_length", "max_seq_len"},
    {"embedding_length", "hidden_size"},
    {"embedding_length", "d_model"},
    {"feed_forward_length", "intermediate_size"},
    {"feed_forward_length", "intermediate_size_mlp"},
    {"feed_forward_length", "n_inner"},
    {"feed_forward_length", "d_ff"},
    {"feed_forward_length", "ffn_hidden_size"},
    {"feed_forward_length", "ffn_config.ffn_hidden_size"},
    {"decoder_block_count", "num_decoder_layers"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count", "n_heads"},
    {"attention.head_count", "num_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.head_count_kv", "num_kv_heads"},
    {"attention.head_count_kv", "attn_config.kv_n_heads"},
    {"attention.key_length", "head_dim"},
    {"attention.sliding_window", "sliding_window"},
    {"attention.relative_buckets_count", "relative_attention_num_buckets"},
    {"attention.shared_kv_layers", "num_kv_shared_layers"},
    {"attention.output_lora_rank", "o_lora_rank"},
    {"attention.output_group_count", "o_groups"},
    {"attention.q_lora_rank", "q_lora_rank"},
    {"attention.kv_lora_rank", "kv_lora_rank"},
    {"attention.indexer.head_count", "index_n_heads"},
    {"attention.indexer.key_length", "index_head_dim"},
    {"attn_logit_softcapping", "attn_logit_softcapping"},
    {"expert_count", "num_experts"},
    {"expert_count", "num_local_experts"},
    {"expert_count", "n_routed_experts"},
    {"expert_count", "ffn_config.moe_num_experts"},
    {"expert_group_count", "n_group"},
    {"expert_group_used_count", "topk_group"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_used_count", "moe_topk"},
    {"expert_used_count", "top_k_experts"},
    {"expert_used_count", "ffn_config.moe_top_k"},
    {"expert_shared_count", "n_shared_experts"},
    {"expert_shared_count", "num_shared_experts"},
    {"expert_shared_count", "moe_num_shared_experts"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"},
    {"expert_shared_feed_forward_length", "moe_shared_expert_intermediate_size"},
    {"moe_latent_size", "moe_latent_size"},
    {"leading_dense_block_count", "first_k_dense_replace"},
    {"leading_dense_block_count", "num_dense_layers"},
    {"leading_dense_block_count", "moe_layer_start_index"},
    {"interleave_moe_layer_step", "interleave_moe_layer_step"},
    {"interleave_moe_layer_step", "moe_layer_interval"},
    {"nextn_predict_layers", "num_nextn_predict_layers"},
    {"embedding_length_per_layer_input", "hidden_size_per_layer_input"},
    {"altup.num_inputs", "altup_num_inputs"},
    {"hyper_connection.count", "hc_mult"},
    {"full_attention_interval", "full_attention_interval"},
    {"use_parallel_residual", "use_parallel_residual"},
    {"shortconv.l_cache", "conv_L_cache"},
    {"ssm.inner_size", "mamba_d_ssm"},
    {"ssm.state_size", "state_size"},
    {"ssm.state_size", "ssm_state_size"},
    {"ssm.state_size", "mamba_d_state"},
    {"ssm.state_size", "linear_key_head_dim"},
    {"ssm.conv_kernel", "conv_kernel"},
    {"ssm.conv_kernel", "mamba_d_conv"},
    {"ssm.conv_kernel", "linear_conv_kernel_dim"},
    {"ssm.group_count", "n_groups"},
    {"ssm.group_count", "mamba_n_groups"},
    {"ssm.group_count", "linear_num_key_heads"},
    {"ssm.time_step_rank", "time_step_rank"},
    {"ssm.time_step_rank", "mamba_dt_rank"},
    {"ssm.time_step_rank", "num_heads"},
    {"ssm.time_step_rank", "mamba_n_heads"},
    {"ssm.time_step_rank", "mamba_num_heads"},
    {"ssm.time_step_rank", "linear_num_value_heads"},
};

// What configuration classes would fill in where llama.cpp leaves out what it can derive.
void derive_heads(GgufDraft& draft) {
    const double heads = draft.number("attention.head_count"), hidden = draft.number("embedding_length");
    if (heads < 1) return;
    if (!draft.has("attention.head_count_kv")) draft.set("num_key_value_heads", heads);
    if (!draft.has("attention.key_length") && std::fmod(hidden, heads) == 0) draft.set("head_dim", hidden / heads);
}

// The embedding's own rows; files without tensors have the tokens that they list.
void derive_vocabulary(GgufDraft& draft) {
    const double rows = draft.role("token_embd.weight").rows;
    const double* tokens = draft.gguf().metadata.get<double>("tokenizer.ggml.tokens.length");
    const double listed = draft.number("vocab_size", tokens ? *tokens : 0);
    if (const double size = rows > 0 ? rows : listed; size > 0) draft.set("vocab_size", size);
}

// Which of the layers look at a window: a flag for each, or each how many-th does not.
void derive_windows(GgufDraft& draft) {
    constexpr const char* key = "attention.sliding_window_pattern";
    const std::string name = draft.gguf().architecture() + "." + key;
    if (draft.gguf().metadata.get<std::vector<double>>(name))
        draft.set_layers("layer_types", draft.per_layer(key), "sliding_attention", "full_attention");
    else
        draft.take({key, "sliding_window_pattern"});
}

// Whether the tensors of every part of a split file have been read.
bool has_all_tensors(const Gguf& gguf) {
    const double* stated = gguf.metadata.get<double>("split.tensors.count");
    double read = 0;
    for (const auto& [name, role] : gguf.roles) read += role.count;
    return read > 0 && (!stated || read >= *stated);
}

// Switches of config.json that the tensors answer.
void derive_switches(GgufDraft& draft) {
    const bool head = draft.stores("output.weight");
    if (head || has_all_tensors(draft.gguf())) draft.set("tie_word_embeddings", !head);
    if (draft.gguf().roles.empty()) return;
    draft.set("attention_bias", draft.stores("blk.attn_q.bias") || draft.stores("blk.attn_qkv.bias"));
    draft.set_stored("mlp_bias", "blk.ffn_up.bias");
    draft.set_stored("use_qk_norm", "blk.attn_q_norm.weight");
}

// A decoder of the usual kind is guessed at where no field says that it is none, and converters write `expert_count` 0.
void drop_zeros(Facts& facts) {
    for (auto at = facts.values.begin(); at != facts.values.end();) {
        const double* number = std::get_if<double>(&at->second);
        at = number && *number == 0 ? facts.values.erase(at) : std::next(at);
    }
}

}  // namespace

Result<Facts> facts_of(const Gguf& gguf) {
    const std::string architecture = gguf.architecture();
    if (architecture.empty())
        return Error{"bad_gguf", gguf.metadata.where, "general.architecture is missing",
                     "of a split file, give the first part too"};
    if (architecture == "clip" || gguf.text("general.type") == "adapter" || gguf.text("general.type") == "mmproj")
        return Error{"no_model", gguf.metadata.where, "a projector or an adapter, which is used beside a model's file",
                     "give the model's own GGUF, or its config.json"};
    GgufDraft draft(gguf);
    draft.facts.origin = gguf.metadata.origin;
    draft.facts.where = gguf.metadata.where;
    for (const GgufName& name : names) draft.take(name);
    for (const char* fact : {"num_hidden_layers", "n_layers"}) draft.set(fact, draft.layers());
    derive_heads(draft);
    derive_vocabulary(draft);
    derive_windows(draft);
    derive_switches(draft);
    const GgufArchitecture* known = gguf_architecture(architecture);
    draft.set_type(known ? known->model_type : architecture.c_str());
    if (!known) drop_zeros(draft.facts);
    if (known) known->finish(draft);
    return std::move(draft.facts);
}

}  // namespace plimsoll
