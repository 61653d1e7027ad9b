// Bytes of an optimizer's step, and what its kernels reach of the memory's bandwidth.
#include "estimate/time/optimizer_time.h"

#include "estimate/training/optimizer/optimizer_states.h"

namespace plimsoll {
namespace {

// The middle of AdamW fused (0.48), foreach (0.60) and one by one (0.68), and of SGD (0.54), 1.2 billion parameters.
constexpr double share_reached = 0.57;
constexpr const char* share_source = "tests/measured/h200.jsonl: w0001, w0002, w0003, w0006";

// The share of all copies' work that is a device's: those who divide the states step a share each; of experts, fewer
// devices have the same.
double share_of_step(const Model& model, const TrainingInputs& inputs) {
    const TrainingLayout& layout = inputs.layout;
    const double share = 1 / (layout.tensor * layout.pipeline);
    if (layout.divides_states()) return share / layout.shards();
    if (layout.expert == 1) return share;
    const double in = trained_in_experts(model, inputs);
    return (1 - in) * share + in / (layout.expert * layout.expert_tensor * layout.pipeline);
}

// What a device moves, the mean over all; `between`: values of each parameter beside each tensor once.
template <class N>
Bytes<N> bytes_of_step(const Model& model, const TrainingInputs& inputs, double between) {
    const auto& adapter = inputs.request.method.adapter;
    // matrices that are trained beside adapters are most of what is trained then
    const Dtype stepped = adapter && adapter->saves_modules() ? saved_module_type(inputs) : stepped_type(inputs);
    const N trained = trainable_parameters<N>(model, inputs.request);
    Bytes<N> each =
        input<N>("reads_and_writes_of_a_parameter", 2 + between, inputs.optimizer->source) * bytes_of<N>(stepped) +
        bytes_of<N>(inputs.gradient.value_or(adapter ? stepped : inputs.precision.gradient));
    if (inputs.precision.master_weights && !adapter) each += bytes_of<N>(Dtype::sixteen_bit);
    Bytes<N> bytes = trained * each;
    const std::vector<Stepped<N>> parameters = stepped_parameters<N>(model, inputs);
    for (const OptimizerTensor& state : inputs.optimizer->states)
        if (state.extent == Extent::parameter)
            bytes += N(2) * Bytes<N>{named({"bytes_of_", state.name, "s"},
                                           state_bytes(state, model, parameters, inputs, trained).n)};
    const N share = input<N>("share_of_this_device", share_of_step(model, inputs),
                             "request: parallel: who divides states, and who divides the model");
    return {named("bytes_of_the_optimizers_step", (share * bytes).n)};
}

}  // namespace

template <class N>
Seconds<N> optimizer_time(const Model& model, const TrainingInputs& inputs, bool reached) {
    const double between = reached ? maximum(0.0, values_between(inputs)) : 0;
    const Bytes<N> bytes = bytes_of_step<N>(model, inputs, between);
    BytesPerSecond<N> rate{input<N>("bandwidth", inputs.device->bandwidth, inputs.device->bandwidth_source)};
    if (reached) rate = input<N>("share_of_bandwidth_of_optimizers", share_reached, share_source) * rate;
    return bytes / rate;
}

template Seconds<double> optimizer_time(const Model&, const TrainingInputs&, bool);
template Seconds<Traced> optimizer_time(const Model&, const TrainingInputs&, bool);

}  // namespace plimsoll
