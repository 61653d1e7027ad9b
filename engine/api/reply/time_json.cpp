// Passes with their seconds and bands, and the operations that they are made of.
#include "api/reply/time_json.h"

#include "api/reply/reply_parts.h"
#include "estimate/time/training_time.h"

namespace plimsoll {
namespace {

const char* why_untimed(Untimed untimed) {
    switch (untimed) {
        case Untimed::not_fitted:
            return "no speeds were printed of such passes of this runtime on such devices: the roof alone is told";
        case Untimed::several_devices: return "what several devices exchange is not known";
        case Untimed::off_loaded: return "what the host holds is read over a link that is not known";
        case Untimed::no_bandwidth: return "the device's memory bandwidth is not known: give device.bandwidth";
        case Untimed::no_rate: return "the device's peak rate is not known";
        case Untimed::no_shapes: return "a number of parameters alone has no operations";
        case Untimed::no: break;
    }
    return "";
}

const char* name_of(CostKind kind) {
    constexpr const char* names[] = {"product", "attention", "elementwise", "recurrence"};
    return names[static_cast<int>(kind)];
}

// What takes most of a pass.
template <class N>
const char* binding(const PassTime<N>& time) {
    double memory = 0, compute = 0;
    for (const OperationTime<N>& each : time.operations)
        (each.memory_bound ? memory : compute) += value_of(each.seconds);
    const double launches = value_of(time.launches);
    if (launches > memory && launches > compute) return "launches";
    return memory >= compute ? "bandwidth" : "compute";
}

// Nothing is faster than the roof.
JsonObject seconds_json(double seconds, const TimeFactors& factors, double roof) {
    JsonObject json;
    json.tidy("seconds", maximum(seconds, roof))
        .tidy("low", maximum(seconds * factors.low, roof))
        .tidy("high", maximum(seconds * factors.high, roof));
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
        entry.tidy("seconds", value_of(each.seconds)).text("binds", each.memory_bound ? "bandwidth" : "compute");
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
    add("launches", pass.time.launches);
    return list;
}

template <class N>
JsonObject pass_json(const TimedPass<N>& pass, double roof, const TimeFactors& factors, Explainer* explainer) {
    JsonObject json = seconds_json(value_of(pass.time.seconds()), factors, roof);
    json.text("binds", binding(pass.time));
    json.put("rows", rows_json(pass, explainer)).put("operations", operations_json(pass.time));
    return json;
}

// Tokens a second: of all sequences or devices together.
JsonObject throughput_json(double tokens, double seconds, const TimeFactors& factors, double roof) {
    JsonObject json;
    json.tidy("value", tokens / maximum(seconds, roof))
        .tidy("low", tokens / maximum(seconds * factors.high, roof))
        .tidy("high", tokens / maximum(seconds * factors.low, roof));
    return json;
}

template <class N>
const TimedPass<N>* pass_named(const std::vector<TimedPass<N>>& passes, std::string_view phase) {
    for (const TimedPass<N>& pass : passes)
        if (pass.phase == phase) return &pass;
    return nullptr;
}

template <class N>
double seconds_of(const std::vector<TimedPass<N>>& passes, std::string_view phase) {
    const TimedPass<N>* pass = pass_named(passes, phase);
    return pass ? value_of(pass->time.seconds()) : 0;
}

// Factors of a pass that the answer has; else none is known.
template <class N>
TimeFactors factors_of(const TimeAnswer<N>& answer, std::string_view phase, double sequences) {
    const TimedPass<N>* pass = pass_named(answer.passes, phase);
    return pass ? factors_of(*answer.reached, *pass, sequences) : TimeFactors{};
}

template <class N>
void tell_inference(JsonObject& json, const Request& request, const TimeAnswer<N>& answer) {
    const double sequences = request.inference.request.sequences;
    const double token = seconds_of(answer.passes, "token"), prefill = seconds_of(answer.passes, "prefill");
    const double token_roof = seconds_of(answer.roof, "token"), prefill_roof = seconds_of(answer.roof, "prefill");
    const TimeFactors of_token = factors_of(answer, "token", sequences),
                      of_prefill = factors_of(answer, "prefill", sequences);
    if (prefill > 0 && of_prefill.is_known()) json.put("first_token", seconds_json(prefill, of_prefill, prefill_roof));
    if (!of_token.is_known()) return;
    json.put("tokens_per_second", throughput_json(sequences, token, of_token, token_roof));
    if (sequences > 1) json.put("tokens_per_second_each", throughput_json(1, token, of_token, token_roof));
}

template <class N>
void tell_training(JsonObject& json, const Request& request, const Model& model, const TimeAnswer<N>& answer) {
    const TrainingInputs& inputs = request.training;
    const TimeFactors factors = factors_of(answer, "step", 1);
    if (!factors.is_known()) return;
    const double seconds = seconds_of(answer.passes, "step"), roof = seconds_of(answer.roof, "step");
    const double tokens = tokens_of_step(inputs);
    json.put("tokens_per_second", throughput_json(tokens, seconds, factors, roof));
    if (const PeakRate* peak = wide_rate(*inputs.device, false))
        json.tidy("mfu", model_operations_of_token(model, inputs) * tokens / maximum(seconds, roof) /
                             (inputs.layout.devices() * peak->per_second));
}

template <class N>
JsonObject roof_json(const Request& request, const TimeAnswer<N>& answer) {
    JsonObject roof;
    for (const TimedPass<N>& pass : answer.roof) roof.tidy(pass.phase, value_of(pass.time.seconds()));
    if (request.task == Task::inference)
        roof.tidy("tokens_per_second", request.inference.request.sequences / seconds_of(answer.roof, "token"));
    return roof;
}

template <class N>
JsonObject told(const Request& request, const Model& model, const TimeAnswer<N>& answer, Explainer* explainer) {
    const bool trains = request.task == Task::training;
    JsonObject json;
    Untimed untimed = answer.untimed;
    for (const TimedPass<N>& pass : answer.passes) {
        const double sequences = trains ? 1 : request.inference.request.sequences;
        const TimeFactors factors = factors_of(*answer.reached, pass, sequences);
        if (factors.is_known())
            json.put(pass.phase, pass_json(pass, seconds_of(answer.roof, pass.phase), factors, explainer));
        else
            untimed = Untimed::not_fitted;
    }
    if (untimed != Untimed::no) json.text("why", why_untimed(untimed));
    if (!answer.roof.empty()) json.put("roof", roof_json(request, answer));
    if (answer.passes.empty()) return json;
    if (trains)
        tell_training(json, request, model, answer);
    else
        tell_inference(json, request, answer);
    return json;
}

template <class N>
TimeAnswer<N> timed(const Request& request, const Model& model) {
    if (request.task == Task::inference) return inference_time<N>(model, request.inference, request.speed);
    const TrainingInputs& inputs = request.training;
    return training_time<N>(inputs.built ? *inputs.built : model, inputs, request.speed);
}

}  // namespace

JsonObject time_json(const Request& request, const Model& model, Explainer* explainer) {
    if (explainer) return told(request, model, timed<Traced>(request, model), explainer);
    return told(request, model, timed<double>(request, model), nullptr);
}

}  // namespace plimsoll
