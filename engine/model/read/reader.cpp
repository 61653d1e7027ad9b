#include "model/read/reader.h"

#include <cmath>

#include "number/shown.h"

namespace plimsoll {
namespace {

// Sizes beyond this cannot be told apart from typing errors, and products of them would leave the exact integers.
constexpr double largest_size = 1e9;

}  // namespace

const FactValue* Reader::stated(Label name) const { return facts_.find(prefix_ + std::string(name)); }

const std::vector<std::string>* Reader::words(Label name) const {
    return std::get_if<std::vector<std::string>>(stated(name));
}

const std::vector<double>* Reader::numbers(Label name) const { return std::get_if<std::vector<double>>(stated(name)); }

const FactValue* Reader::find(const Names& names, Label& found) const {
    for (const Label name : names)
        if (const FactValue* value = stated(name)) {
            found = name;
            return value;
        }
    return nullptr;
}

const ClassDefault* Reader::default_of(const Names& names) const {
    for (const Label name : names)
        for (const ClassDefault& entry : defaults_)
            if (name == entry.field) return &entry;
    return nullptr;
}

void Reader::enter(const char* block, Label config_class, Defaults defaults) {
    prefix_ = std::string(block);
    if (!prefix_.empty()) prefix_ += '.';
    config_class_ = config_class;
    defaults_ = defaults;
}

void Reader::fail(Label field, Label code, const std::string& what, Label hint) {
    if (!error_) error_ = Error{code, facts_.where + "." + prefix_ + std::string(field), what, hint};
}

void Reader::fail(Label field, Label code, const char* what, Label hint) { fail(field, code, std::string(what), hint); }

std::optional<Traced> Reader::checked_count(Label name, const FactValue& value, double largest) {
    const double* number = std::get_if<double>(&value);
    if (!number) {
        fail(name, "wrong_type", std::string(name) + " must be a whole number",
             "write it as a number, without quotes or brackets");
    } else if (!(*number >= 1) || *number > largest || *number != std::floor(*number)) {
        fail(name, "out_of_range",
             std::string(name) + " is " + shown(*number) + "; it must be a whole number from 1 to " + shown(largest),
             "copy the value from the model's config.json");
    } else {
        return Traced::leaf(std::string_view(name), *number, source_of(name));
    }
    return std::nullopt;
}

std::string Reader::source_of(Label name) const {
    const std::string path = prefix_ + std::string(name);
    const auto before = facts_.pruned.find(path);
    return facts_.origin + ": " + path +
           (before == facts_.pruned.end() ? "" : ", " + shown(before->second) + " less what is pruned");
}

void Reader::assume(Label field, double value, std::string_view why) {
    std::string path = facts_.where + "." + prefix_ + std::string(field);
    for (const Assumption& known : assumptions_)
        if (known.field == path) return;  // layers of several kinds read the same field again
    assumptions_.push_back({std::move(path), value, std::string(why)});
}

Traced Reader::count(const Names& names) {
    Label name = "";
    if (const FactValue* value = find(names, name))
        return checked_count(name, *value, largest_size).value_or(Traced(1));
    if (const ClassDefault* given = default_of(names)) {
        const std::string why = "not in " + facts_.origin + "; default of " + config_class_;
        assume(given->field, given->value, why);
        return Traced::leaf(Name(given->field), given->value, config_class_ + " (transformers), class default");
    }
    const Label first = *names.begin();
    fail(first, "missing_field", std::string(first) + " is missing and has no default",
         "add it to the model's configuration");
    return Traced(1);
}

Traced Reader::count_or(const Names& names, const Traced& otherwise, Label why) {
    Label name = "";
    const FactValue* value = find(names, name);
    const bool null = value && std::holds_alternative<std::monostate>(*value);
    if (value && !null) return checked_count(name, *value, largest_size).value_or(Traced(1));
    if (!null && default_of(names)) return count(names);
    const Label first = *names.begin();
    assume(first, otherwise.value(), why);
    return Traced::name(Made::term, first, otherwise);
}

std::optional<Traced> Reader::optional_count(const Names& names) {
    Label name = "";
    const FactValue* value = find(names, name);
    if (!value) return default_of(names) ? std::optional(count(names)) : std::nullopt;
    if (std::holds_alternative<std::monostate>(*value)) return std::nullopt;
    if (const double* number = std::get_if<double>(value); number && *number == 0) return std::nullopt;
    return checked_count(name, *value, largest_size);
}

std::optional<Traced> Reader::optional_amount(Label name, double largest) {
    const FactValue* value = stated(name);
    if (!value || std::holds_alternative<std::monostate>(*value)) return std::nullopt;
    return checked_count(name, *value, largest);
}

double Reader::number_or(const Names& names, double otherwise) {
    Label name = "";
    const FactValue* value = find(names, name);
    if (!value) {
        const ClassDefault* given = default_of(names);
        return given ? given->value : otherwise;
    }
    if (std::holds_alternative<std::monostate>(*value)) return otherwise;
    if (const double* number = std::get_if<double>(value)) return *number;
    fail(name, "wrong_type", std::string(name) + " must be a number",
         "write it as a number, without quotes or brackets");
    return otherwise;
}

bool Reader::flag_or(const Names& names, bool otherwise) {
    Label name = "";
    const FactValue* value = find(names, name);
    if (!value) {
        const ClassDefault* given = default_of(names);
        return given ? given->value != 0 : otherwise;
    }
    if (std::holds_alternative<std::monostate>(*value)) return otherwise;
    if (const bool* flag = std::get_if<bool>(value)) return *flag;
    fail(name, "wrong_type", std::string(name) + " must be true or false", "write true or false, without quotes");
    return otherwise;
}

std::string Reader::word_or(const Names& names, Label otherwise) {
    Label name = "";
    const FactValue* value = find(names, name);
    if (!value || std::holds_alternative<std::monostate>(*value)) return std::string(otherwise);
    if (const std::string* word = std::get_if<std::string>(value)) return *word;
    fail(name, "wrong_type", std::string(name) + " must be text", "write it in quotes");
    return std::string(otherwise);
}

Traced Reader::head_dim(const Traced& hidden, const Traced& heads) {
    if (!is_multiple(hidden.value(), heads.value())) {
        fail("num_attention_heads", "does_not_divide",
             "hidden_size " + shown(hidden.value()) + " is not a multiple of the " + shown(heads.value()) +
                 " attention heads",
             "correct one of the two, or state head_dim");
        return Traced(1);
    }
    return Traced::name(Made::term, "head_dim", hidden / heads);
}

void Reader::require_multiple(const Traced& heads, const Traced& groups, Label field) {
    if (!is_multiple(heads.value(), groups.value()))
        fail(
            field, "does_not_divide",
            shown(heads.value()) + " attention heads cannot share " + shown(groups.value()) + " key-value heads evenly",
            "num_attention_heads must be a multiple of num_key_value_heads");
}

}  // namespace plimsoll
