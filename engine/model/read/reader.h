/// Reads a model's facts as an architecture needs them: checked numbers with their sources, class defaults where the
/// file is silent, and the first thing wrong as an error that names the field.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/model.h"
#include "model/read/facts.h"
#include "number/result.h"

namespace plimsoll {

/// A default of the architecture's configuration class, used where the file does not say.
struct ClassDefault {
    const char* field;  // hundreds of these are loaded with every page: eight bytes each
    int value;
};

/// The names of one field, from the one that counts first to the last. Four pointers and no initializer_list: written
/// where it is used, it is a constant, and a call passes its address alone.
class Names {
public:
    constexpr Names(const char* first, const char* second = nullptr, const char* third = nullptr,
                    const char* fourth = nullptr)
        : names_{first, second, third, fourth} {}
    const char* const* begin() const { return names_; }
    const char* const* end() const { return std::find(names_, std::end(names_), nullptr); }

private:
    const char* names_[4];
};

class Reader {
public:
    using Defaults = std::initializer_list<ClassDefault>;

    Reader(const Facts& facts, Label config_class, Defaults defaults)
        : facts_(facts), config_class_(config_class), defaults_(defaults) {}

    /// A whole number of at least 1 by any of its names. Absent: the class default; no default: an error.
    Traced count(const Names& names);
    /// The same; absent (or null): `otherwise`, which the reply lists as an assumption.
    Traced count_or(const Names& names, const Traced& otherwise, Label why);
    /// Absent: the class default, if there is one; null or zero: nothing.
    std::optional<Traced> optional_count(const Names& names);
    /// The same for amounts beyond a size, such as a number of parameters.
    std::optional<Traced> optional_amount(Label name, double largest);
    /// Absent: the class default; no default, or null: `otherwise`. A flag's default is 0 or 1.
    double number_or(const Names& names, double otherwise);
    bool flag_or(const Names& names, bool otherwise);
    std::string word_or(const Names& names, Label otherwise);
    const std::vector<std::string>* words(Label name) const;
    bool has(Label name) const { return stated(name) != nullptr; }
    /// Whether it is stated, or the class has a default for it.
    bool knows(const char* name) const { return has(name) || default_of(name) != nullptr; }

    /// hidden_size / num_attention_heads, or an error where that is not whole.
    Traced head_dim(const Traced& hidden, const Traced& heads);
    /// An error unless `heads` is a multiple of `groups`.
    void require_multiple(const Traced& heads, const Traced& groups, Label field);

    void fail(Label field, Label code, const std::string& what, Label hint);
    void fail(Label field, Label code, const char* what, Label hint);
    const std::optional<Error>& error() const { return error_; }
    const std::vector<Assumption>& assumptions() const { return assumptions_; }
    const Facts& facts() const { return facts_; }
    const std::vector<double>* numbers(Label name) const;

    /// Reads the nested configuration `block` (such as `text_config`) until the next call, with the defaults of its own
    /// class; "" for the outermost.
    void enter(const char* block, Label config_class, Defaults defaults);
    /// Whether a model's language model is being read: one that names a model with a language model has no end.
    bool in_language_model = false;

private:
    const FactValue* stated(Label name) const;
    const FactValue* find(const Names& names, Label& found) const;
    std::optional<Traced> checked_count(Label name, const FactValue& value, double largest);
    const ClassDefault* default_of(const Names& names) const;
    std::string source_of(Label name) const;
    void assume(Label field, double value, std::string_view why);

    const Facts& facts_;
    std::string config_class_;
    std::vector<ClassDefault> defaults_;
    std::string prefix_;  ///< of the nested configuration that is being read, with its dot
    std::vector<Assumption> assumptions_;
    std::optional<Error> error_;
};

}  // namespace plimsoll
