#include "formats/gguf/gguf_draft.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr double most_layers = 4096;  // a number per layer is made up for no more

}  // namespace

double GgufDraft::number(std::string_view key, double otherwise) const {
    const FactValue* value = find(key);
    if (!value) return otherwise;
    if (const double* number = std::get_if<double>(value)) return *number;
    const auto* list = std::get_if<std::vector<double>>(value);
    return list && !list->empty() ? *std::max_element(list->begin(), list->end()) : otherwise;
}

std::vector<double> GgufDraft::per_layer(std::string_view key) const {
    const double count = layers();
    const size_t length = count >= 1 && count <= most_layers ? static_cast<size_t>(count) : 0;
    const std::vector<double>* stated = list(key);
    std::vector<double> numbers = stated ? *stated : std::vector<double>(length, number(key));
    numbers.resize(length);
    return numbers;
}

const std::vector<double>* GgufDraft::list(std::string_view key) const {
    const FactValue* value = find(key);
    return value ? std::get_if<std::vector<double>>(value) : nullptr;
}

bool GgufDraft::has(std::string_view key) const { return find(key) != nullptr; }

TensorRole GgufDraft::role(std::string_view role) const {
    const auto found = gguf_.roles.find(role);
    return found == gguf_.roles.end() ? TensorRole() : found->second;
}

void GgufDraft::set(std::string_view fact, FactValue value) {
    facts.values.insert_or_assign(std::string(fact), std::move(value));
}

void GgufDraft::set_stored(std::string_view fact, std::string_view role) { set(fact, stores(role)); }

void GgufDraft::set_rows(std::string_view fact, std::string_view name) {
    if (const double rows = role(name).rows; rows > 0) set(fact, rows);
}

void GgufDraft::set_type(const char* model_type) { set("model_type", std::string(model_type)); }

void GgufDraft::set_layers(std::string_view fact, const std::vector<double>& numbers, const char* yes, const char* no) {
    std::vector<std::string> words;
    words.reserve(numbers.size());
    for (const double number : numbers) words.emplace_back(number > 0 ? yes : no);
    set(fact, std::move(words));
}

// Some converters write the same number for every layer; where they differ, the architecture's rule reads the list.
void GgufDraft::take(const GgufName& name) {
    const FactValue* value = find(name.key);
    if (!value) return;
    const auto* list = std::get_if<std::vector<double>>(value);
    if (list && !list->empty() && std::equal(list->begin() + 1, list->end(), list->begin()))
        set(name.fact, list->front());
    else
        set(name.fact, *value);
}

}  // namespace plimsoll
