/// JSON text to a tree or to events, as strictly as a stranger's file deserves: every error says where it stands.
#pragma once

#ifdef __EMSCRIPTEN__  // an assertion's text and file would be bytes that the page waits for; it traps all the same
#define JSON_ASSERT(condition) ((condition) ? void() : __builtin_trap())
#endif
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "number/result.h"

namespace plimsoll {

using Json = nlohmann::ordered_json;

/// Parses `text`. Errors (code `bad_json`) name the path of the last key, line and column: syntax, numbers beyond a
/// double such as 1e400, a key given twice, nesting deeper than 64, invalid UTF-8.
Result<Json> parse_json(std::string_view text, std::string_view where);

/// The value as text, without spaces; bytes that are no UTF-8 become U+FFFD, numbers that are not finite null.
std::string json_text(const Json& value);

/// What a reader of events hears, in the order of the text; each says whether to go on. One parser calls them all:
/// nlohmann's is a template, and one more instance of it is ten thousand bytes of WebAssembly.
class JsonEvents {
public:
    virtual ~JsonEvents() = default;
    virtual bool opens(bool object) = 0;  ///< { or [
    virtual bool closes() = 0;
    virtual bool key(std::string& name) = 0;
    virtual bool text(std::string& value) = 0;
    virtual bool number(double value) = 0;
    virtual bool word(std::optional<bool> value) = 0;  ///< true, false, or nothing for null
    /// Where the reading stands, for an error of the text itself.
    virtual std::string path() const = 0;

    const std::optional<Error>& error() const { return error_; }

protected:
    /// Ends the reading.
    bool fail(Error error) {
        error_ = std::move(error);
        return false;
    }

private:
    std::optional<Error> error_;
};

/// Reads `text` as events, in memory that does not grow with it. Returns what stopped it: an error of `events`, or of
/// the text (code `bad_json`, with path, line and column).
std::optional<Error> read_json(std::string_view text, JsonEvents& events);

/// An object's member; null where there is none, or no object. (One function: nlohmann's own are templates over every
/// key's length.)
const Json* member(const Json& object, std::string_view key);
/// The same where it is text, or a number, alone.
const std::string* text_member(const Json& object, std::string_view key);
const double* number_member(const Json& object, std::string_view key);

}  // namespace plimsoll
