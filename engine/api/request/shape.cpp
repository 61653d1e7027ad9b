// Requests held against their schema. The table is made by engine/cmake/request_shape.cmake.
#include "api/request/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/request/request_parts.h"
#include "inputs/capabilities.h"
#include "number/shown.h"

namespace plimsoll {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

struct FieldRange {
    double low, high;
    bool above, below;  ///< the bound itself is outside
};

enum class FieldKind : unsigned char { anything, word, choice, flag, number, whole, object, list, either };
using enum FieldKind;

/// `parts`: of an object its fields, each a name and the byte of its type; of a list the byte of its items; of `either`
/// the bytes of its alternatives; of a choice its names, with ", " between them.
struct FieldType {
    FieldKind kind;
    unsigned char range;
    const char* parts;
};

#include "request_shape.inc"

unsigned char type_of(char byte) { return static_cast<unsigned char>(byte) & 127U; }

// The next field of an object: its name, while `at` moves behind the byte of its type.
std::string_view next_name(const char*& at) {
    const char* name = at;
    while ((static_cast<unsigned char>(*at) & 128U) == 0) ++at;
    return {name, static_cast<size_t>(at++ - name)};
}

// The byte of a field's type; null where the object has no such field.
const char* find_field(const FieldType& block, std::string_view key) {
    for (const char* at = block.parts; *at != 0;)
        if (next_name(at) == key) return at - 1;
    return nullptr;
}

// The name that was probably meant, or those there are.
class Nearest {
public:
    explicit Nearest(std::string_view key)
        : key_(key.substr(0, 60)), least_(std::max<size_t>(2, key_.size() / 3) + 1) {}

    void look_in(const FieldType& type) {
        for (const char* at = type.parts; *at != 0;)
            if (type.kind == either)
                look_in(field_types[type_of(*at++)]);
            else if (type.kind == object)
                look_at(next_name(at));
            else
                return;
    }
    std::string hint() const {
        if (!nearest_.empty()) return "did you mean " + std::string(nearest_) + "?";
        return all_.empty() ? "name it as in a request, such as inference.context" : "one of: " + all_;
    }

private:
    void look_at(std::string_view name) {
        if (all_.size() < 200) all_ += (all_.empty() ? "" : ", ") + std::string(name);
        if (const size_t away = distance(key_, name); away < least_) least_ = away, nearest_ = name;
    }

    std::string_view key_, nearest_;
    size_t least_;
    std::string all_;
};

std::string below(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
}

// What a value that may be written in several ways is meant as: an object is the first alternative whose first field it
// has, else the last that is an object. What can be none of them is held against the first.
const FieldType& alternative(const FieldType& type, const Json& value) {
    const FieldType* found = nullptr;
    for (const char* at = type.parts; *at != 0; ++at) {
        const FieldType& one = field_types[type_of(*at)];
        if ((one.kind == object) != value.is_object() || (one.kind == list) != value.is_array()) continue;
        found = &one;
        const char* first = one.parts;
        if (one.kind == object && value.contains(next_name(first))) break;
    }
    return found ? *found : field_types[type_of(*type.parts)];
}

class Check {
public:
    Check(Reading& reading, bool allow_unknown) : reading_(reading), allow_unknown_(allow_unknown) {}

    void value(const Json& given, const FieldType& type, const std::string& path) {
        if (given.is_null()) return;  // as if it were left out
        switch (type.kind) {
            case either: return value(given, alternative(type, given), path);
            case object:
                return given.is_object() ? members(given, type, path) : wrong(given, "an object", path, braces);
            case list: return given.is_array() ? items(given, type, path) : wrong(given, "a list", path, brackets);
            case number:
            case whole: return number_in_range(given, type, path);
            case flag: return given.is_boolean() ? void() : wrong(given, "true or false", path, no_quotes);
            case word:
            case choice: return text(given, type, path);
            case anything: return;
        }
    }

