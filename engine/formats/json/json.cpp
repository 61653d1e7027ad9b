#include "formats/json/json.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "formats/json/name_set.h"

namespace plimsoll {
namespace {

constexpr size_t deepest = 64;
constexpr size_t longest = 32U << 20U;  // bytes of text that becomes a tree

// Builds the tree from the parser's events, and keeps the path, which nlohmann's own builder does not tell.
class Builder : public JsonEvents {
public:
    Json take() { return std::move(root_); }
    std::string path() const override {
        std::string path;
        for (const Level& level : levels_) {
            if (level.node->is_array())
                path += "[" + std::to_string(level.node->size()) + "]";
            else if (!level.key.empty())
                path += (path.empty() ? "" : ".") + level.key;
        }
        return path;
    }

    bool opens(bool object) override {
        if (levels_.size() == deepest)
            return fail({"bad_json", path(), "nested more than " + std::to_string(deepest) + " levels deep",
                         "a model's files are flatter than that"});
        levels_.push_back({place(object ? Json::object() : Json::array()), {}, {}});
        return true;
    }
    bool closes() override {
        levels_.pop_back();
        return true;
    }
    bool key(std::string& name) override {
        Level& top = levels_.back();
        top.key = name;
        if (top.names.insert(name)) return true;
        return fail({"bad_json", path(), "the key \"" + name + "\" stands twice in one object", "keep one of the two"});
    }
    bool text(std::string& value) override { return place(std::move(value)) != nullptr; }
    bool number(double value) override { return place(value) != nullptr; }
    bool word(std::optional<bool> value) override { return place(value ? Json(*value) : Json()) != nullptr; }

private:
    struct Level {
        Json* node;
        std::string key;
        NameSet names;
    };
    Json* place(Json value) {
        if (levels_.empty()) return &(root_ = std::move(value));
        Level& top = levels_.back();
        if (Json::array_t* array = top.node->get_ptr<Json::array_t*>()) {
            array->push_back(std::move(value));
            return &array->back();
        }
        // appended without a search for the key, which is known to be new: the search would make long objects slow
        auto* object = top.node->get_ptr<Json::object_t*>();
        object->Container::push_back({top.key, std::move(value)});
        return &object->back().second;
    }

    Json root_;
    std::vector<Level> levels_;
};

using Source = decltype(nlohmann::detail::input_adapter(std::declval<const char*>(), std::declval<const char*>()));
using Lexer = nlohmann::detail::lexer<Json, Source>;
using Token = Lexer::token_type;

// JSON's grammar over nlohmann's tokens. nlohmann's own parser makes a sentence of each error, which nobody reads here:
// thousands of bytes of the WebAssembly that a page waits for.
class Parser {
public:
    Parser(std::string_view text, JsonEvents& events)
        : lexer_(Source(text.data(), text.data() + text.size())), events_(events) {}

    /// Reads one value and the end of the text; false where an error, of the text or of the events, stopped it.
    bool parse() {
        for (Token token = lexer_.scan();;) {
            const bool opens = token == Token::begin_object || token == Token::begin_array;
            bool inside = false;
            if (!(opens ? open(token, inside) : scalar(token))) return false;
            if (inside) continue;
            if (!separator(token)) return false;
            if (open_.empty()) return true;
        }
    }
    /// Of the text alone.
    const std::optional<Error>& error() const { return error_; }
    size_t position() const { return lexer_.get_position(); }

private:
    static Token end_of(bool object) { return object ? Token::end_object : Token::end_array; }

    // An object or a list begins; `inside`: it has something in it, of which `token` then is the first.
    bool open(Token& token, bool& inside) {
        const bool object = token == Token::begin_object;
        if (!events_.opens(object)) return false;
        token = lexer_.scan();
        inside = token != end_of(object);
        if (!inside) return events_.closes();
        open_ += object ? '{' : '[';
        return !object || key(token);
    }

