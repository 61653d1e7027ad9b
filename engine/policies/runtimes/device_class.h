/// Devices whose kernels reach about the same share of their rates.
#pragma once

#include <string>

#include "inputs/device.h"

namespace plimsoll {

/// Where a device's memory is: `datacenter` (stacked), `graphics`, `unified` (the processor's). NVIDIA's generations with
/// stacked memory are x.0, but for Volta's 7.2, and Blackwell Ultra's 10.3; those of its systems on a chip 7.2, 8.7, 11.0
/// and 12.1. (CUDA GPUs, compute capability) Of other makers, those beyond a terabyte a second have stacked memory.
inline const char* memory_kind(const Device& device) {
    const double capability = device.compute_capability;
    for (const double on_chip : {7.2, 8.7, 11.0, 12.1})
        if (capability == on_chip) return "unified";
    if (device.unified_memory) return "unified";
    if (device.vendor != "nvidia") return device.bandwidth > 1e12 ? "datacenter" : "graphics";
    const bool stacked = (is_whole(capability) && capability < 12) || capability == 10.3;
    return stacked ? "datacenter" : "graphics";
}

/// Maker and memory, such as `nvidia-graphics`; NVIDIA's before tensor cores apart, since kernels are written for these.
inline std::string device_class(const Device& device) {
    const bool old = device.compute_capability > 0 && device.compute_capability < 7;
    return device.vendor + "-" + memory_kind(device) + (old ? "-before-tensor-cores" : "");
}

}  // namespace plimsoll
