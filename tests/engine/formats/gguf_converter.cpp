#include "engine/formats/gguf_converter.h"

#include "engine/formats/gguf_rules.h"
#include "model/read/architecture.h"

namespace plimsoll::test {
namespace {

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
    {"gemma3n", "gemma3n", write_gemma3n},
    {"gemma4", "gemma4", write_gemma4},
    {"phi", "phi2", write_phi2},
    {"phi3", "phi3", write_phi3},
    {"phimoe", "phimoe", write_phimoe},
    {"deepseek", "deepseek", write_deepseek},
    {"deepseek_v2", "deepseek2", write_deepseek2},
    {"deepseek_v3", "deepseek2", write_deepseek2},
    {"deepseek_v4", "deepseek4", write_deepseek4},
    {"kimi_k25", "deepseek2", write_deepseek2},
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
    {"mamba2", "mamba2", write_mamba2},
    {"lfm2", "lfm2", write_lfm2},
    {"lfm2_moe", "lfm2moe", write_lfm2},
    {"minimax", "minimax-01", write_minimax},
    {"minimax_m1", "minimax-01", write_minimax},
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
    {"internlm3", "llama", write_llama},
    {"baichuan", "baichuan", write_text_model},
    {"bert", "bert", write_bert},
    {"xlm-roberta", "bert", write_bert},
    {"roberta", "bert", write_bert},
    {"modernbert", "modern-bert", write_modern_bert},
    {"t5", "t5", write_t5},
    {"mt5", "t5", write_t5},
    {"umt5", "t5", write_t5},
};

Reader::Defaults defaults_of(std::string type) {
    for (int tries = 0; tries < 2; ++tries) {
        for (const Architecture* known : architectures)
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