    // Behind a value: closes what ends here, and goes on to the next value, or to the end of the text.
    bool separator(Token& token) {
        for (token = lexer_.scan(); !open_.empty(); token = lexer_.scan()) {
            const bool object = open_.back() == '{';
            if (token == Token::value_separator) {
                token = lexer_.scan();
                return !object || key(token);
            }
            if (token != end_of(object)) return fail();
            if (!events_.closes()) return false;
            open_.pop_back();
        }
        return token == Token::end_of_input || fail();
    }
    // A key, its colon, and the first token of its value.
    bool key(Token& token) {
        if (token != Token::value_string) return fail();
        if (!events_.key(lexer_.get_string())) return false;
        if (lexer_.scan() != Token::name_separator) return fail();
        token = lexer_.scan();
        return true;
    }
    // Whole numbers beyond 2^53 lose digits as doubles; all our sizes are below, and the checks on ranges refuse them.
    bool scalar(Token token) {
        switch (token) {
            case Token::literal_null: return events_.word(std::nullopt);
            case Token::literal_true: return events_.word(true);
            case Token::literal_false: return events_.word(false);
            case Token::value_string: return events_.text(lexer_.get_string());
            case Token::value_integer: return events_.number(static_cast<double>(lexer_.get_number_integer()));
            case Token::value_unsigned: return events_.number(static_cast<double>(lexer_.get_number_unsigned()));
            case Token::value_float:
                if (std::isfinite(lexer_.get_number_float())) return events_.number(lexer_.get_number_float());
                error_ = {"bad_json", events_.path(), "the number " + lexer_.get_token_string() + " is too large",
                          "write a finite number"};
                return false;
            default: return fail();
        }
    }
    bool fail() {
        error_ = {"bad_json", events_.path(), "not JSON, at \"" + lexer_.get_token_string().substr(0, 40) + "\"",
                  "check quotes, commas and brackets there"};
        return false;
    }

    Lexer lexer_;
    JsonEvents& events_;
    std::optional<Error> error_;
    std::string open_;  // { and [
};

std::string line_and_column(std::string_view text, size_t position) {
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const size_t newline = before.rfind('\n');
    const size_t column = newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// Python writes NaN and Infinity into a config.json, in fields that have no bearing on memory. They become text, so
// that the file is read, and whoever needs a number there says so by the field's path.
std::string with_words_quoted(std::string_view text) {
    std::string quoted;
    bool in_string = false;
    for (size_t at = 0; at < text.size();) {
        const char letter = text[at];
        size_t length = 1;
        if (in_string && letter == '\\')
            length = 2;
        else if (letter == '"')
            in_string = !in_string;
        bool word = false;
        for (const std::string_view candidate : {"-Infinity", "Infinity", "NaN"})
            if (!in_string && text.substr(at, candidate.size()) == candidate) length = candidate.size(), word = true;
        if (word) quoted += '"';
        quoted += text.substr(at, length);
        if (word) quoted += '"';
        at += length;
    }
    return quoted;
}

}  // namespace

const Json* member(const Json& object, std::string_view key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

const std::string* text_member(const Json& object, std::string_view key) {
    const Json* value = member(object, key);
    return value ? value->get_ptr<const std::string*>() : nullptr;
}

const double* number_member(const Json& object, std::string_view key) {
    const Json* value = member(object, key);
    return value ? value->get_ptr<const double*>() : nullptr;
}

std::optional<Error> read_json(std::string_view text, JsonEvents& events) {
    Parser parser(text, events);
    if (parser.parse()) return std::nullopt;
    if (events.error()) return events.error();
    Error error = *parser.error();
    if (parser.position()) error.what += " (" + line_and_column(text, parser.position()) + ")";
    return error;
}

Result<Json> parse_json(std::string_view text, std::string_view where) {
    if (text.size() > longest)
        return Error{"too_large", where, "more than 32 MiB of JSON", "a model's config.json has a few KiB"};
    Builder builder;
    std::optional<Error> error = read_json(text, builder);
    if (!error) return builder.take();
    if (const std::string quoted = with_words_quoted(text); quoted != text) return parse_json(quoted, where);
    error->where = std::string(where) + (where.empty() || error->where.empty() ? "" : ".") + error->where;
    return *error;
}

}  // namespace plimsoll
