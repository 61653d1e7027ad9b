/// What an optimizer's step makes and frees again.
///
///     foreach   one call for all parameters: a list as long as they are for each value in between
///     loop      one parameter after another: the values in between of one, and what the one before has left
///     fused     one kernel: nothing
///
/// Source: the optimizers' step functions, named in each preset; torch.optim's, for-loop and foreach.
#pragma once

#include "estimate/training/optimizer/optimizer_tensors.h"

namespace plimsoll {

inline bool applies(const StepTensor& tensor, ParameterKind kind, Dtype dtype) {
    return tensor.only.has(kind) && !(tensor.in_16bit && dtype != Dtype::sixteen_bit);
}

/// `tensors` of what an entry says of one parameter.
template <class N>
Bytes<N> step_tensor(const StepTensor& tensor, const Stepped<N>& parameter, const TrainingInputs& inputs,
                     double tensors) {
    const N elements = named("elements_of_a_parameter", elements_of<N>(tensor, parameter, inputs));
    const Bytes<N> one = elements * element_bytes<N>("bytes_of_temporary", tensor.bits, parameter.dtype, inputs);
    return tensors == 1 ? one : input<N>("tensors_at_once", tensors, inputs.optimizer->source) * one;
}

/// Of one parameter at a time: its own, and what is left of the one before.
template <class N>
Bytes<N> step_of_one(const std::vector<StepTensor>& tensors, const std::vector<Stepped<N>>& parameters, size_t index,
                     const TrainingInputs& inputs, bool lists) {
    Bytes<N> sum{N(0)};
    for (const StepTensor& tensor : tensors) {
        if (tensor.of_all && !lists) continue;
        if (applies(tensor, parameters[index].kind, parameters[index].dtype))
            sum += step_tensor(tensor, parameters[index], inputs, tensor.tensors);
        if (index > 0 && tensor.left > 0 && applies(tensor, parameters[index - 1].kind, parameters[index - 1].dtype))
            sum += step_tensor(tensor, parameters[index - 1], inputs, tensor.left);
    }
    return sum;
}

/// Of all parameters of one type at once.
template <class N>
Bytes<N> step_of_type(const std::vector<StepTensor>& tensors, const std::vector<Stepped<N>>& parameters, Dtype dtype,
                      const TrainingInputs& inputs) {
    Bytes<N> bytes{N(0)};
    for (const StepTensor& tensor : tensors) {
        if (!tensor.of_all) continue;
        PartSums<N> sums;
        for (const Stepped<N>& parameter : parameters)
            if (parameter.dtype == dtype && applies(tensor, parameter.kind, dtype))
                sums.add(parameter, "elements", parameter.tensors * elements_of<N>(tensor, parameter, inputs));
        if (sums.empty()) continue;
        const Bytes<N> list = named("listed_elements", sums.sum("elements")) *
                              element_bytes<N>("bytes_of_temporary", tensor.bits, dtype, inputs);
        bytes +=
            tensor.tensors == 1 ? list : input<N>("lists_at_once", tensor.tensors, inputs.optimizer->source) * list;
    }
    return {ceiling(bytes.n)};
}

/// Of all parameters at once: one call for those of each type, and the lists of one are there until the next has its
/// own. (torch.optim _group_tensors_by_device_and_dtype)
template <class N>
Bytes<N> step_of_all(const std::vector<StepTensor>& tensors, const std::vector<Stepped<N>>& parameters,
                     const TrainingInputs& inputs) {
    Bytes<N> own = step_of_type(tensors, parameters, stepped_type(inputs), inputs);
    const bool others = inputs.request.method.adapter && inputs.request.method.adapter->saves_modules() &&
                        saved_module_type(inputs) != stepped_type(inputs);
    if (!others) return own;
    return own + step_of_type(tensors, parameters, saved_module_type(inputs), inputs);
}

/// The fullest moment of a step; of one parameter at a time where the backward pass steps each as its gradient comes.
template <class N>
Bytes<N> step_temporaries(const Model& model, const TrainingInputs& inputs) {
    const auto& given = inputs.optimizer->step[static_cast<size_t>(inputs.request.optimizer.step)];
    if (!given || given->empty()) return {N(0)};
    const bool released = inputs.request.gradients.released;
    const std::vector<Stepped<double>> sizes = stepped_parameters<double>(model, inputs);
    size_t fullest = 0;
    double most = 0;
    for (size_t index = 0; index < sizes.size(); ++index) {
        const double bytes = value_of(step_of_one(*given, sizes, index, inputs, released));
        if (bytes > most) most = bytes, fullest = index;
    }
    const bool together = !released && value_of(step_of_all(*given, sizes, inputs)) >= most;
    if (!together && most == 0) return {N(0)};
    const std::vector<Stepped<N>> parameters = stepped_parameters<N>(model, inputs);
    const N share = state_share<N>(inputs);
    return portion(share, together ? step_of_all(*given, parameters, inputs)
                                   : step_of_one(*given, parameters, fullest, inputs, released));
}

/// `step_temporaries` among the optimizer's rows, at a phase.
template <class N>
void set_step_temporaries(Row<N>& optimizer, size_t phase, const Bytes<N>& bytes) {
    if (value_of(bytes) == 0) return;
    if (optimizer.children.empty() || !(optimizer.children.back().id == RowId::step_temporaries))
        optimizer.children.push_back(
            {RowId::step_temporaries, Basis::modelled, std::vector<Cell<N>>(optimizer.cells.size())});
    optimizer.children.back().cells[phase] = exactly<N>("optimizer.step_temporaries", bytes);
}

/// The same at the moment of the step.
template <class N>
void add_step_temporaries(Row<N>& optimizer, const Phases& phases, const Model& model, const TrainingInputs& inputs) {
    set_step_temporaries(optimizer, index_of(phases, Phase::step), step_temporaries<N>(model, inputs));
}

}  // namespace plimsoll
