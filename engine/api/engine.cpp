#include "api/engine.h"

#include "api/reply/classic_notes.h"
#include "api/reply/reply.h"
#include "inputs/capabilities.h"

namespace plimsoll {
namespace {

constexpr double largest_exact = 9007199254740992.0;  // 2^53: whole numbers beyond are not exact in a double

template <class N>
Placed<N> ledgers_of(const Request& request, const ModelChoice& model) {
    if (capabilities.classic && request.task == Task::classic) return on_one_device(classic_ledger<N>(request.classic));
    return request.task == Task::inference ? inference_ledgers<N>(model.model, request.inference)
                                           : training_ledgers<N>(model.model, request.training);
}

bool is_too_large(const Ledger<double>& ledger) {
    for (size_t phase = 0; phase < ledger.phases.size(); ++phase)
        if (!(total_at(ledger, phase, any_row) < largest_exact)) return true;
    return false;
}

// What measured cases say of answers like this one, the most alike first. Training on many devices is a kind by itself.
std::vector<const Bands*> bands_for(const Request& request, const Library& library) {
    std::vector<const Bands*> groups;
    const auto add = [&](const std::string& id) {
        const auto found = library.bands.find(id);
        if (found != library.bands.end()) groups.push_back(&found->second);
        return found != library.bands.end();
    };
    if (request.task == Task::inference) {
        const Runtime& runtime = *request.inference.runtime;
        const std::string id = runtime.allocation == Allocation::llama_cpp ? "llama.cpp" : runtime.id;
        add(id + "-" + request.inference.backend);
        add(id);
        add("inference");
    } else if (capabilities.training && request.task == Task::training &&
               !(request.training.layout.devices() > 1 && add("training-parallel"))) {
        // answers end where they end: what they leave reserved depends on the order of lengths, too
        if (generates(request.training.request.objective.kind)) add("training-lengths");
        const bool apart =
            add(std::string("training-") + method_of(request.training)) && request.training.request.batch.lengths;
        if (!apart) add("training");
    }
    return groups;
}

std::optional<Error> too_large(const Placed<double>& placed, Task task) {
    bool too_large = is_too_large(placed.host);
    for (const DeviceClass<double>& each : placed.devices) too_large = too_large || is_too_large(each.ledger);
    if (!too_large) return std::nullopt;
    return Error{"out_of_range", task == Task::training ? "training" : "inference", "the request needs more than 8 PiB",
                 "lower the context, the batch or the number of instances"};
}

Json written(const Request& request, const Library& library, const ModelChoice& model, Placed<double> placed,
             const Placed<Traced>* traced) {
    if (const auto error = too_large(placed, request.task)) return error_reply(*error);
    const Banding banding = banding_of(request, library);
    for (DeviceClass<double>& each : placed.devices) banding.band(each.ledger.rows);
    banding.band(placed.host.rows);
    return write_reply(request, model, banding, placed, traced);
}

// The device lives in the request; the estimates look at it where it lies.
void point_at_device(Request& request) {
    const Device* device = request.device ? &*request.device : nullptr;
    request.inference.device = request.training.device = device;
    if (request.training.generation) request.training.generation->device = device;
    request.inference.devices = request.devices.get();
}

}  // namespace

Json answer(const Json& json, const Library& library, const ModelChoice& model) {
    Request request = read_request(json, library, model);
    if (request.reading.error) return error_reply(*request.reading.error);
    point_at_device(request);
    if (capabilities.classic && request.task == Task::classic) add_classic_notes(request, model);
    if (request.explain != Explain::all)
        return written(request, library, model, ledgers_of<double>(request, model), nullptr);
    const Placed<Traced> traced = ledgers_of<Traced>(request, model);
    return written(request, library, model, values_of(traced), &traced);
}

Banding banding_of(const Request& request, const Library& library) { return Banding(bands_for(request, library)); }

Computed computed(Request& request, const ModelChoice& model) {
    if (request.reading.error) return {request.reading.error, {}};
    point_at_device(request);
    Placed<double> placed = ledgers_of<double>(request, model);
    if (auto error = too_large(placed, request.task)) return {std::move(error), {}, true};
    return {std::nullopt, std::move(placed)};
}

SweepPoint sweep_point(Request& request, const ModelChoice& model) {
    request.training.one_length = true;
    auto [error, placed, beyond_all] = computed(request, model);
    if (error) return {std::move(error), {}};
    SweepPoint point{std::nullopt, std::move(placed.devices[fullest(placed)].ledger)};
    point.peak = peak_phase(point.ledger);
    return point;
}

}  // namespace plimsoll
