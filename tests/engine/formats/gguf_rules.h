/// The rules of llama.cpp's converters, one for each kind of model, and what they work on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/formats/gguf_converter.h"
#include "engine/formats/gguf_tensors.h"
#include "model/read/reader.h"

namespace plimsoll::test {

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
    /// 0 where the configuration lists them instead.
    double layers() const { return hp.number({"n_layers", "num_hidden_layers", "n_layer", "num_layers"}).value_or(0); }
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

// In gguf_rules_dense.cpp, gguf_rules_mixture.cpp and gguf_rules_hybrid.cpp, by the layers that the models have.
void write_text_model(Conversion& c);
void write_llama(Conversion& c);
void write_gemma(Conversion& c);
void write_gemma3(Conversion& c);
void write_gemma3n(Conversion& c);
void write_gemma4(Conversion& c);
void write_phi2(Conversion& c);
void write_phi3(Conversion& c);
void write_chatglm(Conversion& c);
void write_windowed(Conversion& c);
void write_falcon(Conversion& c);
void write_gpt2(Conversion& c);
void write_starcoder(Conversion& c);
void write_starcoder2(Conversion& c);
void write_gpt_neox(Conversion& c);
void write_bloom(Conversion& c);
void write_mpt(Conversion& c);
void write_stablelm(Conversion& c);
void write_qwen(Conversion& c);
void write_olmo2(Conversion& c);
void write_bert(Conversion& c);
void write_modern_bert(Conversion& c);
void write_t5(Conversion& c);

void write_llama4(Conversion& c);
void write_qwen_moe(Conversion& c);
void write_qwen3_next(Conversion& c);
void write_qwen3_5(Conversion& c);
void write_phimoe(Conversion& c);
void write_deepseek(Conversion& c);
void write_deepseek2(Conversion& c);
void write_glm4_moe_lite(Conversion& c);
void write_deepseek32(Conversion& c);
void write_deepseek4(Conversion& c);
void write_glm_dsa(Conversion& c);
void write_glm4_moe(Conversion& c);
void write_gpt_oss(Conversion& c);
void write_dbrx(Conversion& c);
void write_minimax_m2(Conversion& c);
void write_hunyuan_moe(Conversion& c);
void write_ernie_moe(Conversion& c);

void write_falcon_h1(Conversion& c);
void write_granite(Conversion& c);
void write_granite_hybrid(Conversion& c);
void write_nemotron_h(Conversion& c);
void write_deci(Conversion& c);
void write_jamba(Conversion& c);
void write_mamba(Conversion& c);
void write_lfm2(Conversion& c);
void write_mamba2(Conversion& c);
void write_minimax(Conversion& c);

}  // namespace plimsoll::test
