#include "engine/gguf_converter.h"

#include <cmath>
#include <map>

#include "engine/gguf_tensors.h"
#include "model/architecture.h"

namespace plimsoll::test {
namespace {

using Names = std::initializer_list<const char*>;

/// A configuration with its class's defaults, as AutoConfig gives it to the converter, its language model's part at the
/// root.
class Hparams {
public:
    Hparams(const Facts& facts, std::string prefix, Reader::Defaults defaults)
        : facts_(facts), prefix_(std::move(prefix)), defaults_(defaults) {}

    const FactValue* find(const std::string& name) const {
        const FactValue* nested = facts_.find(prefix_ + name);
        return nested ? nested : facts_.find(name);
    }
    std::optional<double> number(Names names) const {
        for (const char* name : names)
            if (const FactValue* value = find(name); value && std::get_if<double>(value))
                return std::get<double>(*value);
        for (const std::string_view name : names)
            for (const ClassDefault& known : defaults_)
                if (name == known.field && !find(known.field)) return known.value;
        return std::nullopt;
    }
    double at(const char* name) const { return number({name}).value_or(0); }
    double at(const char* name, double otherwise) const { return number({name}).value_or(otherwise); }
    bool flag(const char* name, bool otherwise) const {
        const FactValue* value = find(name);
        const bool* flag = value ? std::get_if<bool>(value) : nullptr;
        return flag ? *flag : otherwise;
    }
    std::string text(const char* name) const {
        const FactValue* value = find(name);
        const std::string* text = value ? std::get_if<std::string>(value) : nullptr;
        return text ? *text : std::string();
    }
    std::vector<std::string> words(const char* name) const {
        const FactValue* value = find(name);
        const auto* words = value ? std::get_if<std::vector<std::string>>(value) : nullptr;
        return words ? *words : std::vector<std::string>();
    }
    std::vector<double> numbers(const char* name) const {
        const FactValue* value = find(name);
        const auto* numbers = value ? std::get_if<std::vector<double>>(value) : nullptr;
        return numbers ? *numbers : std::vector<double>();
    }

private:
    const Facts& facts_;
    std::string prefix_;
    Reader::Defaults defaults_;
};

struct Conversion {
    const Hparams& hp;
    const Model& model;
    GgufWriter& out;
    TensorStyle& style;
    ConvertedModel& result;
    std::string prefix;  ///< of the language model's part of the configuration

