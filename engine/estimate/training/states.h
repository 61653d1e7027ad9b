/// Training state that stays from step to step: gradients, master weights, what the optimizer keeps.
#pragma once

#include "estimate/shared_rows.h"
#include "estimate/training/trained.h"

namespace plimsoll {

/// The type of the parameters that the optimizer steps.
inline Dtype stepped_type(const TrainingInputs& inputs) {
    if (inputs.request.lora) return inputs.request.lora->dtype;
    return inputs.precision.master_weights ? Dtype::float32 : inputs.precision.numerics.parameter;
}

/// Parameters of small tensors, and of embeddings where the framework treats them apart: their states stay wide.
template <class N>
N parameters_with_wide_states(const Model& model, const OptimizerState& state, const TrainingRequest& request) {
    if (model.declared_parameters) return N(0);
    std::vector<PartParameters<N>> parts;
    for (const auto& [weight, layers, part, tower] : trained_weights<N>(model, request)) {
        const bool small = value_of(weight.rows) * value_of(weight.cols) < state.small_below;
        const bool embedding = weight.part == Part::embedding && state.embedding_bits > 0;
        if (small || embedding) add_to_part(parts, part, layers * named(weight.name, weight.elements()));
    }
    N wide{0};
    for (const PartParameters<N>& part : parts) wide += named({"small_tensors_of_", part.name}, part.elements);
    return wide;
}

/// Bytes that one optimizer state takes over the whole model.
template <class N>
Bytes<N> state_bytes(const OptimizerState& state, const Optimizer& optimizer, const Model& model,
                     const TrainingInputs& inputs, const N& trainable) {
    if (state.bits == 0) return trainable * bytes_of<N>(stepped_type(inputs));
    const Bytes<N> narrow{input<N>({"bytes_of_", state.name}, state.bits / 8, optimizer.source)};
    if (state.block_elements == 0) return {ceiling((trainable * narrow).n)};
    const N block = input<N>("block_size", state.block_elements, optimizer.source);
    const Bytes<N> scale{input<N>("bytes_of_scale_per_block", state.block_bytes, optimizer.source)};
    const N wide = parameters_with_wide_states<N>(model, state, inputs.request);
    N wide_trainable = named("parameters_with_wide_states", wide);
    if (inputs.request.freeze && inputs.request.trainable_percent != 100)
        wide_trainable = ceiling(
            wide_trainable *
            input<N>("trainable_percent", inputs.request.trainable_percent, "request: training.trainable_percent") /
            N(100));
    const N packed = named("parameters_with_packed_states", maximum(trainable - wide_trainable, N(0)));
    const Bytes<N> wide_bytes{input<N>("bytes_of_wide_state", state.small_bits / 8, optimizer.source)};
    return wide_trainable * wide_bytes + packed * narrow + ceiling(packed / block) * scale;
}

/// `adapters` or `master_weights`, and `optimizer`, which is there from the first step on.
template <class N>
void add_states(Ledger<N>& ledger, const Model& model, const TrainingInputs& inputs, const N& trainable) {
    if (inputs.request.lora) {
        Row<N>& adapters = ledger.add("adapters", Basis::exact);
        always(adapters, exactly<N>("adapters", trainable * bytes_of<N>(inputs.request.lora->dtype)));
    } else if (inputs.precision.master_weights) {
        Row<N>& master = ledger.add("master_weights", Basis::exact);
        always(master, exactly<N>("master_weights", trainable * Bytes<N>{input<N>("bytes_of_master_weight", 4,
                                                                                  inputs.precision.master_source)}));
    }
    Row<N>& optimizer = ledger.add("optimizer", Basis::exact);
    for (const OptimizerState& state : inputs.optimizer->states) {
        Row<N> child{state.name, Basis::exact, std::vector<Cell<N>>(ledger.phases.size())};
        const Cell<N> cell =
            exactly<N>({"optimizer.", state.name}, state_bytes<N>(state, *inputs.optimizer, model, inputs, trainable));
        for (size_t phase = 1; phase < child.cells.size(); ++phase) child.cells[phase] = cell;
        optimizer.children.push_back(std::move(child));
    }
    sum_children(optimizer);
}

/// Bytes of a gradient element, over all copies that are kept.
template <class N>
Bytes<N> gradient_element(const TrainingInputs& inputs) {
    const Dtype own = inputs.request.lora ? inputs.request.lora->dtype : inputs.precision.gradient;
    const Dtype dtype = inputs.gradient.value_or(own);
    const double bytes = value_of(bytes_of<double>(dtype));
    const N element =
        input<N>("bytes_of_gradient", bytes,
                 inputs.gradient ? "request: training.gradient_encoding" : inputs.precision.gradient_source);
    if (inputs.request.gradient_copies == 1) return {element};
    return {element * input<N>("gradient_copies", inputs.request.gradient_copies, "request: training.gradient_copies")};
}

}  // namespace plimsoll
