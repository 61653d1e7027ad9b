#include "policies/runtimes/kernels.h"

#include <algorithm>

#include "model/core/profile.h"
#include "policies/runtimes/overhead.h"

namespace plimsoll {
namespace {

bool takes(const Kernel& kernel, const std::string& encoding, bool experts) {
    const Kernel::Of other = experts ? Kernel::Of::linear : Kernel::Of::experts;
    return kernel.of != other &&
           std::find(kernel.encodings.begin(), kernel.encodings.end(), encoding) != kernel.encodings.end();
}

bool within(double value, double from, double below) { return value >= from && (below == 0 || value < below); }

bool runs_on(const Kernel& kernel, const Device& device) {
    const std::vector<std::string>& makers = kernel.makers;
    if (!makers.empty() && std::find(makers.begin(), makers.end(), maker_of(&device)) == makers.end()) return false;
    if (kernel.capability_from == 0 && kernel.capability_below == 0) return true;
    return device.compute_capability > 0 &&
           within(device.compute_capability, kernel.capability_from, kernel.capability_below);
}

bool is_of(const Kernel& kernel, double release) {
    return release == 0 ? kernel.before == 0 : within(release, kernel.since, kernel.before);
}

// Without a device, or with one of which no capability is known, there is no saying.
bool is_said(const Device* device) {
    return device && (device->compute_capability > 0 || (!device->vendor.empty() && device->vendor != "nvidia"));
}

const Kernel* chosen(const Runtime& runtime, const std::string& encoding, bool experts, const KernelSetting& setting) {
    for (const Kernel& kernel : runtime.kernels) {
        if (!takes(kernel, encoding, experts) || !is_of(kernel, setting.release)) continue;
        if (setting.asked.empty() ? runs_on(kernel, *setting.device) : kernel.name == setting.asked) return &kernel;
    }
    return nullptr;
}

bool any_takes(const Runtime& runtime, const std::string& encoding, bool experts) {
    return std::any_of(runtime.kernels.begin(), runtime.kernels.end(),
                       [&](const Kernel& kernel) { return takes(kernel, encoding, experts); });
}

bool changes(const Kernel& kernel) {
    return kernel.scale_bits > 0 || kernel.scale_columns > 0 || kernel.without_zeros || kernel.without_indices;
}

bool pads(const Kernel& kernel) {
    for (const double multiple :
         {kernel.width, kernel.intermediate, kernel.value_inputs, kernel.scale_outputs, kernel.scale_groups})
        if (multiple > 1) return true;
    return kernel.scales_twice || kernel.wide_biases;
}

// The file's encoding as the kernel keeps it.
const Encoding* as_loaded(const Encoding& encoding, const Kernel& kernel, WeightMix& mix) {
    if (!changes(kernel) || !encoding.group) return &encoding;
    auto loaded = std::make_shared<Encoding>(encoding);
    if (kernel.scale_bits > 0) loaded->group->scale_bits = kernel.scale_bits;
    if (kernel.scale_columns > 0) loaded->group->columns = kernel.scale_columns;
    if (kernel.without_zeros) loaded->group->zero_bits = 0;
    if (kernel.without_indices) loaded->row_bits = 0;
    mix.loaded.push_back(loaded);
    return mix.loaded.back().get();
}

// One for each encoding and kernel, so that parts of a model add up.
struct LoadedAs {
    const Encoding *file, *loaded;
    const Kernel* kernel;
};

const Encoding* loaded_once(std::vector<LoadedAs>& known, const Encoding& encoding, const Kernel& kernel,
                            WeightMix& mix) {
    for (const LoadedAs& each : known)
        if (each.file == &encoding && each.kernel == &kernel) return each.loaded;
    known.push_back({&encoding, as_loaded(encoding, kernel, mix), &kernel});
    return known.back().loaded;
}

}  // namespace

ChosenKernels apply_kernels(const Model& model, const Runtime& runtime, const KernelSetting& setting, WeightMix& mix) {
    ChosenKernels kernels;
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    const bool said = is_said(setting.device) || !setting.asked.empty();
    std::vector<LoadedAs> known;
    for (StoredWeight& stored : mix.weights) {
        const LayeredWeight<double>& each = weights[stored.weight];
        const bool experts = each.weight.part == Part::experts;
        if (each.weight.vector || !any_takes(runtime, stored.encoding->id, experts)) continue;
        kernels.unsaid = kernels.unsaid || !said;
        const Kernel* kernel = said ? chosen(runtime, stored.encoding->id, experts, setting) : nullptr;
        if (!kernel) continue;
        (experts ? kernels.experts : kernels.linear) = kernel;
        if (pads(*kernel)) stored.kernel = kernel;
        stored.encoding = loaded_once(known, *stored.encoding, *kernel, mix);
    }
    for (StoredWeight& stored : mix.weights) {  // an expert's biases are padded and widened with its matrices
        const Weight<double>& weight = weights[stored.weight].weight;
        const bool bias = weight.vector && weight.part == Part::experts;
        if (bias && kernels.experts && pads(*kernels.experts)) stored.kernel = kernels.experts;
    }
    return kernels;
}

}  // namespace plimsoll
