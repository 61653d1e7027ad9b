// One request over many values of its fields.
#include "api/engine.h"
#include "api/json_object.h"
#include "api/reply.h"

namespace plimsoll {
namespace {

constexpr size_t most_points = 100000;

struct Axis {
    std::string field;
    std::vector<std::string> path;
    const Json* values;
};

std::vector<std::string> split(const std::string& field) {
    std::vector<std::string> path{""};
    for (const char letter : field) {
        if (letter == '.')
            path.emplace_back();
        else
            path.back() += letter;
    }
    return path;
}

// Sets a.b.c, making objects on the way; false where something else stands in the way.
bool set(Json& request, const std::vector<std::string>& path, const Json& value) {
    Json* at = &request;
    for (const std::string& key : path) {
        if (at->is_null()) *at = Json::object();
        if (!at->is_object() || key.empty()) return false;
        at = &(*at)[key];
    }
    *at = value;
    return true;
}

std::optional<Error> read_axes(const Json& sweep, std::vector<Axis>& axes) {
    const Error shape{"wrong_type", "over", "must be a list of {\"field\", \"values\"}",
                      R"([{"field": "inference.context", "values": [1024, 2048]}])"};
    const Json* over = member(sweep, "over");
    if (!over || !over->is_array() || over->empty()) return shape;
    size_t points = 1;
    for (const Json& axis : *over) {
        const std::string* field = text_member(axis, "field");
        const Json* values = member(axis, "values");
        if (!field || !values || !values->is_array() || values->empty()) return shape;
        axes.push_back({*field, split(*field), values});
        points *= values->size();
        if (points > most_points) return Error{"out_of_range", "over", "more than 100000 points", "take fewer values"};
    }
    return std::nullopt;
}

}  // namespace

Json sweep(const Json& json, const Library& library) {
    const Json* base = member(json, "request");
    if (!base || !base->is_object())
        return error_reply({"missing_field", "request", "a sweep needs a request",
                            R"({"request": {…}, "over": [{"field": "inference.context", "values": [1024, 2048]}]})"});
    std::vector<Axis> axes;
    if (const auto error = read_axes(json, axes)) return error_reply(*error);
    Json request = *base;
    request["explain"] = "rows";
    bool same_model = true;
    for (const Axis& axis : axes)  // pruning makes another model too
        same_model = same_model && axis.path.front() != "model" && axis.field.rfind("weights.sparsity", 0) != 0;
    ModelChoice model = read_model_choice(request, library);

    Json bytes = Json::array(), rows = Json::object();
    std::vector<size_t> at(axes.size(), 0);
    for (size_t point = 0;; ++point) {
        for (size_t axis = 0; axis < axes.size(); ++axis)
            if (!set(request, axes[axis].path, (*axes[axis].values)[at[axis]]))
                return error_reply({"unknown_field", "over", "there is no field " + axes[axis].field,
                                    "name it as in a request, such as inference.context"});
        if (!same_model) model = read_model_choice(request, library);
        const SweepPoint answered = sweep_point(request, library, model);
        if (answered.error) return error_reply(*answered.error);
        bytes.push_back(static_cast<std::int64_t>(answered.bytes));
        for (const auto& [id, value] : answered.rows) {
            Json& list = rows[id];
            while (list.size() < point) list.push_back(0);  // a row that earlier points did not have
            list.push_back(static_cast<std::int64_t>(value));
        }
        for (Json& list : rows)
            if (list.size() <= point) list.push_back(0);
        size_t axis = axes.size();
        while (axis > 0 && ++at[axis - 1] == axes[axis - 1].values->size()) at[--axis] = 0;
        if (axis == 0) break;
    }
    JsonObject reply;
    return reply.whole("schema", 1).put("bytes", std::move(bytes)).put("rows", std::move(rows)).take();
}

}  // namespace plimsoll
