/// What an optimizer keeps from step to step, on the device or in memory that pages to the host.
#pragma once

#include "estimate/ledger/shared_rows.h"
#include "estimate/training/optimizer/optimizer_tensors.h"

namespace plimsoll {

/// Elements of one state over the model, by how they are stored.
template <class N>
struct StateElements {
    PartSums<N> usual, beside_adapters, small, embedding, blocks, tensors;
};

/// Whether a tensor is too small for the state's narrow type, or no multiple of its blocks.
inline bool stays_wide(const OptimizerTensor& state, double elements) {
    if (state.small_below > 0 && elements < state.small_below) return true;
    return state.whole_blocks && elements - state.block_elements * rounded_down(elements / state.block_elements) != 0;
}

template <class N>
StateElements<N> state_elements(const OptimizerTensor& state, const std::vector<Stepped<N>>& parameters,
                                const TrainingInputs& inputs) {
    StateElements<N> sum;
    for (const Stepped<N>& parameter : parameters) {
        if (!state.only.has(parameter.kind)) continue;
        const N one = elements_of(state, parameter, inputs);
        if (value_of(one) == 0) continue;
        const N elements = parameter.tensors * one;
        if (state.embedding_bits > 0 && parameter.kind == ParameterKind::embedding) {
            sum.embedding.add(parameter, state.name, elements);
        } else if (stays_wide(state, value_of(one))) {
            sum.small.add(parameter, state.name, elements);
        } else {
            (parameter.dtype == stepped_type(inputs) ? sum.usual : sum.beside_adapters)
                .add(parameter, state.name, elements);
            sum.tensors.add(parameter, "tensors", parameter.tensors);
            if (state.block_elements == 0) continue;
            const N block = input<N>("block_size", state.block_elements, inputs.optimizer->source);
            sum.blocks.add(parameter, "blocks", parameter.tensors * ceiling(one / block));
        }
    }
    return sum;
}

/// Bytes of one state's elements.
template <class N>
Bytes<N> state_values(const OptimizerTensor& state, const StateElements<N>& sum, const TrainingInputs& inputs) {
    Bytes<N> bytes{N(0)};
    if (!sum.usual.empty())
        bytes += named("elements", sum.usual.sum(state.name)) *
                 state_bytes<N>({"bytes_of_", state.name}, state.bits, stepped_type(inputs), inputs);
    if (!sum.beside_adapters.empty())
        bytes += named("elements_beside_adapters", sum.beside_adapters.sum(state.name)) *
                 state_bytes<N>({"bytes_of_", state.name}, state.bits, saved_module_type(inputs), inputs);
    if (!sum.small.empty())
        bytes += named("elements_of_small_tensors", sum.small.sum("small_tensors")) *
                 element_bytes<N>("bytes_of_wide_state", state.small_bits, stepped_type(inputs), inputs);
    if (!sum.embedding.empty())
        bytes += named("elements_of_embeddings", sum.embedding.sum(state.name)) *
                 element_bytes<N>("bytes_of_wide_state", state.embedding_bits, stepped_type(inputs), inputs);
    if (state.tensors != 1) bytes = input<N>("tensors", state.tensors, inputs.optimizer->source) * bytes;
    return {ceiling(bytes.n)};
}

/// Bytes of what it has beside them: scales of blocks, tables of values.
template <class N>
Bytes<N> state_scales(const OptimizerTensor& state, const StateElements<N>& sum, const TrainingInputs& inputs) {
    const std::string& source = inputs.optimizer->source;
    Bytes<N> bytes{N(0)};
    if (state.block_elements > 0)
        bytes += named("blocks", sum.blocks.sum("blocks")) *
                 Bytes<N>{input<N>("bytes_of_scale_per_block", state.block_bytes, source)};
    if (state.bytes_per_tensor > 0)
        bytes += named("packed_tensors", sum.tensors.sum("tensors")) *
                 Bytes<N>{input<N>("bytes_per_tensor", state.bytes_per_tensor, source)};
    if (state.tensors != 1) bytes = input<N>("tensors", state.tensors, source) * bytes;
    return {ceiling(bytes.n)};
}

/// Bytes of one state over all parameters. Where every parameter has one element of one type, shapes do not matter.
template <class N>
Bytes<N> state_bytes(const OptimizerTensor& state, const Model& model, const std::vector<Stepped<N>>& parameters,
                     const TrainingInputs& inputs, const N& trainable) {
    const bool one_each = state.extent == Extent::parameter && !state.extent_in_fp32 && state.only.all() &&
                          state.tensors == 1 &&
                          !(inputs.request.method.adapter && inputs.request.method.adapter->saves_modules());
    const bool shapeless = model.declared_parameters && !inputs.request.method.adapter;
    if (!one_each || (state.block_elements > 0 && !shapeless)) {
        const StateElements<N> sum = state_elements(state, parameters, inputs);
        return state_values(state, sum, inputs) + state_scales(state, sum, inputs);
    }
    const Bytes<N> each = state_bytes<N>({"bytes_of_", state.name}, state.bits, stepped_type(inputs), inputs);
    if (state.block_elements == 0) return state.bits == 0 ? trainable * each : Bytes<N>{ceiling((trainable * each).n)};
    const N block = input<N>("block_size", state.block_elements, inputs.optimizer->source);
    const Bytes<N> scale{input<N>("bytes_of_scale_per_block", state.block_bytes, inputs.optimizer->source)};
    return trainable * each + ceiling(trainable / block) * scale;
}

/// Adds a state's bytes to the child that bears its name, from the first step on, or from the start.
template <class N>
void add_state(Row<N>& optimizer, const OptimizerTensor& state, const Bytes<N>& whole, const TrainingInputs& inputs) {
    const N share = state_share<N>(inputs);
    const Bytes<N> bytes = portion(share, whole);
    if (value_of(bytes) == 0) return;
    Row<N>* child = nullptr;
    for (Row<N>& known : optimizer.children)
        if (known.id.text() == state.name) child = &known;
    if (!child) {
        optimizer.children.push_back({RowId(state.name), Basis::exact, std::vector<Cell<N>>(optimizer.cells.size())});
        child = &optimizer.children.back();
    }
    if (!state.exact) child->basis = Basis::modelled;
    const Cell<N> cell = exactly<N>({"optimizer.", state.name}, child->cells.back().bytes + bytes);
    for (size_t phase = inputs.optimizer->constructed_with_states ? 0 : 1; phase < child->cells.size(); ++phase)
        child->cells[phase] = cell;
}

/// Takes out the parameters whose states are in unified memory.
template <class N>
std::vector<Stepped<N>> take_paged(std::vector<Stepped<N>>& parameters, const TrainingInputs& inputs) {
    std::vector<Stepped<N>> paged, stay;
    for (Stepped<N>& parameter : parameters)
        (value_of(parameter.elements()) >= inputs.optimizer->paged_from ? paged : stay).push_back(std::move(parameter));
    parameters = std::move(stay);
    return paged;
}

/// What lies on the device.
template <class N>
Row<N> optimizer_states(const Model& model, const TrainingInputs& inputs, const N& trainable, size_t phases) {
    Row<N> row{RowId::optimizer, Basis::exact, std::vector<Cell<N>>(phases)};
    std::vector<Stepped<N>> parameters = stepped_parameters<N>(model, inputs);
    if (inputs.optimizer->paged_from == 0) {
        for (const OptimizerTensor& state : inputs.optimizer->states)
            add_state(row, state, state_bytes(state, model, parameters, inputs, trainable), inputs);
        return row;
    }
    const std::vector<Stepped<N>> paged = take_paged(parameters, inputs);
    for (const OptimizerTensor& state : inputs.optimizer->states) {
        const StateElements<N> stays = state_elements(state, parameters, inputs);
        add_state(row, state, state_values(state, stays, inputs) + state_scales(state, stays, inputs), inputs);
        add_state(row, state, state_scales(state, state_elements(state, paged, inputs), inputs), inputs);
    }
    return row;
}

/// What pages to the host: the values, not their scales.
template <class N>
Row<N> paged_states(const Model& model, const TrainingInputs& inputs, size_t phases) {
    Row<N> row{RowId::optimizer, Basis::exact, std::vector<Cell<N>>(phases)};
    if (inputs.optimizer->paged_from == 0) return row;
    std::vector<Stepped<N>> parameters = stepped_parameters<N>(model, inputs);
    const std::vector<Stepped<N>> paged = take_paged(parameters, inputs);
    for (const OptimizerTensor& state : inputs.optimizer->states)
        add_state(row, state, state_values(state, state_elements(state, paged, inputs), inputs), inputs);
    return row;
}

}  // namespace plimsoll
