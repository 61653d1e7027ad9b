// The text of JSON trees, held against nlohmann's own writer.
#include <limits>

#include "engine/catch.h"
#include "formats/json/json.h"

namespace plimsoll::test::json_text {

using plimsoll::Json;
using plimsoll::json_text;

namespace {

std::string theirs(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

TEST_CASE("each kind of value is written as nlohmann writes it") {
    const Json tree = {{"empty", Json::object()}, {"none", Json::array()}, {"null", nullptr},
                       {"flags", {true, false}},  {"text", "a b"},         {"nested", {{"list", {1, {{"x", 2}}}}}}};
    CHECK(json_text(tree) == theirs(tree));
    for (const double number : {0.0, -0.0, 0.1, 1e300, 5e-324, 2048.0, 1.0 / 3, -1e21, 123456789012345680.0})
        CHECK(json_text(number) == theirs(number));
    for (const std::int64_t whole : {std::int64_t{0}, std::int64_t{-7}, std::int64_t{9007199254740993}})
        CHECK(json_text(whole) == theirs(whole));
    CHECK(json_text(std::numeric_limits<double>::infinity()) == "null");
    CHECK(json_text(std::numeric_limits<double>::quiet_NaN()) == "null");
}

TEST_CASE("every character of ASCII is escaped as nlohmann escapes it") {
    for (int letter = 0; letter < 128; ++letter) {
        const Json text = std::string("a") + static_cast<char>(letter) + "b";
        CHECK(json_text(text) == theirs(text));
    }
}

TEST_CASE("bytes that are no UTF-8 are replaced where nlohmann replaces them") {
    // two and three bytes of every kind that matters, alone and cut short by the end or by a letter
    const std::string bytes =
        "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF";
    for (const char first : bytes)
        for (const char second : bytes)
            for (const char third : bytes)
                for (const char* end : {"", "z", "\x80", "\x80\x80"}) {
                    const Json text = std::string{first, second, third} + end;
                    if (json_text(text) != theirs(text)) FAIL(text.get<std::string>());
                }
    CHECK(json_text("\xE2\x82\xAC \xF0\x9F\x98\x80") == "\"\xE2\x82\xAC \xF0\x9F\x98\x80\"");
}

}  // namespace plimsoll::test::json_text
