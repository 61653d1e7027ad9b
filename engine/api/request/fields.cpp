#include "api/request/fields.h"

#include <algorithm>

#include "number/shown.h"

namespace plimsoll {

std::string shown_json(const Json& value) {
    if (value.is_number()) return shown(value.get<double>());  // 3 as 3, though every number is read as a double
    const std::string text = json_text(value);
    return text.size() > 60 ? text.substr(0, 60).append("…") : text;
}

Error no_such_choice(std::string_view key, std::string_view path, std::string_view chosen, std::string_view names) {
    return {"unknown_value", std::string(path),
            "there is no " + std::string(key) + " \"" + std::string(chosen.substr(0, 60)) + "\"",
            "one of: " + std::string(names)};
}

size_t distance(std::string_view one, std::string_view other) {
    std::vector<size_t> row(other.size() + 1);
    for (size_t at = 0; at < row.size(); ++at) row[at] = at;
    for (size_t i = 0; i < one.size(); ++i) {
        size_t diagonal = row[0]++;
        for (size_t j = 0; j < other.size(); ++j) {
            const size_t changed = diagonal + (one[i] == other[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

Note::Note(std::string_view of_code, std::string_view of_where, std::string_view of_text, Json of_values)
    : code(of_code), where(of_where), text(of_text), values(std::move(of_values)) {}

void Reading::assume(std::string_view field, std::variant<double, bool, std::string> value, std::string_view why) {
    if (!silent) assumptions.push_back({std::string(field), std::move(value), std::string(why)});
}

void Reading::fail(const Error& given) {
    if (!error) error = given;
}

Fields::Fields(const Json* object, std::string path, Reading& reading)
    : object_(object), path_(std::move(path)), reading_(reading) {
    if (!object_ || object_->is_object()) return;
    reading_.fail({"wrong_type", path_, "must be an object, not " + shown_json(*object_), "write it in braces"});
    object_ = nullptr;
}

bool Fields::has(std::string_view key) const { return object_ && object_->contains(key) && !raw(key).is_null(); }

Fields Fields::with(const std::vector<Implied>& implied) const {
    Fields fields = *this;
    fields.implied_ = &implied;
    return fields;
}

const Implied* Fields::implied(std::string_view key) const {
    if (!implied_) return nullptr;
    for (const Implied& each : *implied_)
        if (each.key.size() == within_.size() + key.size() && each.key.substr(0, within_.size()) == within_ &&
            each.key.substr(within_.size()) == key)
            return &each;
    return nullptr;
}

template <class T>
const T* Fields::take_implied(std::string_view key) {
    const Implied* found = implied(key);
    const T* value = found ? std::get_if<T>(&found->value) : nullptr;
    if (!value || found->why.empty() || reading_.silent) return value;
    const std::string field = path(key);
    for (const Assumption& told : reading_.assumptions)
        if (told.field == field) return value;
    reading_.assume(field, found->value, found->why);
    return value;
}

const Json& Fields::raw(std::string_view key) const { return *object_->find(key); }

std::string Fields::path(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

std::string Fields::source(std::string_view key) const {
    return reading_.silent ? std::string() : (has(key) ? "request: " : "default: ") + path(key);
}

Fields Fields::child(std::string_view key) const {
    Fields inner(has(key) ? &raw(key) : nullptr, path(key), reading_);
    inner.implied_ = implied_;
    if (implied_) inner.within_ = within_ + std::string(key) + ".";
    return inner;
}

double Fields::number(std::string_view key, double otherwise, std::string_view why) {
    if (const std::optional<double> said = optional_number(key)) return *said;
    if (!reading_.silent) reading_.assume(path(key), otherwise, why);
    return otherwise;
}

std::optional<double> Fields::optional_number(std::string_view key) {
    if (has(key) && raw(key).is_number()) return raw(key).get<double>();
    if (const double* value = take_implied<double>(key)) return *value;
    return std::nullopt;
}

bool Fields::flag(std::string_view key, bool otherwise, std::string_view why) {
    if (has(key) && raw(key).is_boolean()) return raw(key).get<bool>();
    if (const bool* value = take_implied<bool>(key)) return *value;
    if (!reading_.silent) reading_.assume(path(key), otherwise, why);
    return otherwise;
}

std::string Fields::word(std::string_view key, std::string_view otherwise, std::string_view why) {
    if (has(key) && raw(key).is_string()) return raw(key).get<std::string>();
    if (const std::string* value = take_implied<std::string>(key)) return *value;
    if (!reading_.silent && !why.empty()) reading_.assume(path(key), std::string(otherwise), why);
    return std::string(otherwise);
}

std::string Fields::choice(std::string_view key, std::string_view names, std::string_view otherwise,
                           std::string_view why) {
    std::string chosen = word(key, otherwise, why);
    if (place_in(names, chosen) < count_of(names)) return chosen;
    reading_.fail(no_such_choice(key, path(key), chosen, names));
    return std::string(otherwise);
}

size_t Fields::picked(std::string_view key, std::string_view names, size_t otherwise, std::string_view why) {
    const std::string_view usual = name_at(names, otherwise);
    const std::string chosen = word(key, usual, why);
    const size_t place = chosen == usual ? otherwise : place_in(names, chosen);
    if (place < count_of(names)) return place;
    reading_.fail(no_such_choice(key, path(key), chosen, names));  // of a preset's: a request's own was looked at
    return otherwise;
}

void Fields::only(std::string_view key, const Json& neutral, std::string_view what) {
    if (!has(key) || raw(key) == neutral) return;
    reading_.fail({"not_supported", path(key), std::string(what) + " is not estimated yet",
                   "leave it out, or set it to " + shown_json(neutral)});
}

void Fields::uses(std::initializer_list<std::string_view> keys) {
    if (!object_ || reading_.silent) return;
    for (const auto& [key, value] : object_->items())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            reading_.notes.push_back({"not_used", path(key), "this runtime has no such setting; it was not used"});
}

}  // namespace plimsoll
