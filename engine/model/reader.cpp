#include "model/reader.h"

#include <cmath>

#include "number/shown.h"

namespace plimsoll {
namespace {

// Sizes beyond this cannot be told apart from typing errors, and products of them would leave the exact integers.
constexpr double largest_size = 1e9;

}  // namespace

const FactValue* Reader::find(Names names, std::string_view& found) const {
    for (const char* name : names)
        if (const FactValue* value = facts_.find(prefix_ + std::string(name))) {
            found = name;
            return value;
        }
    return nullptr;
}

const ClassDefault* Reader::default_of(Names names) const {
    for (const std::string_view name : names)
        for (const ClassDefault& entry : defaults_)
            if (name == entry.field) return &entry;
    return nullptr;
}

void Reader::enter(std::string_view block, std::string_view config_class, Defaults defaults) {
    prefix_ = block;
    if (!block.empty()) prefix_ += '.';
    config_class_ = config_class;
    defaults_ = defaults;
}

void Reader::fail(std::string_view field, std::string_view code, const std::string& what, const std::string& hint) {
    if (!error_) error_ = Error{std::string(code), facts_.where + "." + prefix_ + std::string(field), what, hint};
}

std::optional<Traced> Reader::checked_count(std::string_view name, const FactValue& value, double largest) {
    const double* number = std::get_if<double>(&value);
    if (!number) {
        fail(name, "wrong_type", std::string(name) + " must be a whole number",
             "write it as a number, without quotes or brackets");
    } else if (!(*number >= 1) || *number > largest || *number != std::floor(*number)) {
        fail(name, "out_of_range",
             std::string(name) + " is " + shown(*number) + "; it must be a whole number from 1 to " + shown(largest),
             "copy the value from the model's config.json");
    } else {
        return Traced::leaf(name, *number, facts_.origin + ": " + prefix_ + std::string(name));
    }
    return std::nullopt;
}

void Reader::assume(std::string_view field, double value, std::string_view why) {
    std::string path = facts_.where + "." + prefix_ + std::string(field);
    for (const Assumption& known : assumptions_)
        if (known.field == path) return;  // layers of several kinds read the same field again
    assumptions_.push_back({std::move(path), value, std::string(why)});
}

Traced Reader::count(Names names) {
    std::string_view name;
    if (const FactValue* value = find(names, name))
        return checked_count(name, *value, largest_size).value_or(Traced(1));
    if (const ClassDefault* given = default_of(names)) {
        const std::string why = "not in " + facts_.origin + "; default of " + config_class_;
        assume(given->field, given->value, why);
        return Traced::leaf(given->field, given->value, config_class_ + " (transformers), class default");
    }
    const std::string first(*names.begin());
    fail(first, "missing_field", first + " is missing and has no default", "add it to the model's configuration");
    return Traced(1);
}

Traced Reader::count_or(Names names, const Traced& otherwise, std::string_view why) {
    std::string_view name;
    const FactValue* value = find(names, name);
    const bool null = value && std::holds_alternative<std::monostate>(*value);
    if (value && !null) return checked_count(name, *value, largest_size).value_or(Traced(1));
    if (!null && default_of(names)) return count(names);
    const std::string first(*names.begin());
    assume(first, otherwise.value(), why);
    return Traced::name(Made::term, first, otherwise);
}

std::optional<Traced> Reader::optional_count(Names names) {
    std::string_view name;
    const FactValue* value = find(names, name);
    if (!value) return default_of(names) ? std::optional(count(names)) : std::nullopt;
    if (std::holds_alternative<std::monostate>(*value)) return std::nullopt;
    if (const double* number = std::get_if<double>(value); number && *number == 0) return std::nullopt;
    return checked_count(name, *value, largest_size);
}

std::optional<Traced> Reader::optional_amount(std::string_view name, double largest) {
    const FactValue* value = facts_.find(prefix_ + std::string(name));
    if (!value || std::holds_alternative<std::monostate>(*value)) return std::nullopt;
    return checked_count(name, *value, largest);
}

double Reader::number_or(Names names, double otherwise) {
    std::string_view name;
    const FactValue* value = find(names, name);
    if (!value || std::holds_alternative<std::monostate>(*value)) {
        const ClassDefault* given = default_of(names);
        return given ? given->value : otherwise;
    }
    if (const double* number = std::get_if<double>(value)) return *number;
    fail(name, "wrong_type", std::string(name) + " must be a number",
         "write it as a number, without quotes or brackets");
    return otherwise;
}

bool Reader::flag_or(Names names, bool otherwise) {
    std::string_view name;
    const FactValue* value = find(names, name);
    if (!value || std::holds_alternative<std::monostate>(*value)) return otherwise;
    if (const bool* flag = std::get_if<bool>(value)) return *flag;
    fail(name, "wrong_type", std::string(name) + " must be true or false", "write true or false, without quotes");
    return otherwise;
}

std::string Reader::word_or(Names names, std::string_view otherwise) {
    std::string_view name;
    const FactValue* value = find(names, name);
    if (!value || std::holds_alternative<std::monostate>(*value)) return std::string(otherwise);
    if (const std::string* word = std::get_if<std::string>(value)) return *word;
    fail(name, "wrong_type", std::string(name) + " must be text", "write it in quotes");
    return std::string(otherwise);
}

Traced Reader::head_dim(const Traced& hidden, const Traced& heads) {
    if (std::fmod(hidden.value(), heads.value()) != 0) {
        fail("num_attention_heads", "does_not_divide",
             "hidden_size " + shown(hidden.value()) + " is not a multiple of the " + shown(heads.value()) +
                 " attention heads",
             "correct one of the two, or state head_dim");
        return Traced(1);
    }
    return Traced::name(Made::term, "head_dim", hidden / heads);
}

void Reader::require_multiple(const Traced& heads, const Traced& groups, std::string_view field) {
    if (std::fmod(heads.value(), groups.value()) != 0)
        fail(
            field, "does_not_divide",
            shown(heads.value()) + " attention heads cannot share " + shown(groups.value()) + " key-value heads evenly",
            "num_attention_heads must be a multiple of num_key_value_heads");
}

}  // namespace plimsoll
