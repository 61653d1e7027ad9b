/// Facts in the making: what an architecture's own rule may ask of a GGUF, and how it corrects what the names gave.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/gguf/gguf.h"

namespace plimsoll {

/// A key, without the architecture before it, and a fact that it is.
struct GgufName {
    const char* key;
    const char* fact;
};

class GgufDraft {
public:
    explicit GgufDraft(const Gguf& gguf) : gguf_(gguf), prefix_(gguf.architecture() + ".") {}

    /// A number of the metadata; of a number per layer the largest; else `otherwise`.
    double number(std::string_view key, double otherwise = 0) const;
    /// A number per layer, prediction layers left out; one number for all stands in each.
    std::vector<double> per_layer(std::string_view key) const;
    bool has(std::string_view key) const;
    /// Null where the key has no list.
    const std::vector<double>* list(std::string_view key) const;
    /// Whether any tensor has this role.
    bool stores(std::string_view role) const { return gguf_.roles.find(role) != gguf_.roles.end(); }
    /// That role; zeros where no tensor has it.
    TensorRole role(std::string_view role) const;
    const Gguf& gguf() const { return gguf_; }
    /// Layers of the decoder.
    double layers() const { return number("block_count") - number("nextn_predict_layers"); }

    void set(std::string_view fact, FactValue value);
    /// Whether any tensor has the role, as a switch.
    void set_stored(std::string_view fact, std::string_view role);
    void set_type(const char* model_type);
    /// The rows of the first tensor of the role; nothing where no tensor has it.
    void set_rows(std::string_view fact, std::string_view role);
    /// Words for the layers, first to last: `yes` where the number is positive.
    void set_layers(std::string_view fact, const std::vector<double>& numbers, const char* yes, const char* no);
    void take(const GgufName& name);

    Facts facts;

private:
    const FactValue* find(std::string_view key) const { return gguf_.metadata.find(prefix_ + std::string(key)); }

    const Gguf& gguf_;
    std::string prefix_;
};

/// An architecture by llama.cpp's name, with the model type in transformers that describes it.
struct GgufArchitecture {
    const char* name;
    const char* model_type;
    void (*finish)(GgufDraft& draft);  ///< what no name tells
};

/// Null where the name is not known.
const GgufArchitecture* gguf_architecture(std::string_view name);

/// Where the names tell all.
inline void finish_nothing(GgufDraft&) {}

/// Rules of one architecture or some: gguf_rules.cpp.
void finish_llama(GgufDraft& draft);
void finish_falcon(GgufDraft& draft);
void finish_falcon_h1(GgufDraft& draft);
void finish_mamba(GgufDraft& draft);
void finish_positions(GgufDraft& draft);
void finish_mpt(GgufDraft& draft);
void finish_baichuan(GgufDraft& draft);
void finish_stablelm(GgufDraft& draft);
void finish_bias(GgufDraft& draft);
void finish_gated_delta(GgufDraft& draft);
void finish_olmo2(GgufDraft& draft);
void finish_deepseek(GgufDraft& draft);
void finish_deepseek2(GgufDraft& draft);
void finish_bailing(GgufDraft& draft);
void finish_exaone4(GgufDraft& draft);
void finish_bert(GgufDraft& draft);
void finish_modern_bert(GgufDraft& draft);
void finish_t5(GgufDraft& draft);

/// Rules of models whose layers are of several kinds: gguf_layers.cpp.
void finish_deci(GgufDraft& draft);
void finish_nemotron_h(GgufDraft& draft);
void finish_granite_hybrid(GgufDraft& draft);
void finish_jamba(GgufDraft& draft);
void finish_minimax(GgufDraft& draft);
void finish_lfm2(GgufDraft& draft);
void finish_gemma3n(GgufDraft& draft);
void finish_gemma4(GgufDraft& draft);
void finish_deepseek4(GgufDraft& draft);

}  // namespace plimsoll
