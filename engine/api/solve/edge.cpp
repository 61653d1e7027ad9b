// Two fields at once: for each value of the second the last of the first that fits.
#include "api/solve/edge.h"

#include "api/reply/json_object.h"
#include "api/reply/reply.h"

namespace plimsoll {
namespace {

constexpr size_t most_points = 128;

// Eight values to a doubling: 1 … 16, 18, 20 … 32, 36 …
std::int64_t following(std::int64_t value) {
    std::int64_t step = 1;
    while (step * 16 <= value) step *= 2;
    return value + step;
}

}  // namespace

Json edge(Point& point, const Question& question) {
    const Result<Sought> second = read_sought(question.fields[1], point, question.in);
    if (!second) return error_reply(second.error());
    const Result<Sought> first = read_sought(question.fields[0], point, question.in);
    if (!first) return error_reply(first.error());
    for (const Sought* each : {&*first, &*second})
        if (each->is_list() || each->wanted() == Wanted::least)
            return error_reply({"not_supported", "find", "a curve needs two numbers of which more takes more memory",
                                R"(such as ["inference.context", "inference.sequences"])"});
    if (question.limit.asks_time())
        return error_reply({"not_supported", "limit", "a curve is held against memory alone", "look for one field"});
    Json list = Json::array();
    double estimates = 0;
    bool each = true;
    std::optional<Error> refusal;
    Range range = first->range();
    for (std::int64_t at = second->range().first; at <= second->range().last && list.size() < most_points;
         at = following(at)) {
        second->set(point, at);
        Fitting fitting(point, *first, question.limit);
        const Found found = greatest(fitting, range);
        estimates += fitting.estimates();
        if (!refusal || asks_the_whole(fitting.refusal())) refusal = fitting.refusal();
        if (!found.value && found.next) break;
        if (!found.value) continue;  // this value of the second field is not legal
        each = each && found.each;
        range.expected = *found.value;
        JsonObject corner;
        corner.put(first->field().c_str(), first->value(*found.value))
            .put(second->field().c_str(), second->value(at))
            .append_to(list);
    }
    if ((list.empty() && refusal) || asks_the_whole(refusal)) return error_reply(*refusal);
    JsonObject reply;
    reply.whole("schema", 1).put("find", texts(question.fields)).put("edge", std::move(list));
    if (!each) reply.put("each", false);
    return reply.whole("estimates", estimates).take();
}

}  // namespace plimsoll
