// JSON trees to text. nlohmann's own writer can indent, escape all but ASCII and write binary, and is three times this
// size in the WebAssembly that a page waits for.
#include <cmath>

#include "formats/json/json.h"

namespace plimsoll {
namespace {

struct Sequence {
    size_t length;  ///< bytes; of what cannot be read: up to the first byte that does not belong to it
    bool valid;
};

// The UTF-8 sequence that `text` begins with (RFC 3629, section 4).
Sequence sequence_of(std::string_view text) {
    const auto byte = [text](size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {1, true};
    if (lead < 0xC2 || lead > 0xF4) return {1, false};
    size_t length = 2;
    if (lead >= 0xE0) length = 3;
    if (lead >= 0xF0) length = 4;
    // the second byte's range keeps out what is longer than it need be, surrogates, and what is beyond Unicode
    unsigned char lowest = 0x80, highest = 0xBF;
    if (lead == 0xE0) lowest = 0xA0;
    if (lead == 0xF0) lowest = 0x90;
    if (lead == 0xED) highest = 0x9F;
    if (lead == 0xF4) highest = 0x8F;
    for (size_t at = 1; at < length; ++at) {
        if (at == text.size() || byte(at) < lowest || byte(at) > highest) return {at, false};
        lowest = 0x80, highest = 0xBF;
    }
    return {length, true};
}

void append_escaped(std::string& to, char letter) {
    constexpr std::string_view letters = "\"\\\b\f\n\r\t", names = "\"\\bfnrt";
    to += '\\';
    if (const size_t at = letters.find(letter); at != letters.npos) {
        to += names[at];
        return;
    }
    to += "u00";
    for (const int half : {letter >> 4, letter & 15}) to += "0123456789abcdef"[half];
}

void append_text(std::string& to, std::string_view text) {
    to += '"';
    for (size_t at = 0; at < text.size();) {
        const auto [length, valid] = sequence_of(text.substr(at));
        const char letter = text[at];
        if (!valid)
            to += "\uFFFD";
        else if (letter == '"' || letter == '\\' || (letter >= 0 && letter < ' '))
            append_escaped(to, letter);
        else
            to += text.substr(at, length);
        at += length;
    }
    to += '"';
}

void append(std::string& to, const Json& value) {
    if (const auto* object = value.get_ptr<const Json::object_t*>()) {
        char before = '{';
        for (const auto& [key, each] : *object) {
            to += before, before = ',';
            append_text(to, key);
            to += ':';
            append(to, each);
        }
        to += object->empty() ? "{}" : "}";
    } else if (const auto* array = value.get_ptr<const Json::array_t*>()) {
        char before = '[';
        for (const Json& each : *array) {
            to += before, before = ',';
            append(to, each);
        }
        to += array->empty() ? "[]" : "]";
    } else if (const auto* text = value.get_ptr<const std::string*>()) {
        append_text(to, *text);
    } else if (const auto* flag = value.get_ptr<const bool*>()) {
        to += *flag ? "true" : "false";
    } else if (const auto* whole = value.get_ptr<const Json::number_integer_t*>()) {
        to += std::to_string(*whole);  // the unsigned ones too: they are stored as these
    } else if (const auto* number = value.get_ptr<const double*>(); number && std::isfinite(*number)) {
        char digits[64];  // the shortest that reads back the same: at most 24
        to.append(digits, nlohmann::detail::to_chars(digits, digits + sizeof digits, *number));
    } else {
        to += "null";
    }
}

}  // namespace

std::string json_text(const Json& value) {
    std::string text;
    append(text, value);
    return text;
}

}  // namespace plimsoll
