/// Reads a model's facts as an architecture needs them: checked numbers with their sources, class defaults where the
/// file is silent, and the first thing wrong as an error that names the field.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/facts.h"
#include "model/model.h"
#include "number/result.h"

namespace plimsoll {

/// A default of the architecture's configuration class, used where the file does not say.
struct ClassDefault {
    const char* field;  // hundreds of these are loaded with every page: eight bytes each
    int value;
};

class Reader {
public:
    using Defaults = std::initializer_list<ClassDefault>;
    using Names = std::initializer_list<const char*>;

    Reader(const Facts& facts, std::string_view config_class, Defaults defaults)
        : facts_(facts), config_class_(config_class), defaults_(defaults) {}

    /// A whole number of at least 1 by any of its names. Absent: the class default; no default: an error.
    Traced count(Names names);
    /// The same; absent (or null): `otherwise`, which the reply lists as an assumption.
    Traced count_or(Names names, const Traced& otherwise, std::string_view why);
    /// Absent: the class default, if there is one; null or zero: nothing.
    std::optional<Traced> optional_count(Names names);
    /// The same for amounts beyond a size, such as a number of parameters.
    std::optional<Traced> optional_amount(std::string_view name, double largest);
    double number_or(Names names, double otherwise);
    bool flag_or(Names names, bool otherwise);
    std::string word_or(Names names, std::string_view otherwise);
    const std::vector<std::string>* words(std::string_view name) const {
        return facts_.get<std::vector<std::string>>(prefix_ + std::string(name));
    }
    bool has(std::string_view name) const { return facts_.find(prefix_ + std::string(name)) != nullptr; }

    /// hidden_size / num_attention_heads, or an error where that is not whole.
    Traced head_dim(const Traced& hidden, const Traced& heads);
    /// An error unless `heads` is a multiple of `groups`.
    void require_multiple(const Traced& heads, const Traced& groups, std::string_view field);

    void fail(std::string_view field, std::string_view code, const std::string& what, const std::string& hint);
    const std::optional<Error>& error() const { return error_; }
    const std::vector<Assumption>& assumptions() const { return assumptions_; }
    const Facts& facts() const { return facts_; }
    const std::vector<double>* numbers(std::string_view name) const {
        return facts_.get<std::vector<double>>(prefix_ + std::string(name));
    }

    /// Reads the nested configuration `block` (such as `text_config`) until the next call, with the defaults of its own
    /// class; "" for the outermost.
    void enter(std::string_view block, std::string_view config_class, Defaults defaults);

private:
    const FactValue* find(Names names, std::string_view& found) const;
    std::optional<Traced> checked_count(std::string_view name, const FactValue& value, double largest);
    const ClassDefault* default_of(Names names) const;
    void assume(std::string_view field, double value, std::string_view why);

    const Facts& facts_;
    std::string config_class_;
    std::vector<ClassDefault> defaults_;
    std::string prefix_;  ///< of the nested configuration that is being read, with its dot
    std::vector<Assumption> assumptions_;
    std::optional<Error> error_;
};

}  // namespace plimsoll
