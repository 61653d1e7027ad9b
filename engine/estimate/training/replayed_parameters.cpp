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
        if (!applies(tensor, parameter.kind, inputs)) continue;
        for (double each = 0; each < tensor.tensors; ++each) {
            const Bytes<double> bytes = parameter.tensors * step_tensor(tensor, parameter, inputs, 1);
            add(tensor.of_all ? entry.listed : each < tensor.left ? entry.left : entry.own, bytes);
        }
    }
}

}  // namespace

std::vector<ReplayedParameter> replayed_parameters(const std::vector<TrainedTensor>& tensors,
                                                   const TrainingInputs& inputs) {
    const double kept = gradient_element<double>(inputs).n;
    const Dtype made = inputs.request.lora ? inputs.request.lora->dtype : inputs.precision.numerics.parameter;
    std::vector<ReplayedParameter> list;
    for (const TrainedTensor& tensor : tensors) {
        const Weight<double>& weight = tensor.weight;
        ReplayedParameter entry;
        entry.elements = weight.elements();
        entry.arriving = entry.elements * bytes_of<double>(made).n;
        entry.gradient = entry.elements * kept;
        const Stepped<double> parameter = stepped(weight, part_name(weight.part), weight.copies, inputs);
        add_states(entry, parameter, inputs);
        add_temporaries(entry, parameter, inputs);
        list.push_back(std::move(entry));
    }
    return list;
}

}  // namespace plimsoll
