/// Which of a runtime's measured constants hold on a device.
#pragma once

#include <algorithm>
#include <string_view>

#include "inputs/device.h"
#include "inputs/layout.h"
#include "inputs/runtime.h"
#include "policies/runtimes/device_class.h"

namespace plimsoll {

/// The kind of driver a vendor's devices are run with; without a device, CUDA's.
inline std::string_view backend_of(const Device* device) {
    if (!device || device->vendor.empty() || device->vendor == "nvidia") return "cuda";
    if (device->vendor == "amd") return "rocm";
    return device->vendor == "apple" ? "metal" : "other";
}

/// The maker of a device; where none is said, CUDA's.
inline std::string_view maker_of(const Device* device) {
    return device && !device->vendor.empty() ? std::string_view(device->vendor) : std::string_view("nvidia");
}

/// The boundaries of buffers for a kind of driver; 1 where none is known.
inline const BufferAlignment& alignment_of(const Runtime& runtime, std::string_view backend) {
    static const BufferAlignment none;
    for (const BufferAlignment& alignment : runtime.alignments)
        if (alignment.backend == backend) return alignment;
    return none;
}

/// Whether devices of this kind are joined by PCIe alone: by their preset's rate, which fifth-generation PCIe bounds;
/// cards for graphics by their kind. Cards that bridges may join have no rate.
inline bool joined_by_pcie(const Device& device) {
    constexpr double pcie_5 = 64e9;
    return device.link > 0 ? device.link <= pcie_5 : std::string_view(memory_kind(device)) == "graphics";
}

/// The first of the figures that holds on the device and in the release (0: today's); none where none does.
inline const Measured* figure_on(const std::vector<MeasuredOn>& figures, const Device* device, double release) {
    const std::string_view maker = maker_of(device);
    const bool pcie = device && !device->vendor.empty() && joined_by_pcie(*device);
    for (const MeasuredOn& each : figures) {
        if (release == 0 ? each.before > 0 : release < each.since || (each.before > 0 && release >= each.before))
            continue;
        if (each.links != MeasuredOn::Links::any && (each.links == MeasuredOn::Links::pcie) != pcie) continue;
        if (each.makers.empty() || std::find(each.makers.begin(), each.makers.end(), maker) != each.makers.end())
            return &each.figure;
    }
    return nullptr;
}

/// The context of the framework's version that was asked for, else that of today's.
inline const DeviceContext* device_context_of(const Runtime& runtime, const Device* device,
                                              std::string_view framework) {
    const double generation = device ? rounded_down(device->compute_capability) : 0;
    const DeviceContext* found = nullptr;
    for (const DeviceContext& context : runtime.device_contexts) {
        if (context.backend != backend_of(device)) continue;
        if (!framework.empty() && context.framework == framework) return &context;
        if (!framework.empty()) continue;
        if (context.compute_capability > 0 && context.compute_capability == generation) return &context;
        if (!found && context.compute_capability == 0) found = &context;
    }
    return found;
}

/// cuBLAS takes more on Hopper (compute capability 9.x); hipBLAS on MI300 and later is known by name.
/// None where the framework's version leaves it to the library, outside the allocator.
/// Source: PyTorch, aten/src/ATen/cuda/CublasHandlePool.cpp, parseChosenWorkspaceSize.
inline const Measured* workspace_of(const Runtime& runtime, const Device* device, std::string_view framework = {}) {
    const DeviceContext* context = device_context_of(runtime, device, framework);
    if (context && context->workspaces_within) return nullptr;
    const std::string_view backend = backend_of(device);
    const bool hopper = device && device->compute_capability >= 9 && device->compute_capability < 10;
    const std::string_view nvidia = hopper ? "hopper" : "default", generation = backend == "cuda" ? nvidia : backend;
    for (const Workspace& workspace : runtime.workspaces)
        if (workspace.generation == generation) return &workspace.figure;
    return nullptr;
}

/// Transformer Engine's own, beside PyTorch's; none where the device is no NVIDIA one.
/// Source: TransformerEngine, pytorch/module/base.py, get_cublas_workspace_size_bytes.
inline const Measured* transformer_engine_workspace_of(const Runtime& runtime, const Device* device) {
    if (backend_of(device) != "cuda") return nullptr;
    const bool hopper = device && device->compute_capability >= 9;
    for (const Workspace& workspace : runtime.workspaces)
        if (workspace.generation == (hopper ? "transformer-engine-hopper" : "transformer-engine"))
            return &workspace.figure;
    return nullptr;
}

/// What devices communicate by where nothing else is asked for: their driver's own library.
inline std::string_view library_of(Collectives asked, const Device* device) {
    if (asked == Collectives::gloo) return "gloo";
    const bool rocm = asked == Collectives::of_the_device && backend_of(device) == "rocm";
    return rocm || asked == Collectives::rccl ? "rccl" : "nccl";
}

inline const Communicator* communicator_of(const Runtime& runtime, const Device* device, Collectives asked) {
    for (const Communicator& communicator : runtime.communicators)
        if (communicator.library == library_of(asked, device)) return &communicator;
    return nullptr;
}

}  // namespace plimsoll
