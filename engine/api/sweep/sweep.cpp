// One request over many values of its fields.
#include "api/engine.h"
#include "api/reply/json_object.h"
#include "api/reply/reply.h"
#include "api/request/shape.h"
#include "api/sweep/point.h"

namespace plimsoll {
namespace {

constexpr size_t most_points = 100000;

struct Axis {
    std::string field;
    const Json* values;
    DescribedField described;
    size_t at = 0;
    const Json& value() const { return (*values)[at]; }
};

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
        Reading reading;
        axes.push_back({*field, values, DescribedField(*field, reading)});
        for (const Json& value : *values)
            if (!reading.error) axes.back().described.check(value, reading);
        if (reading.error) return reading.error;
        points *= values->size();
        if (points > most_points) return Error{"out_of_range", "over", "more than 100000 points", "take fewer values"};
    }
    return std::nullopt;
}

// The answers so far, point by point; a row that some points do not have is 0 there.
class Answers {
public:
    bool empty() const { return bytes_.empty(); }
    void add(const SweepPoint& point) {
        bytes_.push_back(total_at(point.ledger, point.peak, is_allocated));
        size_t likely = 0;  // rows come in the same order at most points
        for (const Row<double>& row : point.ledger.rows) {
            std::vector<double>& values = of(row.id, likely);
            values.resize(bytes_.size() - 1);
            values.push_back(row.cells[point.peak].bytes.n);
        }
    }
    Json reply() {
        Json rows = Json::object();
        for (Series& each : rows_) {
            each.values.resize(bytes_.size());
            rows[std::string(each.id.text())] = list(each.values);
        }
        JsonObject reply;
        return reply.whole("schema", 1).put("bytes", list(bytes_)).put("rows", std::move(rows)).take();
    }

private:
    struct Series {
        RowId id;
        std::vector<double> values;
    };
    std::vector<double>& of(const RowId& id, size_t& likely) {
        size_t at = likely;
        if (at >= rows_.size() || !(rows_[at].id == id))
            for (at = 0; at < rows_.size() && !(rows_[at].id == id);) ++at;
        if (at == rows_.size()) rows_.push_back({id, {}});
        likely = at + 1;
        return rows_[at].values;
    }
    static Json list(const std::vector<double>& values) {
        Json list = Json::array();
        list.get_ref<Json::array_t&>().reserve(values.size());
        for (const double value : values) list.push_back(whole(value));
        return list;
    }

    std::vector<double> bytes_;
    std::vector<Series> rows_;
};

// Walks over the points, the last axis first.
class Walk {
public:
    Walk(const Json& base, std::vector<Axis> axes, const Library& library)
        : point_(base, library), axes_(std::move(axes)) {}

    Json run() {
        size_t moved = 0;  // the first axis that has another value than at the point before
        do {
            for (size_t axis = moved; axis < axes_.size(); ++axis)
                if (!point_.set(axes_[axis].field, axes_[axis].value()))
                    return error_reply(in_no_object(axes_[axis].field));
            if (answers_.empty())
                if (const auto error = point_.wrong_shape()) return error_reply(*error);
            const SweepPoint swept = sweep_point(point_.read(), point_.model());
            if (swept.error) return error_reply(*swept.error);
            answers_.add(swept);
        } while (step(moved));
        return answers_.reply();
    }

private:
    // False after the last point.
    bool step(size_t& moved) {
        for (size_t axis = axes_.size(); axis-- > 0; axes_[axis].at = 0)
            if (++axes_[axis].at < axes_[axis].values->size()) {
                moved = axis;
                return true;
            }
        return false;
    }

    Point point_;
    std::vector<Axis> axes_;
    Answers answers_;
};

}  // namespace

Json sweep(const Json& json, const Library& library) {
    const Json* base = member(json, "request");
    if (!base || !base->is_object())
        return error_reply({"missing_field", "request", "a sweep needs a request",
                            R"({"request": {…}, "over": [{"field": "inference.context", "values": [1024, 2048]}]})"});
    std::vector<Axis> axes;
    if (const auto error = read_axes(json, axes)) return error_reply(*error);
    return Walk(*base, std::move(axes), library).run();
}

}  // namespace plimsoll
