/// An answer where more than one memory takes part: a ledger for each class of equal devices, and the host's.
#pragma once

#include <string>

#include "estimate/ledger/ledger.h"
#include "estimate/ledger/step_record.h"
#include "inputs/device.h"

namespace plimsoll {

/// What a framework's allocator shows at one phase, in bytes.
struct PhaseMemory {
    double allocated = 0;  ///< by blocks, at its end
    double peak = 0;       ///< by blocks, at its fullest
    double requested = 0;  ///< by tensors, at their fullest
    double reserved = 0;   ///< from the driver, at most until its end
};

/// The same over a training run, by phase: its first step, and a later one; where lengths vary, after many others.
struct Replay {
    std::vector<PhaseMemory> first, later;
    double varied = 0;  ///< reserved after sequences of growing lengths

    bool empty() const { return first.empty(); }
};

template <class N>
struct DeviceClass {
    std::string name;  ///< `device 0`, `stage 1` …
    double count = 1;  ///< devices that all hold these rows
    Ledger<N> ledger;
    const Device* device = nullptr;  ///< where devices are unequal: which
    Replay replay = {};              ///< empty where no allocator was simulated
    StepRecord step = {};            ///< empty where none was asked for
};

/// What the memory that a runtime claims for its cache holds, on the device that holds least.
struct Capacity {
    double claimed = 0;  ///< bytes of the device that the runtime takes whatever is needed
    Span bytes;
    double kv_tokens = 0, sequences = 0;
    double context_share = 0;         ///< of what the driver's context is more than told, this is less in the cache
    double less = 0, more = 0;        ///< bytes by which the cache would differ with a default that was not said
    bool by_sequences = false;        ///< pools of several kinds: bytes alone do not say what they hold
    double share = 1;                 ///< of what the rows beside the cache leave, this goes to the cache
    std::vector<std::string> beside;  ///< those rows, from the top: `weights`, `workspace.library`
    size_t device = 0;                ///< index of the class of devices that holds least
};

template <class N>
struct Placed {
    std::vector<DeviceClass<N>> devices;
    std::optional<Capacity> capacity;
    Ledger<N> host;  ///< what lies in the host's memory: off-loaded parts and pinned buffers
};

/// One device has everything.
template <class N>
Placed<N> on_one_device(Ledger<N> ledger) {
    Placed<N> placed;
    placed.host.phases = ledger.phases;
    placed.devices.push_back({"device 0", 1, std::move(ledger)});
    return placed;
}

/// Index of the class whose devices have most allocated, each at its own peak; the first of equals. Of unequal devices,
/// the one with most of its own memory allocated.
template <class N>
size_t fullest(const Placed<N>& placed) {
    const auto peak = [&placed](size_t index) {
        const Ledger<N>& ledger = placed.devices[index].ledger;
        const double bytes = total_at(ledger, peak_phase(ledger), is_allocated);
        const Device* device = placed.devices[index].device;
        return device ? bytes / value_of(device->usable<double>()) : bytes;
    };
    size_t best = 0;
    for (size_t index = 1; index < placed.devices.size(); ++index)
        if (peak(index) > peak(best)) best = index;
    return best;
}

}  // namespace plimsoll
