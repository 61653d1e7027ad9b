// The reader of JSON against nlohmann's own parser: whatever the bytes, both take or refuse them, and hear the same.
#include <cstdint>
#include <random>
#include <string>

#include "engine/catch.h"
#include "formats/json/json.h"

namespace plimsoll::test::json_events {

namespace {

/// Writes down what it hears.
class Heard : public JsonEvents {
public:
    bool opens(bool object) override { return hear(object ? "{" : "["); }
    bool closes() override { return hear("}"); }
    bool key(std::string& name) override { return hear("key " + name); }
    bool text(std::string& value) override { return hear("text " + value); }
    bool number(double value) override { return hear("number " + std::to_string(value)); }
    bool word(std::optional<bool> value) override { return hear(value ? std::to_string(*value) : "null"); }
    std::string path() const override { return {}; }

    std::string log;

private:
    bool hear(const std::string& what) {
        log += what + "\n";
        return true;
    }
};

/// The same of nlohmann's parser.
struct Oracle : nlohmann::json_sax<Json> {
    Heard heard;
    std::string token;
    int reason = 0;

    bool null() override { return heard.word(std::nullopt); }
    bool boolean(bool value) override { return heard.word(value); }
    bool number_integer(number_integer_t value) override { return heard.number(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) override { return heard.number(static_cast<double>(value)); }
    bool number_float(number_float_t value, const string_t&) override { return heard.number(value); }
    bool string(string_t& value) override { return heard.text(value); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return heard.opens(true); }
    bool start_array(std::size_t) override { return heard.opens(false); }
    bool end_object() override { return heard.closes(); }
    bool end_array() override { return heard.closes(); }
    bool key(string_t& value) override { return heard.key(value); }
    bool parse_error(std::size_t, const std::string& last, const nlohmann::detail::exception& error) override {
        token = last;
        reason = error.id;
        return false;
    }
};

void check_alike(const std::string& text) {
    Heard heard;
    Oracle oracle;
    const std::optional<Error> error = read_json(text, heard);
    const bool taken = Json::sax_parse(text.data(), text.data() + text.size(), &oracle);
    INFO(text);
    REQUIRE(taken == !error);
    REQUIRE(heard.log == oracle.heard.log);
    if (taken) return;
    const std::string wanted = oracle.reason == 406 ? "the number " + oracle.token + " is too large"
                                                    : "not JSON, at \"" + oracle.token.substr(0, 40) + "\"";
    REQUIRE(error->what.substr(0, wanted.size()) == wanted);
}

}  // namespace

TEST_CASE("JSON is taken or refused as nlohmann's parser does it, and heard alike") {
    const std::string wholes[] = {
        R"({"a":[1,2.5,-3e5,{"b":null}],"c":"x\u00e9\n","d":true,"e":{},"f":[]})",
        R"([[],[[]],{"q":1e400},"\ud83d\ude00",18446744073709551615,-9223372036854775808,0.1])",
        "  12 ",
        "\"s\"",
        "[1,",
        "{\"a\":",
        "{",
        "",
        "nul",
        "[1 2]",
        "{\"a\" 1}",
        "{1:2}",
        "\xEF\xBB\xBF[1]"};
    constexpr char letters[] = "{}[]:,\"\\0123456789eE+-.tfnrulas \n\x01\xc3\xa9";
    std::mt19937 random(17);
    const auto below = [&random](size_t limit) { return static_cast<size_t>(random() % limit); };
    for (const std::string& whole : wholes) {
        check_alike(whole);
        for (int damaged = 0; damaged < 2000; ++damaged) {
            std::string text = whole;
            for (size_t times = below(4); times > 0 && !text.empty(); --times) {
                const size_t at = below(text.size());
                const char letter = letters[below(sizeof letters - 1)];
                if (const size_t how = below(3); how == 0)
                    text.erase(at, 1 + below(3));
                else if (how == 1)
                    text.insert(at, 1, letter);
                else
                    text[at] = letter;
            }
            check_alike(text);
        }
    }
}

}  // namespace plimsoll::test::json_events
