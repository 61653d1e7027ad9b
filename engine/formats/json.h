/// JSON text to a tree, as strictly as a stranger's file deserves: every error says where it stands.
#pragma once

#ifdef __EMSCRIPTEN__  // an assertion's text and file would be bytes that the page waits for; it traps all the same
#define JSON_ASSERT(condition) ((condition) ? void() : __builtin_trap())
#endif
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "number/result.h"

namespace plimsoll {

using Json = nlohmann::ordered_json;

/// Parses `text`. Errors (code `bad_json`) name the path of the last key, line and column: syntax, numbers beyond a
/// double such as 1e400, a key given twice, nesting deeper than 64, invalid UTF-8.
Result<Json> parse_json(std::string_view text, std::string_view where);

/// An object's member; null where there is none, or no object. (One function: nlohmann's own are templates over every
/// key's length.)
const Json* member(const Json& object, std::string_view key);
/// The same where it is text, or a number, alone.
const std::string* text_member(const Json& object, std::string_view key);
const double* number_member(const Json& object, std::string_view key);

}  // namespace plimsoll
