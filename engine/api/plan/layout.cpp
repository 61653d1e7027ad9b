// How layouts rank, and how replies tell them.
#include "api/plan/layout.h"

#include "api/reply/json_object.h"

namespace plimsoll {
namespace {

// Seconds of a step with their range, or the fewest that the device's peaks allow.
Json step_json(const PassSeconds& step) {
    JsonObject json;
    if (step.is_told()) json.tidy("seconds", step.told.seconds).tidy("low", step.told.low).tidy("high", step.told.high);
    return json.tidy("roof", step.roof).take();
}

}  // namespace

Rank rank_of(const Layout& layout, Want want) {
    const Trade& trade = layout.trade;
    const double overhead = trade.recompute + trade.bubble;
    switch (want) {
        case Want::fits:
            return {trade.bytes - layout.figures.room, overhead, trade.between, trade.devices, layout.number};
        case Want::fewest_devices: return {trade.devices, overhead, trade.between, trade.bytes, layout.number};
        case Want::largest_micro_batch:
            return {-layout.figures.micro_batch, overhead, trade.between, trade.bytes, layout.number};
        case Want::most_sequences:
            return {-layout.figures.sequences, trade.devices, trade.between, trade.bytes, layout.number};
        case Want::least_traffic:
            return {trade.between, layout.figures.within, overhead, trade.devices, trade.bytes, layout.number};
        case Want::least_overhead:
            return {overhead, trade.between, layout.figures.within, trade.devices, trade.bytes, layout.number};
        case Want::shortest_step: {
            const PassSeconds& step = layout.figures.step;
            const bool unknown = !step.is_told();
            return {unknown ? 1.0 : 0.0,   step.compared(), trade.between,
                    layout.figures.within, trade.bytes,     layout.number};
        }
    }
    return {};
}

Json request_of(const Layout& layout, const PlanQuestion& question, const Library& library) {
    Point at(question.request, library);
    for (const Chosen& each : layout.choices) at.set(each.field, each.value);
    Json request = at.json();
    const Json* explain = member(question.request, "explain");
    if (explain)
        request["explain"] = *explain;
    else
        request.erase("explain");
    return request;
}

Json layout_json(const Layout& layout, const PlanQuestion& question, const Library& library) {
    const Figures& figures = layout.figures;
    JsonObject json;
    json.put("request", request_of(layout, question, library));
    json.whole("bytes", layout.trade.bytes).whole("process", figures.process).whole("free_bytes", figures.free);
    json.text("verdict", figures.verdict).whole("devices", layout.trade.devices);
    if (figures.micro_batch > 0) {
        json.whole("micro_batch", figures.micro_batch).whole("accumulation", figures.accumulation);
        json.tidy("recompute", layout.trade.recompute).tidy("bubble", layout.trade.bubble);
    }
    if (figures.step.roof > 0) json.put(figures.micro_batch > 0 ? "step" : "token", step_json(figures.step));
    if (figures.sequences > 0) json.tidy("sequences", figures.sequences);
    json.whole("sent_within", rounded_down(figures.within)).whole("sent_between", rounded_down(layout.trade.between));
    Json rank = Json::array();
    for (const double each : rank_of(layout, question.want)) rank.push_back(tidy(each));
    return json.put("rank", std::move(rank)).take();
}

}  // namespace plimsoll
