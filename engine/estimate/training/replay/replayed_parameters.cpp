#include "estimate/training/replay/replayed_parameters.h"

namespace plimsoll {
namespace {

// Which share of the states lies on this device.
double states_here(const TrainingInputs& inputs) {
    return inputs.layout.optimizer == Residence::device ? state_share<double>(inputs) : 0;
}

void add(std::vector<double>& list, const Bytes<double>& bytes, double share) {
    if (bytes.n * share > 0) list.push_back(ceiling(bytes.n * share));
}

void add_states(ReplayedParameter& entry, const Stepped<double>& parameter, const TrainingInputs& inputs) {
    const double paged_from = inputs.optimizer->paged_from;
    const double share = states_here(inputs);
    const bool paged = paged_from > 0 && parameter.elements() >= paged_from;
    for (const OptimizerTensor& state : inputs.optimizer->states) {
        const StateElements<double> elements = state_elements<double>(state, {parameter}, inputs);
        if (!paged) add(entry.states, state_values(state, elements, inputs), share);
        add(entry.states, state_scales(state, elements, inputs), share);
    }
}

void add_temporaries(ReplayedParameter& entry, const Stepped<double>& parameter, const TrainingInputs& inputs) {
    const auto& given = inputs.optimizer->step[static_cast<size_t>(inputs.request.optimizer.step)];
    if (!given) return;
    const double share = states_here(inputs);
    for (const StepTensor& tensor : *given) {
        if (!applies(tensor, parameter.kind, parameter.dtype)) continue;
        for (double each = 0; each < tensor.tensors; ++each) {
            const Bytes<double> bytes = parameter.tensors * step_tensor(tensor, parameter, inputs, 1);
            std::vector<double>& alone = each < tensor.left ? entry.left : entry.own;
            add(tensor.of_all ? entry.listed : alone, bytes, share);
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
    const TrainingLayout& layout = inputs.layout;
    entry.gradient = inputs.reduces_by_unit() || inputs.gradients_go_to_host()
                         ? 0
                         : ceiling(entry.gradient * share_of<double>(layout, inputs.gradients_divided()));
    if (inputs.request.method.adapter)
        entry.stored = ceiling(entry.arriving * share_of<double>(layout, layout.divides_weights()));
    else if (inputs.precision.master_weights)
        entry.stored = ceiling(entry.elements * bytes_of<double>(Dtype::float32).n * states_here(inputs));
    const Stepped<double> parameter = stepped(weight, part_name(weight.part), weight.copies, inputs, saved);
    add_states(entry, parameter, inputs);
    add_temporaries(entry, parameter, inputs);
    return entry;
}

}  // namespace

double weights_here(const TrainingInputs& inputs) {
    const TrainingLayout& layout = inputs.layout;
    return layout.parameters == Residence::device ? share_of<double>(layout, layout.divides_weights()) : 0;
}

std::vector<ReplayedParameter> replayed_parameters(const std::vector<TrainedTensor>& tensors,
                                                   const TrainingInputs& inputs) {
    std::vector<ReplayedParameter> list;
    list.reserve(tensors.size());
    const std::optional<Adapter>& adapter = inputs.request.method.adapter;
    for (const TrainedTensor& tensor : tensors) {
        list.push_back(replayed(tensor.weight, inputs, false));
        if (adapter && adapter->block > 0) list.back().indices = tensor.weight.cols * bytes_of<double>(Dtype::int64).n;
    }
    return list;
}

ReplayedParameter replayed_module(const Weight<double>& weight, const TrainingInputs& inputs) {
    return replayed(weight, inputs, true);
}

}  // namespace plimsoll