    void drop(const char* name) { result.config.values[prefix + name] = std::monostate(); }
    double layers() const { return *hp.number({"n_layers", "num_hidden_layers", "n_layer", "num_layers"}); }
    void put(const char* key, Names names) {
        if (const auto value = hp.number(names)) out.put(key, *value);
    }
    /// A number for the layers that `has` one, zero for the others.
    template <class Has>
    void put_where(const char* key, double value, Has has, double extra = 0) {
        std::vector<double> list;
        for (size_t layer = 0; layer < static_cast<size_t>(layers() + extra); ++layer)
            list.push_back(has(layer) ? value : 0);
        out.put(key, list);
    }
    void with_prediction() {
        const double count = hp.number({"num_nextn_predict_layers", "mtp_num_hidden_layers"}).value_or(0);
        out.put("block_count", layers() + count);
        if (count > 0) out.put("nextn_predict_layers", count);
        result.prediction = count > 0;
    }
};

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
    c.put("expert_used_count", {"num_experts_per_tok", "num_experts_per_token", "top_k_experts"});
    c.put("attention.key_length", {"head_dim"});
    c.put("attention.value_length", {"head_dim"});
}

void write_llama(Conversion& c) {
    write_text_model(c);
    c.put("vocab_size", {"vocab_size"});
    c.drop("sliding_window");  // Mistral's: neither written nor run
}

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

void write_gemma(Conversion& c) {
    write_text_model(c);
    c.put("attention.sliding_window", {"sliding_window"});
    c.put("attn_logit_softcapping", {"attn_logit_softcapping"});
}

void write_gemma3(Conversion& c) {
    write_text_model(c);
    if (c.hp.at("sliding_window_pattern", 6) != 1) c.put("attention.sliding_window", {"sliding_window"});
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

void write_glm_dsa(Conversion& c) {
    write_deepseek32(c);
    c.with_prediction();
    if (const auto types = c.hp.words("indexer_types"); !types.empty()) {
        std::vector<bool> full;
        for (const std::string& type : types) full.push_back(type == "full");
        c.out.put_flags("attention.indexer.types", full);
    }
}

void write_chatglm(Conversion& c) {
    write_text_model(c);
    const double heads = c.hp.at("num_attention_heads");
    c.out.put("feed_forward_length", *c.hp.number({"ffn_hidden_size", "intermediate_size"}));
    c.out.put("attention.head_count_kv", c.hp.number({"multi_query_group_num", "num_key_value_heads"}).value_or(heads));
    c.put("context_length", {"seq_length"});
    c.style.fused = true;
}

void write_glm4_moe(Conversion& c) {
    write_text_model(c);
    c.put("expert_count", {"n_routed_experts"});
    c.put("expert_feed_forward_length", {"moe_intermediate_size"});
    c.put("expert_shared_count", {"n_shared_experts"});
    c.put("leading_dense_block_count", {"first_k_dense_replace"});
    c.with_prediction();
}

void write_windowed(Conversion& c) {
    write_text_model(c);
    c.put("attention.sliding_window", {"sliding_window"});
    c.put("vocab_size", {"vocab_size"});
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

void write_falcon_h1(Conversion& c) {
    write_text_model(c);
    const double inner = c.hp.at("mamba_d_ssm");
    c.out.put("ssm.conv_kernel", c.hp.at("mamba_d_conv"));
    c.out.put("ssm.inner_size", inner);
    c.out.put("ssm.state_size", c.hp.at("mamba_d_state"));
    c.out.put("ssm.time_step_rank", inner / c.hp.at("mamba_d_head", inner / c.hp.at("mamba_n_heads")));
    c.out.put("ssm.group_count", c.hp.at("mamba_n_groups"));
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

void write_bert(Conversion& c) {
    write_text_model(c);
    const bool roberta = c.hp.text("model_type") != "bert";
    c.style.cut_positions = roberta ? 2 : 0;
    c.out.put("context_length", c.hp.at("max_position_embeddings") - c.style.cut_positions);
    c.out.put("attention.causal", false);
    c.out.text("tokenizer.ggml.model", roberta ? "t5" : "bert");
}

void write_modern_bert(Conversion& c) {
    write_text_model(c);
    c.out.put("attention.sliding_window", c.hp.at("local_attention", 128));
    c.out.put("attention.sliding_window_pattern", c.hp.at("global_attn_every_n_layers", 3));
    c.style.fused = true;
}

void write_t5(Conversion& c) {
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

/// Which converter a configuration's model type goes to, and the architecture that it writes.
struct Rule {
    std::string_view type;
    const char* architecture;
    void (*write)(Conversion&);
};

constexpr Rule rules[] = {
    {"llama", "llama", write_llama},
    {"mistral", "llama", write_llama},
    {"mixtral", "llama", write_llama},
    {"idefics3", "llama", write_llama},
    {"smolvlm", "llama", write_llama},
    {"llava", "llama", write_llama},
    {"mistral3", "mistral3", write_llama},
    {"ministral3", "mistral3", write_llama},
    {"llama4", "llama4", write_llama4},
    {"qwen", "qwen", write_qwen},
    {"qwen2", "qwen2", write_text_model},
    {"internvl", "qwen2", write_text_model},
    {"qwen2_vl", "qwen2vl", write_text_model},
    {"qwen2_5_vl", "qwen2vl", write_text_model},
    {"qwen2_moe", "qwen2moe", write_qwen_moe},
    {"qwen3", "qwen3", write_text_model},
    {"qwen3_moe", "qwen3moe", write_qwen_moe},
    {"qwen3_vl", "qwen3vl", write_text_model},
    {"qwen3_vl_moe", "qwen3vlmoe", write_qwen_moe},
    {"qwen3_next", "qwen3next", write_qwen3_next},
    {"qwen3_5", "qwen35", write_qwen3_5},
    {"qwen3_5_moe", "qwen35moe", write_qwen3_5},
    {"gemma", "gemma", write_text_model},
    {"gemma2", "gemma2", write_gemma},
    {"gemma3", "gemma3", write_gemma3},
    {"gemma3_text", "gemma3", write_gemma3},
    {"phi", "phi2", write_phi2},
    {"phi3", "phi3", write_phi3},
    {"phimoe", "phimoe", write_phimoe},
    {"deepseek", "deepseek", write_deepseek},
    {"deepseek_v2", "deepseek2", write_deepseek2},
    {"deepseek_v3", "deepseek2", write_deepseek2},
    {"kimi_k2", "deepseek2", write_deepseek2},
    {"glm4_moe_lite", "deepseek2", write_glm4_moe_lite},
    {"deepseek_v32", "deepseek32", write_deepseek32},
    {"glm_moe_dsa", "glm-dsa", write_glm_dsa},
    {"chatglm", "chatglm", write_chatglm},
    {"glm", "chatglm", write_chatglm},
    {"glm4", "glm4", write_text_model},
    {"glm4_moe", "glm4moe", write_glm4_moe},
    {"gpt_oss", "gpt-oss", write_gpt_oss},
    {"cohere", "command-r", write_text_model},
    {"cohere2", "cohere2", write_windowed},
    {"dbrx", "dbrx", write_dbrx},
    {"falcon", "falcon", write_falcon},
    {"falcon_h1", "falcon-h1", write_falcon_h1},
    {"gpt2", "gpt2", write_gpt2},
    {"gpt_bigcode", "starcoder", write_starcoder},
    {"starcoder2", "starcoder2", write_starcoder2},
    {"gpt_neox", "gptneox", write_gpt_neox},
    {"bloom", "bloom", write_bloom},
    {"mpt", "mpt", write_mpt},
    {"stablelm", "stablelm", write_stablelm},
    {"olmo", "olmo", write_text_model},
    {"olmo2", "olmo2", write_olmo2},
    {"olmo3", "olmo2", write_olmo2},
    {"olmoe", "olmoe", write_text_model},
    {"granite", "granite", write_granite},
    {"granitemoe", "granitemoe", write_granite},
    {"granitemoehybrid", "granitehybrid", write_granite_hybrid},
    {"nemotron", "nemotron", write_text_model},
    {"nemotron_h", "nemotron_h", write_nemotron_h},
    {"nemotron-nas", "deci", write_deci},
    {"jamba", "jamba", write_jamba},
    {"mamba", "mamba", write_mamba},
    {"falcon_mamba", "mamba", write_mamba},
    {"lfm2", "lfm2", write_lfm2},
    {"lfm2_moe", "lfm2moe", write_lfm2},
    {"minimax_m2", "minimax-m2", write_minimax_m2},
    {"hunyuan_v1_dense", "hunyuan-dense", write_text_model},
    {"hunyuan_v1_moe", "hunyuan-moe", write_hunyuan_moe},
    {"ernie4_5", "ernie4_5", write_text_model},
    {"ernie4_5_moe", "ernie4_5-moe", write_ernie_moe},
    {"seed_oss", "seed_oss", write_text_model},
    {"smollm3", "smollm3", write_text_model},
    {"apertus", "apertus", write_llama},
    {"arcee", "arcee", write_llama},
    {"internlm2", "internlm2", write_text_model},
    {"baichuan", "baichuan", write_text_model},
    {"bert", "bert", write_bert},
    {"xlm-roberta", "bert", write_bert},
    {"modernbert", "modern-bert", write_modern_bert},
    {"t5", "t5", write_t5},
    {"mt5", "t5", write_t5},
    {"umt5", "t5", write_t5},
};

Reader::Defaults defaults_of(std::string type) {
    for (int tries = 0; tries < 2; ++tries) {
        for (const Architecture* known : architectures())
            for (const std::string_view name : known->model_types)
                if (name == type && known->defaults.size() > 0) return known->defaults;
        if (type.size() > 5 && type.compare(type.size() - 5, 5, "_text") == 0) type.resize(type.size() - 5);
        if (type.rfind("qwen3_vl", 0) == 0) type.replace(0, 8, "qwen3");
    }
    return {};
}

}  // namespace

std::optional<ConvertedModel> convert(const Facts& config, const Model& model) {
    const std::string* type = config.get<std::string>("model_type");
    const Rule* rule = nullptr;
    for (const Rule& candidate : rules)
        if (type && candidate.type == *type) rule = &candidate;
    const bool* rotates = config.get<bool>("alibi");
    if (!rule || (*type == "falcon" && rotates && *rotates)) return std::nullopt;  // Falcon-RW: read as another model
    ConvertedModel result;
    result.config = config;
    const bool internvl = config.find("llm_config.hidden_size"), nested = config.find("text_config.hidden_size");
    const std::string prefix = internvl ? "llm_config." : nested ? "text_config." : "";
    const std::string* inner = config.get<std::string>(prefix + "model_type");
    const Hparams hp(config, prefix,
                     defaults_of(*type == "qwen2_vl" || *type == "qwen2_5_vl" ? "qwen2"
                                 : inner                                      ? *inner
                                                                              : *type));
    const bool moe = *type == "nemotron_h" && hp.number({"n_routed_experts"});
    GgufWriter out(moe ? "nemotron_h_moe" : rule->architecture);
    TensorStyle style;
    Conversion conversion{hp, model, out, style, result, prefix};
    rule->write(conversion);
    write_tensors(out, model, style);
    result.header = out.header();
    result.size = out.size();
    return result;
}

}  // namespace plimsoll::test
