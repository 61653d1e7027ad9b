/// Which of a server's kernels multiplies which packed weights, and what of the file's encoding it keeps.
#pragma once

#include "inputs/device.h"
#include "inputs/runtime.h"
#include "policies/encodings/weight_mix.h"

namespace plimsoll {

/// What decides on a kernel.
struct KernelSetting {
    const Device* device = nullptr;
    double release = 0;      ///< 0.14.1 as 14.001; 0: today's
    std::string_view asked;  ///< a kernel's name; empty: the runtime chooses
};

/// What was chosen for the routed experts, and for all other packed matrices; null: none of the runtime's suits, and the
/// weights are taken as the file has them.
struct ChosenKernels {
    const Kernel *experts = nullptr, *linear = nullptr;
    bool unsaid = false;  ///< there are kernels for these weights, and no device says which
};

/// Chooses, and makes the mix what is in memory once weights are loaded: encodings as the kernels keep them, and with
/// each weight its kernel, whose paddings are counted where the devices' shares are known.
ChosenKernels apply_kernels(const Model& model, const Runtime& runtime, const KernelSetting& setting, WeightMix& mix);

}  // namespace plimsoll
