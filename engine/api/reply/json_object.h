/// Builds the JSON of replies, a member or an item at a time. Out of line on purpose: nlohmann's initializer lists read
/// as well, but take thousands of bytes of WebAssembly that a page waits for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/json/json.h"

namespace plimsoll {

/// A whole number of bytes or parameters. Sums stay exact integers up to 2^53; requests beyond are refused.
Json whole(double number);
/// A double as JSON; whole ones without a fraction: 2048, not 2048.0.
Json tidy(double number);

class JsonObject {
public:
    JsonObject& text(const char* key, std::string_view value);
    JsonObject& text(const char* key, const char* value);
    JsonObject& whole(const char* key, double value);
    JsonObject& tidy(const char* key, double value);
    JsonObject& put(const char* key, Json&& value);
    JsonObject& put(const char* key, JsonObject&& value) { return put(key, std::move(value.json_)); }

    /// The object made; nothing is left here.
    Json take() { return std::move(json_); }
    void append_to(Json& array);

private:
    Json json_ = Json::object();
};

/// A list of texts.
Json texts(const std::vector<std::string>& list);

}  // namespace plimsoll
