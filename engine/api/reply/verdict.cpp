// Whether what was asked for runs: by the device's memory, and of a server by what its cache holds.
#include "api/reply/verdict.h"

#include "inputs/capabilities.h"

namespace plimsoll {
namespace {

bool claims_a_share(const Request& request, const Placed<double>& placed) {
    return capabilities.runtimes && placed.capacity && request.task == Task::inference;
}

}  // namespace

double asked_of_the_cache(const Ledger<double>& ledger) {
    return total_at(ledger, ledger.phases.size() - 1, [](const RowId& id) { return id.is_cache(); });
}

double spared(const Request& request, const Placed<double>& placed, const Ledger<double>& ledger) {
    return claims_a_share(request, placed) ? asked_of_the_cache(ledger) : 0;
}

Verdict verdict_of(const Request& request, const Placed<double>& placed, const Room& room) {
    if (room.too_large) return {"too large"};
    Verdict by_memory{room.fits ? "fits" : "tight"};
    if (!claims_a_share(request, placed)) return by_memory;
    const Capacity& capacity = *placed.capacity;
    const Runtime& runtime = *request.inference.runtime;
    if (capacity.kv_tokens < 1)
        return {"does not start", "the claimed share leaves no memory for the cache", runtime.says_no_cache};
    const double asked = asked_of_the_cache(placed.devices[capacity.device].ledger);
    const InferenceRequest& asks = request.inference.request;
    const bool held =
        capacity.by_sequences ? asks.sequences * asks.beams <= capacity.sequences : asked <= capacity.bytes.bytes;
    if (held) return by_memory;
    if (capacity.sequences < 1 && !runtime.says_no_sequence.empty())
        return {"does not start", "the cache has no room for one sequence of this length", runtime.says_no_sequence};
    const double at_once = rounded_down(capacity.sequences * request.inference.request.data);
    if (at_once < 1) return {"waits", "the cache has no room for one sequence of this length", {}, 0};
    return {"waits", "the cache holds fewer sequences at once: the others wait, or are preempted", {}, at_once};
}

}  // namespace plimsoll
