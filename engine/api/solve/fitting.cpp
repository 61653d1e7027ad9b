// One value tried: what the request with it needs, held against the limit.
#include "api/solve/fitting.h"

#include "api/reply/verdict.h"
#include "api/solve/timely.h"
#include "inputs/capabilities.h"

namespace plimsoll {
namespace {

// What grows with every field that makes a request larger: all that a process takes but the allocator's slack and a graph
// that is planned anew for other sizes, in which things may find places that fit better.
double never_falling(const Ledger<double>& ledger, bool planned) {
    double most = 0;
    for (size_t phase = 0; phase < ledger.phases.size(); ++phase)
        most = maximum(most, total_at(ledger, phase, [planned](const RowId& id) {
                           return !(id == RowId::slack) && !(planned && id == RowId::activations);
                       }));
    return most;
}

bool is_planned(const Request& request) {
    return request.task == Task::inference && request.inference.runtime->allocation == Allocation::llama_cpp;
}

// The bytes that a device has for a process; without a device and a limit, all there could be.
double room_of(const Request& request, const DeviceClass<double>& device, const Limit& limit) {
    if (limit.bytes) return *limit.bytes;
    const Device* all = request.device ? &*request.device : nullptr;
    const Device* own = device.device ? device.device : all;
    return own ? value_of(own->usable<double>()) : std::numeric_limits<double>::infinity();
}

Need of_devices(const Request& request, const Placed<double>& placed, const Banding& banding, const Limit& limit) {
    Need need{true};
    double least = std::numeric_limits<double>::infinity();
    for (size_t index = 0; index < placed.devices.size(); ++index) {
        const DeviceClass<double>& device = placed.devices[index];
        const size_t peak = peak_phase(device.ledger);
        const Span process = banding.total(device.ledger, peak, Metric::process).span;
        const double room = room_of(request, device, limit);
        need.beyond = need.beyond || never_falling(device.ledger, is_planned(request)) > room;
        const double left = room - (limit.sure ? process.high : process.bytes);
        if (left >= least) continue;
        least = left;
        need.bytes = process.bytes;
        need.device = index;
        need.phase = peak;
        need.over = maximum(-left, 0);
    }
    need.fits = need.over == 0;
    if (!need.fits) need.verdict = "too large";
    return need;
}

// A runtime that claims a share of the device must hold all sequences in its cache at once.
void hold_cache(const Request& request, const Placed<double>& placed, const Banding& banding, Need& need, bool sure) {
    if (!capabilities.runtimes || !placed.capacity) return;
    const Capacity& capacity = *placed.capacity;
    const double asked = asked_of_the_cache(placed.devices[capacity.device].ledger);
    const Span held = banding.capacity(capacity, placed.devices[capacity.device].ledger).span;
    const double bytes = sure ? held.low : held.bytes;
    if (capacity.kv_tokens >= 1 && asked <= bytes) return;
    need.fits = false;
    need.beyond = true;
    need.over = maximum(need.over, asked - bytes);
    need.device = capacity.device;
    need.phase = placed.devices[capacity.device].ledger.phases.size() - 1;
    need.verdict = verdict_of(request, placed, {true, false}).text;
}

}  // namespace

Need need_of(const Request& request, const Placed<double>& placed, const Banding& banding, const Limit& limit) {
    Need need = of_devices(request, placed, banding, limit);
    hold_cache(request, placed, banding, need, limit.sure);
    const double host = total_at(placed.host, peak_phase(placed.host), any_row);
    if (limit.host_bytes && host > *limit.host_bytes) {
        need.host = true;
        need.fits = false;
        need.over = host - *limit.host_bytes;
        need.verdict = "too large";
    }
    return need;
}

bool asks_the_whole(const std::optional<Error>& error) { return error && error->code == "ask_the_whole"; }

Fitting::Tried Fitting::trying(std::int64_t value) {
    if (!setting_.set(point_, value)) return {Error{}, {}};
    Request& request = point_.read();
    if (request.reading.error) return {request.reading.error, {}};
    ++estimates_;
    Computed made = computed(request, point_.model());
    if (made.beyond_all) return {std::nullopt, {false, true}};
    if (made.error) return {made.error, {}};
    const Banding banding = banding_of(request, point_.library());
    for (DeviceClass<double>& each : made.placed.devices) banding.band(each.ledger.rows);
    Tried tried{std::nullopt, need_of(request, made.placed, banding, limit_)};
    if (capabilities.time && limit_.asks_time() && tried.need.fits) hold_against_time(request, tried);
    return tried;
}

// Of fields of which the greatest value is wanted, more of it is slower.
void Fitting::hold_against_time(const Request& request, Tried& tried) {
    Timely found = timely(request, point_.model(), limit_);
    if (!found.slow && !found.untold) return;
    tried.need.slow = found.slow;
    tried.need.fits = false;
    tried.need.beyond = found.slow != nullptr;
    if (found.untold && !untold_) untold_ = found.untold;
    tried.refused = std::move(found.untold);
}

const Fitting::Tried& Fitting::tried(std::int64_t value) {
    const auto known = all_.find(value);
    if (known != all_.end()) return known->second;
    Tried made = trying(value);
    if (made.refused && !made.refused->code.empty() && (!refusal_ || asks_the_whole(made.refused)))
        refusal_ = made.refused;
    return all_.emplace(value, std::move(made)).first->second;
}

Probe Fitting::at(std::int64_t value) {
    const Tried& found = tried(value);
    if (found.refused) return {};
    return {found.need.fits ? Probe::State::fits : Probe::State::too_much, found.need.beyond};
}

}  // namespace plimsoll
