// What the readers of presets share.
#include "formats/presets/preset_fields.h"

namespace plimsoll {

PresetFields::PresetFields(const Json& given) : preset(given) {
    if (const std::string* given_id = text_member(preset, "id"))
        id = *given_id;
    else
        error = Error{"missing_field", "presets", "a preset without an id", "give each preset an \"id\""};
}

void PresetFields::fail(const std::string& field, std::string_view what) {
    if (!error) error = Error{"bad_preset", id + "." + field, what, "see presets/schema"};
}

std::string PresetFields::text(const char* field) const {
    const std::string* value = text_member(preset, field);
    return value ? *value : std::string();
}

double PresetFields::number(const Json& object, const char* field, double otherwise) {
    if (const double* value = number_member(object, field)) return *value;
    if (member(object, field)) fail(field, "must be a number");
    return otherwise;
}

namespace {

double unit_bytes(const std::string& unit) {
    if (unit == "KiB") return 1024;
    if (unit == "MiB") return 1048576;
    if (unit == "GiB") return 1073741824;
    if (unit == "GB") return 1e9;
    if (unit == "MB") return 1e6;
    return unit == "byte" ? 1 : 0;
}

}  // namespace

double bytes_in(PresetFields& fields, const Json& quantity, const char* key, double otherwise) {
    const double value = fields.number(quantity, key, -1);
    if (value < 0) return otherwise;
    const std::string* name = text_member(quantity, "unit");
    const double unit = name ? unit_bytes(*name) : 0;
    if (unit == 0) fields.fail(key, "needs a unit: byte, KiB, MiB, GiB, MB or GB");
    return value * unit;
}

std::string source_of(const Json& preset, const Json& quantity) {
    const Json* from = member(quantity, "from");
    return source_line(preset, from ? *from : Json());
}

Measured measured(PresetFields& fields, const Json& quantity) {
    const double bytes = bytes_in(fields, quantity, "value");
    return {bytes, bytes_in(fields, quantity, "low", bytes), bytes_in(fields, quantity, "high", bytes),
            source_of(fields.preset, quantity)};
}

Json list_of(const Json& preset, std::string_view key) {
    const Json* list = member(preset, key);
    return list ? *list : Json::array();
}

std::vector<std::string> words_of(const Json& object, const char* key) {
    std::vector<std::string> words;
    for (const Json& word : list_of(object, key))
        if (const std::string* text = word.get_ptr<const std::string*>()) words.push_back(*text);
    return words;
}

std::string any_source(const Json& preset) {
    const Json* sources = member(preset, "sources");
    if (!sources || !sources->is_object()) return {};
    Json keys = Json::array();
    for (const auto& [key, source] : sources->items()) keys.push_back(key);
    return source_line(preset, keys);
}

std::string source_line(const Json& preset, const Json& from) {
    std::string line;
    const auto add = [&](const Json& key) {
        const std::string* name = key.get_ptr<const std::string*>();
        const Json* sources = name ? member(preset, "sources") : nullptr;
        const Json* source = sources ? member(*sources, *name) : nullptr;
        if (!source || !source->is_object()) return;
        if (!line.empty()) line += '\n';
        if (const std::string* title = text_member(*source, "title")) line += *title;
        if (const std::string* url = text_member(*source, "url")) line += " <" + *url + ">";
    };
    if (from.is_array())
        for (const Json& key : from) add(key);
    else
        add(from);
    return line.empty() ? "presets/" : line;
}

bool is_set(const Json& object, const char* key) {
    const Json* flag = member(object, key);
    return flag && *flag == true;
}

}  // namespace plimsoll
