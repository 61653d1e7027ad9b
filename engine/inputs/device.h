/// What memory there is: what presets/devices/ says of an accelerator, or what the user typed.
#pragma once

#include <string>
#include <vector>

#include "number/quantity.h"

namespace plimsoll {

/// What products of one type of value reach at most: dense, accumulated as the maker states it.
struct PeakRate {
    std::string type;       ///< `fp32`, `tf32`, `fp16`, `bf16`, `fp8`, `int8`, `fp4`
    double per_second = 0;  ///< operations
    std::string source;
};

struct Device {
    std::string id, name, vendor;
    double memory_bytes = 0;  ///< what the driver reports where that is known, else the marketed size
    std::string memory_source;
    double usable_fraction = 1;  ///< of unified memory, what the system lets an accelerator have
    std::string usable_source;
    bool memory_reported = false;  ///< memory_bytes is what the driver says
    double used_by_others_bytes = 0;
    double compute_capability = 0;  ///< NVIDIA's; 0 where unknown
    bool unified_memory = false;    ///< the processor's memory is the accelerator's, too
    double bandwidth = 0;           ///< of its memory, bytes a second; 0 where unknown
    std::string bandwidth_source;
    std::vector<PeakRate> rates;  ///< empty where unknown
    double link = 0;              ///< to the devices of its node, bytes a second one way; 0 where unknown
    std::string link_source;

    /// What a process may take, in bytes.
    template <class N>
    Bytes<N> usable() const {
        return less_others<N>(usable_fraction);
    }
    /// What a server takes its share of: of unified memory too, all that the driver says is there.
    template <class N>
    Bytes<N> shared_out() const {
        return less_others<N>(memory_reported ? 1 : usable_fraction);
    }

private:
    template <class N>
    Bytes<N> less_others(double fraction) const {
        N usable = input<N>("device_memory", memory_bytes, memory_source);
        if (fraction != 1) usable = rounded_down(usable * input<N>("usable_fraction", fraction, usable_source));
        if (used_by_others_bytes > 0)
            usable = usable - input<N>("used_by_others", used_by_others_bytes, "request: device.used_by_others_bytes");
        return {usable};
    }
};

}  // namespace plimsoll
