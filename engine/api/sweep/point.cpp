// A request whose fields move, read anew as far as they make it necessary.
#include "api/sweep/point.h"

#include "api/request/shape.h"

namespace plimsoll {
namespace {

bool changes_model(std::string_view field) {  // pruning makes another one
    return field.rfind("model", 0) == 0 || field.rfind("weights.sparsity", 0) == 0;
}

}  // namespace

Point::Point(Json base, const Library& library) : json_(std::move(base)), library_(library) {
    json_["explain"] = "rows";
}

bool Point::set(std::string_view field, const Json& value) {
    Json* at = &json_;
    for (size_t begin = 0; begin <= field.size();) {
        const size_t dot = std::min(field.find('.', begin), field.size());
        if (at->is_null()) *at = Json::object();
        if (!at->is_object() || dot == begin) return false;
        at = &(*at)[std::string(field.substr(begin, dot - begin))];
        begin = dot + 1;
    }
    *at = value;
    const Moved beside = is_length(field) ? Moved::lengths : Moved::all_but_model;
    const Moved moved = changes_model(field) ? Moved::model : beside;
    moved_ = std::max(moved_, moved);
    return true;
}

std::optional<Error> Point::wrong_shape() const {
    Reading shape;
    check_shape(json_, shape);
    return shape.error;
}

Request& Point::read() {
    if (moved_ == Moved::lengths && !has_own_lengths(request_)) moved_ = Moved::all_but_model;
    if (moved_ == Moved::model) model_ = read_model_choice(json_, library_);
    if (moved_ == Moved::lengths)
        read_lengths(json_, model_, request_);
    else if (moved_ != Moved::nothing)
        request_ = read_request(json_, library_, model_, true);
    moved_ = request_.reading.error ? Moved::all_but_model : Moved::nothing;  // after an error all is read again
    return request_;
}

const Json* value_at(const Json& request, std::string_view field) {
    const Json* at = &request;
    while (at && !field.empty()) {
        const size_t dot = std::min(field.find('.'), field.size());
        at = member(*at, field.substr(0, dot));
        field.remove_prefix(std::min(dot + 1, field.size()));
    }
    return at && !at->is_null() ? at : nullptr;
}

Error in_no_object(std::string_view field) {
    return {"unknown_field", field, "what it stands in is no object",
            "name it as in a request, such as inference.context"};
}

}  // namespace plimsoll
