/// What a device does in a second, as a runtime's kernels reach it; with nothing known of these, its peaks: the roof.
#pragma once

#include "estimate/time/pass_time.h"
#include "policies/runtimes/device_class.h"
#include "policies/runtimes/product_rate.h"

namespace plimsoll {

/// What was found for the device's class, best of its own generation; null: nothing.
inline const Reached* reached_on(const Speed* speed, const Device& device) {
    if (!speed) return nullptr;
    const Reached* any = nullptr;
    for (const Reached& each : speed->reached) {
        if (each.devices != device_class(device)) continue;
        if (each.generation == rounded_down(device.compute_capability)) return &each;
        if (each.generation == 0) any = &each;
    }
    return any;
}

template <class N>
N share_of_peak(const char* symbol, double share, const Speed* speed) {
    return share > 0 ? input<N>(symbol, share, speed->source) : N(1);
}

template <class N>
PerSecond<N> peak_of(const char* symbol, const PeakRate* rate) {
    return {rate ? input<N>(symbol, rate->per_second, rate->source) : N(0)};
}

/// `reached` null: the peaks themselves. `packed_peak`: of products with packed weights, or with narrow factors.
template <class N>
Rates<N> device_rates(const Device& device, const PeakRate* packed_peak, bool in_fp32, const Speed* speed,
                      const Reached* reached) {
    const Reached nothing{}, &known = reached ? *reached : nothing;
    Rates<N> rates;
    rates.bandwidth = share_of_peak<N>("share_of_bandwidth", known.memory, speed) *
                      BytesPerSecond<N>{input<N>("bandwidth", device.bandwidth, device.bandwidth_source)};
    rates.wide =
        share_of_peak<N>("share_of_peak", known.products, speed) * peak_of<N>("peak_rate", wide_rate(device, in_fp32));
    rates.packed =
        share_of_peak<N>("share_of_peak_packed", known.packed, speed) * peak_of<N>("packed_peak", packed_peak);
    const auto or_else = [](double share, double other) { return share > 0 ? share : other; };
    rates.attention = share_of_peak<N>("share_of_peak_attention", or_else(known.attention, known.products), speed) *
                      peak_of<N>("peak_rate", wide_rate(device, in_fp32));
    const double experts = or_else(known.experts, known.products);
    rates.experts =
        share_of_peak<N>("share_of_peak_experts", experts, speed) * peak_of<N>("peak_rate", wide_rate(device, in_fp32));
    rates.packed_experts = share_of_peak<N>("share_of_peak_experts", or_else(known.experts, known.packed), speed) *
                           peak_of<N>("packed_peak", packed_peak);
    if (known.launch_seconds > 0) rates.launch = {input<N>("seconds_a_launch", known.launch_seconds, speed->source)};
    return rates;
}

}  // namespace plimsoll
