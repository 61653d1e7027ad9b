/// What the readers of presets share: the first thing that is wrong, units, lists, the sources that a value names.
#pragma once

#include "formats/presets/presets.h"

namespace plimsoll {

/// Collects the first thing that is wrong, so that reading stays a list of fields.
struct PresetFields {
    const Json& preset;
    std::string id;
    std::optional<Error> error;

    explicit PresetFields(const Json& given);
    void fail(const std::string& field, std::string_view what);
    std::string text(const char* field) const;
    double number(const Json& object, const char* field, double otherwise = 0);
};

/// {"value": 80, "unit": "GiB"} in bytes; `key` may be `low` or `high`.
double bytes_in(PresetFields& fields, const Json& quantity, const char* key, double otherwise = 0);
/// What a quantity's `from` names.
std::string source_of(const Json& preset, const Json& quantity);
Measured measured(PresetFields& fields, const Json& quantity);
/// A list, empty where there is none.
Json list_of(const Json& preset, std::string_view key);
/// The texts of a list; empty where there is none.
std::vector<std::string> words_of(const Json& object, const char* key);
/// Whether a switch is there and true.
bool is_set(const Json& object, const char* key);
/// All sources of a preset.
std::string any_source(const Json& preset);

}  // namespace plimsoll
