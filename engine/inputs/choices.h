/// What a request chooses by name: enumerations made of presets/schema/request.json, in whose order they stand.
#pragma once

#include <cstddef>
#include <string_view>

namespace plimsoll {

/// The names of an enumeration's values as requests write them, with ", " between them.
template <class Choice>
inline constexpr std::string_view choice_names = "";

/// How many names there are in such a text.
constexpr size_t count_of(std::string_view names) {
    size_t count = 1;
    for (const char letter : names) count += letter == ',' ? 1 : 0;
    return count;
}

/// The name at a place; empty where there are not so many.
constexpr std::string_view name_at(std::string_view names, size_t at) {
    while (at-- > 0) {
        const size_t comma = names.find(", ");
        if (comma == names.npos) return {};
        names.remove_prefix(comma + 2);
    }
    return names.substr(0, names.find(','));
}

/// The place of a name; as many as there are where it is none of them.
constexpr size_t place_in(std::string_view names, std::string_view name) {
    size_t place = 0;
    const size_t count = count_of(names);
    while (place < count && name_at(names, place) != name) ++place;
    return place;
}

/// A value's name.
template <class Choice>
constexpr std::string_view name_of(Choice choice) {
    return name_at(choice_names<Choice>, static_cast<size_t>(choice));
}

#include "choices.inc"

}  // namespace plimsoll
