/// The rows of a model that is trained, phase by phase, and what of them lies on the host.
#pragma once

#include "estimate/training/optimizer/fp8.h"
#include "estimate/training/parallel/offload.h"
#include "estimate/training/rollout/scoring.h"
#include "estimate/training/timeline/step_turns.h"

namespace plimsoll {

/// While answers are generated or scored, or another model is trained: what there is, and what scoring has of it.
template <class N>
Moment<N> idle_moment(const StepTimeline<N>& step, Phase phase, const TrainingInputs& inputs,
                      const Scoring<N>& scoring) {
    Moment<N> moment = step.idle();
    const bool critic = inputs.request.objective.kind == Objective::critic;
    if (phase != Phase::score || scoring.row != (critic ? RowId::critic : Scoring<N>::policy)) return moment;
    Groups<N>& groups = scoring.group.id == RowId::logits ? moment.logits : moment.activations;
    groups.add(scoring.group.id, scoring.group.bytes);
    return moment;
}

/// `gradients`, `activations`, `logits` or what another `loss` is taken of, and `communication`.
template <class N>
void add_step_rows(Ledger<N>& ledger, const Model& model, const TrainingInputs& inputs, const StepTimeline<N>& step,
                   const Scoring<N>& scoring) {
    Row<N> gradients{RowId::gradients, Basis::exact, std::vector<Cell<N>>(ledger.phases.size())};
    GroupedRow<N> activations(RowId::activations, Basis::modelled, ledger.phases.size());
    GroupedRow<N> logits(is_regression(model) ? RowId::loss : RowId::logits, Basis::modelled, ledger.phases.size());
    GroupedRow<N> communication(RowId::communication, Basis::modelled, ledger.phases.size());
    Row<N>* optimizer = row_named(ledger, RowId::optimizer);
    std::vector<bool> told(ledger.phases.size());
    const auto set_at = [&](size_t phase, const Moment<N>& moment) {
        told[phase] = true;
        if (optimizer) set_step_temporaries(*optimizer, phase, moment.temporaries);
        gradients.cells[phase] = exactly<N>(
            "gradients", inputs.gradients_divided() ? Bytes<N>{ceiling(moment.gradients.n)} : moment.gradients);
        activations.set(phase, moment.activations);
        logits.set(phase, moment.logits);
        communication.set(phase, moment.communication);
    };
    const auto set = [&](Phase phase, const Moment<N>& moment) { set_at(index_of(ledger.phases, phase), moment); };
    set(Phase::load, step.loaded());
    for (const Phase phase : {Phase::forward, Phase::loss, Phase::backward}) set(phase, step.at(phase));
    if (inputs.request.batch.accumulation > 1)
        for (const Phase phase : {Phase::forward_2, Phase::loss_2, Phase::backward_2}) set(phase, step.at(phase));
    set(Phase::step, step.step());
    for (size_t phase = 0; phase < told.size(); ++phase)
        if (!told[phase]) set_at(phase, idle_moment(step, ledger.phases[phase], inputs, scoring));
    if (optimizer && inputs.request.gradients.released) sum_children(*optimizer);
    if (inputs.gradients_stay()) gradients.cells[0] = gradients.cells[index_of(ledger.phases, Phase::forward)];
    ledger.rows.push_back(std::move(gradients));
    if (step.has_layers()) ledger.rows.push_back(activations.take());
    if (!logits.empty()) ledger.rows.push_back(logits.take());
    if (!communication.empty()) ledger.rows.push_back(communication.take());
}

/// What the forward pass sends to the host, from its end to the backward pass.
template <class N>
void add_host_activations(Ledger<N>& host, const StepTimeline<N>& step) {
    GroupedRow<N> activations(RowId::activations, Basis::exact, host.phases.size());
    for (size_t phase = 1; phase < host.phases.size(); ++phase) {
        const Phase at = host.phases[phase];
        if (at != Phase::rollout && at != Phase::score && at != Phase::step) activations.set(phase, step.on_host());
    }
    if (!activations.empty()) host.rows.push_back(activations.take());
}

/// What a model's step has to say beside its rows.
template <class N>
struct Beside {
    Group<N> other;               ///< what another model's pass has in the loss
    Bytes<N> stream_pools{N(0)};  ///< what streams beside the main one take of the driver
    Bytes<N> kept{N(0)};          ///< of that, gradients that stay
};

/// All rows of a model that is trained, on the device and on the host: the policy's, or those of a critic. `record`: where
/// its step's moments are written down; null: nowhere.
template <class N>
Beside<N> add_trained_rows(Ledger<N>& ledger, Ledger<N>& host, const Model& model, const TrainingInputs& inputs,
                           const Scoring<N>& scoring, StepRecord* record = nullptr) {
    add_trained_weights<N>(ledger, model, inputs);
    const bool countable = model.declared_parameters || model.missing.empty();
    const N trainable = countable ? trainable_parameters<N>(model, inputs.request) : N(0);
    if (countable) add_states<N>(ledger, model, inputs, trainable);
    if (countable && inputs.precision.fp8 && !inputs.request.method.adapter) add_fp8<N>(ledger, model, inputs);
    const StepTimeline<N> step(model, inputs, trainable, record);
    add_step_rows<N>(ledger, model, inputs, step, scoring);
    add_host_activations<N>(host, step);
    offload<N>(ledger, host, inputs, trainable);
    const bool stay = inputs.layout.optimizer == Residence::device;
    return {step.other(), step.stream_pools(stay), stay ? step.kept_gradients() : Bytes<N>{N(0)}};
}

}  // namespace plimsoll
