/// Reads the fields of a request: values that check_shape has found to be of their types and in their ranges, what was
/// assumed in their place, and the first error with its path.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/json/json.h"
#include "inputs/choices.h"
#include "model/core/model.h"

namespace plimsoll {

/// Something worth saying about an answer; pages translate it by its code.
struct Note {
    std::string code, where, text;
    Json values;

    Note(std::string_view code, std::string_view where, std::string_view text, Json values = nullptr);
};

/// What reading a request gathers besides the values.
struct Reading {
    std::optional<Error> error;
    bool silent = false;  ///< nobody will read the assumptions, notes and sources: a point of a sweep
    std::vector<Assumption> assumptions;
    std::vector<Note> notes;

    void assume(std::string_view field, std::variant<double, bool, std::string> value, std::string_view why);
    void fail(const Error& given);
};

/// A value as errors show it: its JSON, cut short.
std::string shown_json(const Json& value);

/// `unknown_value` at `path`: none of `names` was `chosen`.
Error no_such_choice(std::string_view key, std::string_view path, std::string_view chosen, std::string_view names);

/// Letters to insert, leave out or change until one word is the other: how near a name is to what was probably meant.
size_t distance(std::string_view one, std::string_view other);

/// What another part of a request implies of a field that its block does not say.
struct Implied {
    std::string_view key;  ///< with those of the blocks within that block: `lora.rank`
    std::variant<double, bool, std::string> value;
    std::string_view why = {};  ///< which the assumptions tell; empty: nobody needs to know
};

class Fields {
public:
    /// `object` may be null (an absent block): then every field takes its default.
    Fields(const Json* object, std::string path, Reading& reading);

    /// The same block, of which these hold where it says nothing, and in blocks within it. `implied` must outlive it.
    Fields with(const std::vector<Implied>& implied) const;

    /// Whether the field has a value: `null` is as left out.
    bool has(std::string_view key) const;
    /// Whether it is given or implied.
    bool says(std::string_view key) const { return has(key) || implied(key); }
    const Json& raw(std::string_view key) const;
    std::string path(std::string_view key) const;
    Fields child(std::string_view key) const;

    /// The field's value, or `otherwise` with a line in the assumptions that says why.
    double number(std::string_view key, double otherwise, std::string_view why);
    bool flag(std::string_view key, bool otherwise, std::string_view why);
    std::string word(std::string_view key, std::string_view otherwise, std::string_view why);
    /// One of a text of names with ", " between them (inputs/choices.h).
    std::string choice(std::string_view key, std::string_view names, std::string_view otherwise, std::string_view why);
    /// One of an enumeration that the schema makes.
    template <class Choice>
    Choice pick(std::string_view key, Choice otherwise, std::string_view why) {
        return static_cast<Choice>(picked(key, choice_names<Choice>, static_cast<size_t>(otherwise), why));
    }
    /// The same where it may be absent, without a word.
    template <class Choice>
    Choice optional_pick(std::string_view key, Choice otherwise) {
        return says(key) ? pick(key, otherwise, "") : otherwise;
    }
    /// A number that may be absent, without a word.
    std::optional<double> optional_number(std::string_view key);

    /// A switch that may be absent, without a word.
    bool optional_flag(std::string_view key, bool otherwise = false) {
        return says(key) ? flag(key, otherwise, "") : otherwise;
    }

    /// An error unless the field is absent or has the one value that changes nothing.
    void only(std::string_view key, const Json& neutral, std::string_view what);
    /// A note for every field that is none of these: others have it, and nobody reads it here.
    void uses(std::initializer_list<std::string_view> keys);

    /// Where a value came from, for formulas.
    std::string source(std::string_view key) const;

private:
    const Implied* implied(std::string_view key) const;
    /// The same, when it is read: what is worth telling is told, once. Null where it is of another type.
    template <class T>
    const T* take_implied(std::string_view key);
    size_t picked(std::string_view key, std::string_view names, size_t otherwise, std::string_view why);

    const Json* object_;
    std::string path_;
    Reading& reading_;
    const std::vector<Implied>* implied_ = nullptr;
    std::string within_;  ///< the block that `implied_` belongs to: where in it this one stands, with a point behind it
};

}  // namespace plimsoll
