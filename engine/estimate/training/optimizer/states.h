/// Training state that stays from step to step: gradients, master weights, what the optimizer keeps.
#pragma once

#include "estimate/training/optimizer/optimizer_states.h"
#include "estimate/training/optimizer/step_temporaries.h"

namespace plimsoll {

/// `adapters` or `master_weights`, and `optimizer`, which is there from the first step on.
template <class N>
void add_states(Ledger<N>& ledger, const Model& model, const TrainingInputs& inputs, const N& trainable) {
    const N kept = share_of<N>(inputs.layout, inputs.layout.divides_weights());
    if (inputs.request.method.adapter) {
        Row<N>& adapters = ledger.add(RowId::adapters, Basis::exact);
        const Adapter& adapter = *inputs.request.method.adapter;
        Bytes<N> bytes = portion(kept, adapter_parameters<N>(model, adapter) * bytes_of<N>(adapter.dtype));
        if (adapter.block > 0) bytes += adapter_indices<N>(model, inputs.request);
        always(adapters, exactly<N>("adapters", bytes));
        if (inputs.request.method.adapter->saves_modules()) {
            Row<N>& saved = ledger.add(RowId::modules_to_save, Basis::exact);
            const N copied = saved_module_parameters<N>(model, inputs.request);
            always(saved,
                   exactly<N>("modules_to_save", portion(kept, copied * bytes_of<N>(saved_module_type(inputs)))));
        }
    } else if (inputs.precision.master_weights) {
        Row<N>& master = ledger.add(RowId::master_weights, Basis::exact);
        const Bytes<N> each{input<N>("bytes_of_master_weight", 4, inputs.precision.master_source)};
        always(master, exactly<N>("master_weights", portion(state_share<N>(inputs), trainable * each)));
    }
    Row<N> optimizer = optimizer_states<N>(model, inputs, trainable, ledger.phases.size());
    if (!inputs.request.gradients.released) add_step_temporaries(optimizer, ledger.phases, model, inputs);
    sum_children(optimizer);
    ledger.rows.push_back(std::move(optimizer));
}

/// The states that page to the host.
template <class N>
void add_paged_states(Ledger<N>& host, const Model& model, const TrainingInputs& inputs) {
    if (!model.declared_parameters && !model.missing.empty()) return;  // nothing to count from
    Row<N> optimizer = paged_states<N>(model, inputs, host.phases.size());
    if (optimizer.children.empty()) return;
    optimizer.pinned = true;
    sum_children(optimizer);
    host.rows.push_back(std::move(optimizer));
}

/// Bytes of a gradient's element as it is kept, over all devices that share it and all copies that are kept; `own`: the
/// type it has where none was chosen.
template <class N>
Bytes<N> gradient_element(const TrainingInputs& inputs, Dtype own) {
    const Dtype dtype = inputs.gradient.value_or(own);
    const double bytes = value_of(bytes_of<double>(dtype));
    const N element =
        input<N>("bytes_of_gradient", bytes,
                 inputs.gradient ? "request: training.gradient_encoding" : inputs.precision.gradient_source);
    if (inputs.request.gradients.copies == 1) return {element};
    return {element *
            input<N>("gradient_copies", inputs.request.gradients.copies, "request: training.gradient_copies")};
}

/// Of what is trained in most layers: adapters, or the model's own weights.
template <class N>
Bytes<N> gradient_element(const TrainingInputs& inputs) {
    return gradient_element<N>(
        inputs, inputs.request.method.adapter ? inputs.request.method.adapter->dtype : inputs.precision.gradient);
}

/// Of the embedding and the vocabulary matrix.
template <class N>
Bytes<N> matrix_gradient_element(const TrainingInputs& inputs) {
    return gradient_element<N>(inputs,
                               inputs.request.method.adapter ? saved_module_type(inputs) : inputs.precision.gradient);
}

}  // namespace plimsoll
