#include "estimate/training/replayed_parameters.h"

namespace plimsoll {
namespace {

void add(std::vector<double>& list, const Bytes<double>& bytes) {
    if (bytes.n > 0) list.push_back(bytes.n);
}

void add_states(ReplayedParameter& entry, const Stepped<double>& parameter, const TrainingInputs& inputs) {
    const double paged_from = inputs.optimizer->paged_from;
    const bool paged = paged_from > 0 && parameter.elements() >= paged_from;
    for (const OptimizerTensor& state : inputs.optimizer->states) {
        const StateElements<double> elements = state_elements<double>(state, {parameter}, inputs);
        if (!paged) add(entry.states, state_values(state, elements, inputs));
        add(entry.states, state_scales(state, elements, inputs));
    }
}

void add_temporaries(ReplayedParameter& entry, const Stepped<double>& parameter, const TrainingInputs& inputs) {
    const auto& given = inputs.optimizer->step[static_cast<size_t>(inputs.request.optimizer_step)];
    if (!given) return;
    for (const StepTensor& tensor : *given) {
        if (!applies(tensor, parameter.kind, parameter.dtype)) continue;
        for (double each = 0; each < tensor.tensors; ++each) {
            const Bytes<double> bytes = parameter.tensors * step_tensor(tensor, parameter, inputs, 1);
            add(tensor.of_all ? entry.listed : each < tensor.left ? entry.left : entry.own, bytes);
        }
    }
}

ReplayedParameter replayed(const Weight<double>& weight, const TrainingInputs& inputs, bool saved) {
    const Dtype own = saved ? inputs.precision.numerics.parameter : inputs.gradient_made();
    ReplayedParameter entry;
    entry.elements = weight.elements();
    entry.arriving = entry.elements * bytes_of<double>(own).n;
    entry.gradient =
        entry.elements * (saved ? matrix_gradient_element<double>(inputs) : gradient_element<double>(inputs)).n;
    if (inputs.request.lora)
        entry.stored = entry.arriving;
    else if (inputs.precision.master_weights)
        entry.stored = entry.elements * bytes_of<double>(Dtype::float32).n;
    const Stepped<double> parameter = stepped(weight, part_name(weight.part), weight.copies, inputs, saved);
    add_states(entry, parameter, inputs);
    add_temporaries(entry, parameter, inputs);
    return entry;
}

}  // namespace

std::vector<ReplayedParameter> replayed_parameters(const std::vector<TrainedTensor>& tensors,
                                                   const TrainingInputs& inputs) {
    std::vector<ReplayedParameter> list;
    list.reserve(tensors.size());
    for (const TrainedTensor& tensor : tensors) list.push_back(replayed(tensor.weight, inputs, false));
    return list;
}

ReplayedParameter replayed_module(const Weight<double>& weight, const TrainingInputs& inputs) {
    return replayed(weight, inputs, true);
}

}  // namespace plimsoll
