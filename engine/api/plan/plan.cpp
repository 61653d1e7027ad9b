// A question about layouts in, a reply out.
#include "api/plan/search.h"
#include "api/reply/json_object.h"
#include "api/reply/reply.h"

namespace plimsoll {
namespace {

Json counted_json(const Counted& counted) {
    JsonObject json;
    json.whole("all", counted.all).whole("refused", counted.refused).whole("bounded", counted.bounded);
    json.whole("estimated", counted.estimated).whole("fit", counted.fit);
    return json.whole("within_reach", counted.within_reach).whole("replayed", counted.replayed).take();
}

Json refusals_json(const std::vector<Refusals>& refusals, const PlanQuestion& question, const Library& library) {
    Json list = Json::array();
    for (const Refusals& each : refusals) {
        JsonObject json;
        json.text("code", each.error.code).text("where", each.error.where).text("what", each.error.what);
        json.text("hint", each.error.hint).whole("count", each.count);
        json.put("example", request_of({each.example, {}, {}}, question, library)).append_to(list);
    }
    return list;
}

Json layouts_json(const std::vector<const Layout*>& layouts, const PlanQuestion& question, const Library& library) {
    Json list = Json::array();
    for (const Layout* layout : layouts) list.push_back(layout_json(*layout, question, library));
    return list;
}

// The shortest step is looked for where a step can be timed at all.
std::optional<Error> without_time(const PlanQuestion& question, const Request& request) {
    if (question.want != Want::shortest_step || request.reading.error) return std::nullopt;
    if (request.task != Task::training)
        return Error{"not_supported", "want", "of inference no time is told over several devices",
                     "want most_sequences or fewest_devices"};
    if (request.device && request.device->bandwidth > 0 && wide_rate(*request.device, false)) return std::nullopt;
    return Error{"not_supported", "want", "what this device computes or moves in a second is not known",
                 "want least_overhead, or name a device whose rates are known"};
}

}  // namespace

Json plan(const Json& json, const Library& library) {
    const Result<PlanQuestion> question = read_plan_question(json);
    if (!question) return error_reply(question.error());
    Point point(question->request, library);
    if (const auto error = point.wrong_shape()) return error_reply(*error);
    const std::optional<Error> unread = point.read().reading.error;
    if (unread && unread->where.rfind("device.", 0) == 0) return error_reply(*unread);  // whatever the layout
    if (point.model().error) return error_reply(*point.model().error);
    if (const auto error = without_time(*question, point.read())) return error_reply(*error);
    PlanSearch search(*question, point);
    if (const auto error = search.run()) return error_reply(*error);
    if (search.asks()) return error_reply(*search.asks());
    JsonObject reply;
    reply.whole("schema", 1).text("want", std::string(name_at(want_names, static_cast<size_t>(question->want))));
    reply.put("layouts", layouts_json(search.best(), *question, library));
    reply.put("front", layouts_json(search.front(), *question, library));
    reply.put("counted", counted_json(search.counted()));
    return reply.put("refusals", refusals_json(search.refusals(), *question, library)).take();
}

}  // namespace plimsoll
