#include "formats/json/json.h"

#include <algorithm>
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

// nlohmann's parser calls this; it passes on to the reader, and keeps the parser's own errors.
class Parser {
public:
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    explicit Parser(JsonEvents& events) : events_(events) {}
    const std::optional<Error>& error() const { return error_; }
    size_t position() const { return position_; }

    bool null() { return events_.word(std::nullopt); }
    bool boolean(bool value) { return events_.word(value); }
    // Whole numbers beyond 2^53 lose digits as doubles; all our sizes are below, and the checks on ranges refuse them.
    bool number_integer(number_integer_t value) { return events_.number(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) { return events_.number(static_cast<double>(value)); }
    bool number_float(number_float_t value, const string_t&) { return events_.number(value); }
    bool string(string_t& value) { return events_.text(value); }
    bool binary(binary_t&) { return false; }
    bool start_object(size_t) { return events_.opens(true); }
    bool start_array(size_t) { return events_.opens(false); }
    bool end_object() { return events_.closes(); }
    bool end_array() { return events_.closes(); }
    bool key(string_t& value) { return events_.key(value); }
    bool parse_error(size_t position, const std::string& token, const nlohmann::detail::exception& reason) {
        position_ = position;
        if (reason.id == 406)
            error_ = {"bad_json", events_.path(), "the number " + token + " is too large", "write a finite number"};
        else
            error_ = {"bad_json", events_.path(), "not JSON, at \"" + token.substr(0, 40) + "\"",
                      "check quotes, commas and brackets there"};
        return false;
    }

private:
    JsonEvents& events_;
    std::optional<Error> error_;
    size_t position_ = 0;
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
    Parser parser(events);
    if (Json::sax_parse(text.data(), text.data() + text.size(), &parser)) return std::nullopt;
    if (events.error()) return events.error();
    Error error =
        parser.error().value_or(Error{"bad_json", events.path(), "not JSON", "check quotes, commas and brackets"});
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