    void unknown(const FieldType& type, std::string_view key, const std::string& path) {
        if (allow_unknown_)
            return reading_.notes.push_back({"unknown_field", path, "this field is not known and was not used"});
        if (!capabilities.runtimes) return reading_.fail(ask_the_whole(path));
        Nearest nearest(key);
        nearest.look_in(type);
        reading_.fail({"unknown_field", path, "there is no field " + std::string(key.substr(0, 60)), nearest.hint()});
    }

private:
    void members(const Json& given, const FieldType& type, const std::string& path) {
        for (const auto& [key, member] : given.items()) {
            if (reading_.error) return;
            if (const char* field = find_field(type, key))
                value(member, field_types[type_of(*field)], below(path, key));
            else
                unknown(type, key, below(path, key));
        }
    }

    // Numbers and objects are named by their place in a list, words by the list.
    void items(const Json& given, const FieldType& type, const std::string& path) {
        const FieldType& item = field_types[type_of(*type.parts)];
        const bool words = item.kind == word || item.kind == choice;
        for (size_t at = 0; at < given.size() && !reading_.error; ++at)
            value(given[at], item, words ? path : path + "[" + std::to_string(at) + "]");
    }

    void text(const Json& given, const FieldType& type, const std::string& path) {
        if (!given.is_string()) return wrong(given, "text", path, "write it in quotes");
        const std::string& chosen = given.get_ref<const std::string&>();
        if (type.kind == choice && place_in(type.parts, chosen) == count_of(type.parts))
            reading_.fail(no_such_choice(last(path), path, chosen, type.parts));
    }

    void number_in_range(const Json& given, const FieldType& type, const std::string& path) {
        const FieldRange& range = field_ranges[type.range];
        if (!given.is_number()) return wrong(given, "a number", path, hint_of(range, type.kind));
        const auto value = given.get<double>();
        const bool low = range.above ? value > range.low : value >= range.low;
        const bool high = range.below ? value < range.high : value <= range.high;
        if (low && high && (type.kind != whole || value == std::floor(value))) return;
        reading_.fail({"out_of_range", path, last(path) + " is " + shown(value), hint_of(range, type.kind)});
    }

    static std::string hint_of(const FieldRange& range, FieldKind kind) {
        std::string hint = kind == whole ? "write a whole number" : "write a number";
        if (range.low != -unbounded) hint += (range.above ? " above " : " from ") + shown(range.low);
        if (range.high != unbounded) hint += (range.below ? " to below " : " to ") + shown(range.high);
        return hint;
    }

    void wrong(const Json& given, const char* wanted, const std::string& path, std::string_view hint) {
        reading_.fail({"wrong_type", path, std::string("must be ") + wanted + ", not " + shown_json(given), hint});
    }

    static std::string last(const std::string& path) { return path.substr(path.rfind('.') + 1); }

    static constexpr const char* braces = "write it in braces";
    static constexpr const char* brackets = "write it in brackets";
    static constexpr const char* no_quotes = "write true or false, without quotes";

    Reading& reading_;
    bool allow_unknown_;
};

// The type of a field of `type`, whichever alternative has it; null where none has.
const char* field_of(const FieldType& type, std::string_view key) {
    if (type.kind == object) return find_field(type, key);
    if (type.kind != either) return nullptr;
    for (const char* at = type.parts; *at != 0; ++at)
        if (const char* found = field_of(field_types[type_of(*at)], key)) return found;
    return nullptr;
}

}  // namespace

void check_shape(const Json& request, Reading& reading) {
    const Json* allow = member(request, "allow_unknown");
    Check(reading, allow && allow->is_boolean() && allow->get<bool>()).value(request, described_request, "");
}

DescribedField::DescribedField(std::string path, Reading& reading) : path_(std::move(path)) {
    const FieldType* type = &described_request;
    for (size_t from = 0; from <= path_.size() && type->kind != anything;) {
        const size_t to = std::min(path_.find('.', from), path_.size());
        const std::string_view key = std::string_view(path_).substr(from, to - from);
        const char* field = field_of(*type, key);
        if (!field) {
            Check(reading, false).unknown(*type, key, path_);
            return;
        }
        type = &field_types[type_of(*field)];
        from = to + 1;
    }
    type_ = static_cast<unsigned char>(type - field_types);
}

void DescribedField::check(const Json& value, Reading& reading) const {
    Check(reading, false).value(value, field_types[type_], path_);
}

}  // namespace plimsoll
