/// A request whose fields move: a point of a sweep, or of a search.
#pragma once

#include "api/request/request.h"

namespace plimsoll {

/// A request and what was read of it. It is read anew as far as the fields that moved make it necessary: the model, all
/// but the model, or the lengths alone (is_length).
class Point {
public:
    /// `library` must outlive the point.
    Point(Json base, const Library& library);

    /// Sets a field such as `inference.context`, making objects on the way; false where something else stands in the way.
    bool set(std::string_view field, const Json& value);

    /// What the schema has against the request as it stands. The values that a field takes later are the caller's to check.
    std::optional<Error> wrong_shape() const;

    /// The request as read; what is wrong is in its `reading.error`. Nobody will read its assumptions or notes.
    Request& read();

    const ModelChoice& model() const { return model_; }
    const Json& json() const { return json_; }
    const Library& library() const { return library_; }

private:
    enum class Moved : unsigned char { nothing, lengths, all_but_model, model };

    Json json_;
    const Library& library_;
    ModelChoice model_;
    Request request_;
    Moved moved_ = Moved::model;
};

/// The value of a field such as `inference.context` in a request; null where nothing stands there, or null does.
const Json* value_at(const Json& request, std::string_view field);

/// The error of a field that cannot be set, since what it stands in is no object.
Error in_no_object(std::string_view field);

}  // namespace plimsoll
