// Passes with their seconds and bands, and the operations that they are made of.
#include "api/reply/time_json.h"

#include "api/reply/reply_parts.h"
#include "plan/link_times.h"

namespace plimsoll {
const char* why_untimed(Untimed untimed) {
    switch (untimed) {
        case Untimed::not_fitted:
            return "no speeds were printed of such passes of this runtime on such devices: the roof alone is told";
        case Untimed::several_devices:
            return "no speeds were printed of such passes over several devices: the roof alone is told";
        case Untimed::optimizer_unknown: return "what this optimizer's step takes is not known: the roof alone is told";
        case Untimed::links_unknown:
            return "the roof leaves out what devices exchange: give links.bandwidth_within, and between nodes "
                   "links.bandwidth_between";
        case Untimed::sharing_unknown:
            return "of unequal devices, and of devices that share a sequence, it is not known which does what";
        case Untimed::off_loaded: return "what the host holds is read over a link that is not known";
        case Untimed::no_bandwidth: return "the device's memory bandwidth is not known: give device.bandwidth";
        case Untimed::no_rate: return "the device's peak rate is not known";
        case Untimed::no_shapes: return "a number of parameters alone has no operations";
        case Untimed::no: break;
    }
    return "";
}

namespace {

const char* name_of(CostKind kind) {
    constexpr const char* names[] = {"product", "attention", "elementwise", "recurrence"};
    return names[static_cast<int>(kind)];
}

// What takes most of a pass.
template <class N>
const char* binding(const PassTime<N>& time) {
    double memory = value_of(time.optimizer), compute = 0;
    for (const OperationTime<N>& each : time.operations)
        (each.memory_bound ? memory : compute) += value_of(each.seconds);
    const double launches = value_of(time.launches), links = value_of(time.links());
    if (links > memory && links > compute && links > launches) return "links";
    if (launches > memory && launches > compute) return "launches";
    return memory >= compute ? "bandwidth" : "compute";
}

JsonObject seconds_json(const Told& told) {
    JsonObject json;
    json.tidy("seconds", told.seconds).tidy("low", told.low).tidy("high", told.high);
    return json;
}

// So many of something a second.
JsonObject throughput_json(double number, const Told& told) {
    JsonObject json;
    json.tidy("value", number / told.seconds).tidy("low", number / told.high).tidy("high", number / told.low);
    return json;
}

template <class N>
Json operations_json(const PassTime<N>& time) {
    Json list = Json::array();
    for (const OperationTime<N>& each : time.operations) {
        JsonObject entry;
        entry.text("name", std::string_view(each.name)).text("part", part_name(each.part));
        entry.text("kind", name_of(each.kind)).whole("layers", value_of(each.layers));
        entry.tidy("operations", value_of(each.operations)).tidy("bytes", value_of(each.bytes));
        entry.tidy("times", each.times)
            .tidy("seconds", value_of(each.seconds))
            .text("binds", each.memory_bound ? "bandwidth" : "compute");
        entry.append_to(list);
    }
    return list;
}

// A row for each part of the model, and one for launches.
template <class N>
Json rows_json(const TimedPass<N>& pass, Explainer* explainer) {
    Json list = Json::array();
    const auto add = [&](const char* id, const Seconds<N>& seconds) {
        if (value_of(seconds) == 0) return;
        JsonObject entry;
        entry.text("id", id).tidy("seconds", value_of(seconds));
        if constexpr (std::is_same_v<N, Traced>) {
            const Traced row = as_row<N>({"time.", pass.phase, id}, seconds.n);
            entry.put("formula", tokens_json(explainer->formula(row)));
            entry.put("sources", texts(explainer->sources(row)));
        }
        entry.append_to(list);
    };
    for (size_t part = 0; part < part_count; ++part) {
        Seconds<N> seconds{N(0)};
        for (const OperationTime<N>& each : pass.time.operations)
            if (static_cast<size_t>(each.part) == part) seconds += each.seconds;
        add(part_name(static_cast<Part>(part)), seconds);
    }
    add("optimizer", pass.time.optimizer);
    add("launches", pass.time.launches);
    add("links", pass.time.links());
    return list;
}

template <class N>
JsonObject pass_json(const TimedPass<N>& pass, const Told& told, Explainer* explainer) {
    JsonObject json = seconds_json(told);
    json.text("binds", binding(pass.time));
    json.put("rows", rows_json(pass, explainer)).put("operations", operations_json(pass.time));
    return json;
}

template <class N>
const TimedPass<N>* pass_named(const std::vector<TimedPass<N>>& passes, std::string_view phase) {
    for (const TimedPass<N>& pass : passes)
        if (pass.phase == phase) return &pass;
    return nullptr;
}

// The seconds of a pass that the answer has, with their range; absent where nothing but the roof is known.
template <class N>
std::optional<Told> told_of(const Request& request, const TimeAnswer<N>& answer, std::string_view phase) {
    const TimedPass<N>*pass = pass_named(answer.passes, phase), *roof = pass_named(answer.roof, phase);
    if (!pass || !roof) return std::nullopt;
    const bool trains = request.task == Task::training;
    const InferenceRequest& inference = request.inference.request;
    const TimeFactors factors =
        factors_of(*answer.reached, *pass, trains ? 1 : inference.sequences, !trains && inference.devices > 1);
    if (!factors.is_known()) return std::nullopt;
    return told_within(pass->time, roof->time, factors);
}

template <class N>
void tell_inference(JsonObject& json, const Request& request, const TimeAnswer<N>& answer) {
    const double sequences = request.inference.request.sequences;
    if (const auto prefill = told_of(request, answer, "prefill")) json.put("first_token", seconds_json(*prefill));
    const auto token = told_of(request, answer, "token");
    if (!token) return;
    json.put("tokens_per_second", throughput_json(sequences, *token));
    if (sequences > 1) json.put("tokens_per_second_each", throughput_json(1, *token));
}

constexpr double seconds_of_a_day = 86400;

template <class N>
void tell_training(JsonObject& json, const Request& request, const Model& model, const TimeAnswer<N>& answer) {
    const TrainingInputs& inputs = request.training;
    const auto step = told_of(request, answer, "step");
    if (!step) return;
    const double tokens = tokens_of_step(inputs);
    json.put("tokens_per_second", throughput_json(tokens, *step));
    if (const PeakRate* peak = wide_rate(*inputs.device, false))
        json.tidy("mfu", model_operations_of_token(model, inputs) * tokens / step->seconds /
                             (inputs.layout.devices() * peak->per_second));
    if (request.tokens_to_train == 0) return;
    const double steps = ceiling(request.tokens_to_train / tokens);
    JsonObject days;
    for (const auto& [key, seconds] : {std::pair{"value", step->seconds}, {"low", step->low}, {"high", step->high}})
        days.tidy(key, steps * seconds / seconds_of_a_day);
    json.put("days", std::move(days));
}

template <class N>
JsonObject roof_json(const Request& request, const TimeAnswer<N>& answer) {
    JsonObject roof;
    for (const TimedPass<N>& pass : answer.roof) roof.tidy(pass.phase, value_of(pass.time.seconds()));
    const bool trains = request.task == Task::training;
    const double tokens = trains ? tokens_of_step(request.training) : request.inference.request.sequences;
    const double seconds = value_of(pass_named(answer.roof, trains ? "step" : "token")->time.seconds());
    roof.tidy("tokens_per_second", tokens / seconds);
    if (trains && request.tokens_to_train > 0)
        roof.tidy("days", ceiling(request.tokens_to_train / tokens) * seconds / seconds_of_a_day);
    return roof;
}

template <class N>
JsonObject told(const Request& request, const Model& model, const TimeAnswer<N>& answer, Explainer* explainer) {
    JsonObject json;
    Untimed untimed = answer.untimed;
    for (const TimedPass<N>& pass : answer.passes) {
        if (const auto seconds = told_of(request, answer, pass.phase))
            json.put(pass.phase, pass_json(pass, *seconds, explainer));
        else if (untimed == Untimed::no)
            untimed = Untimed::not_fitted;
    }
    if (untimed != Untimed::no) json.text("why", why_untimed(untimed));
    if (!answer.roof.empty()) json.put("roof", roof_json(request, answer));
    if (answer.passes.empty()) return json;
    if (request.task == Task::training)
        tell_training(json, request, model, answer);
    else
        tell_inference(json, request, answer);
    return json;
}

template <class N>
TimeAnswer<N> timed(const Request& request, const Model& model) {
    if (request.task == Task::inference) return linked_time<N>(model, request.inference, request.speed, request.links);
    return linked_time<N>(model, request.training, request.speed, request.links);
}

}  // namespace

JsonObject time_json(const Request& request, const Model& model, Explainer* explainer) {
    if (explainer) return told(request, model, timed<Traced>(request, model), explainer);
    return told(request, model, timed<double>(request, model), nullptr);
}

}  // namespace plimsoll
