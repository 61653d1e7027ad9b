// The kernel of a server's packed weights.
#include "api/request/inference/runtime_request.h"
#include "estimate/inference/paged/loaded_weights.h"
#include "inputs/capabilities.h"
#include "policies/runtimes/kernels.h"

namespace plimsoll {
namespace {

void tell(const ChosenKernels& kernels, Reading& reading) {
    const char* why = "the runtime's choice for these weights, this device and this release";
    if (kernels.experts) reading.assume("weights.kernel", kernels.experts->name, why);
    const bool another = kernels.linear && (!kernels.experts || kernels.experts->name != kernels.linear->name);
    if (another) reading.assume("weights.kernel", kernels.linear->name, why);
    if (kernels.unsaid && !reading.silent)
        reading.notes.push_back({"kernel_unsaid", "device",
                                 "which kernel multiplies these weights goes by the device, and none is named: they "
                                 "are counted as the file has them, which kernels pad"});
}

}  // namespace

void read_kernel(Fields& weights, const ModelChoice& model, Request& request) {
    InferenceInputs& inputs = request.inference;
    Reading& reading = request.reading;
    const std::string asked =
        weights.has("kernel") ? weights.choice("kernel", choice_names<WeightKernel>, "", "") : std::string();
    if (reading.error || !capabilities.runtimes) return;
    const KernelSetting setting{request.device ? &*request.device : nullptr, inputs.release, asked};
    const ChosenKernels kernels = apply_kernels(model.model, *inputs.runtime, setting, inputs.mix);
    if (inputs.runtime->allocation == Allocation::paged)
        inputs.loaded.left_over = left_over_of_server(model.model, inputs, setting.device);
    if (asked.empty()) return tell(kernels, reading);
    if (!kernels.experts && !kernels.linear)
        reading.fail({"not_supported", "weights.kernel",
                      inputs.runtime->name + " has no such kernel for " + inputs.weights->name + " in this release",
                      "leave it out"});
}

}  // namespace plimsoll
