/// Models beside the one that is trained: a reference, a teacher, a reward model. Each is a model with inputs of its
/// own, whose rows follow from the same rules as the policy's and are nested under one: its weights, divided where its
/// layout divides weights and whole on every device elsewhere; and what its pass has. A critic is trained as the policy
/// is, and has all that this takes.
///
/// Source: TRL, models/utils.py (prepare_deepspeed: stage 3 or none; prepare_fsdp), trainer/dpo_trainer.py; verl,
/// workers/critic/dp_critic.py (update_critic); OpenRLHF, trainer/ray/ppo_critic.py.
#pragma once

#include "estimate/inference/companions.h"
#include "estimate/training/trained_rows.h"

namespace plimsoll {

/// At which phases of its own a critic is.
inline Phases phases_of_critic(const Phases& phases) {
    Phases own;
    own.reserve(phases.size());
    for (const Phase phase : phases) own.push_back(phase_of_critic(phase));
    return own;
}

/// Of a row, what is there at the phases for which `there` holds; the rest is nothing.
template <class N, class There>
void keep_at(Row<N>& row, const Phases& phases, There there) {
    for (size_t phase = 0; phase < row.cells.size(); ++phase)
        if (!there(phases[phase])) row.cells[phase] = {};
    for (Row<N>& child : row.children) keep_at(child, phases, there);
}

/// Models that wait in the host's memory come to the device to run: one that is trained as a whole, and any model's
/// weights while they score. `trains`, `scores`: whether a model does so at a phase. (verl, utils/fsdp_utils.py:
/// offload_fsdp_model_to_cpu, load_fsdp_model_to_gpu, the same of the optimizer)
template <class N, class Trains, class Scores>
void wait_on_host(Ledger<N>& own, Ledger<N>& host, Trains trains, Scores scores) {
    for (Row<N>& row : own.rows) {
        const bool for_passes = row.id.is_of_weights();
        if (!for_passes && !row.id.is_of_step()) continue;
        const auto runs = [&](Phase phase) { return trains(phase) || (for_passes && scores(phase)); };
        Row<N> waiting = row;
        waiting.pinned = false;
        keep_at(waiting, own.phases, [&runs](Phase phase) { return !runs(phase); });
        keep_at(row, own.phases, runs);
        host.rows.push_back(std::move(waiting));
    }
}

/// The same of a model beside the policy.
template <class N>
void wait_on_host(Ledger<N>& own, Ledger<N>& host, const TrainingInputs& inputs) {
    const bool scores = generates(inputs.request.objective.kind);
    wait_on_host(own, host, is_of_critic,
                 [scores](Phase phase) { return scores ? phase == Phase::score : takes_loss(phase); });
}

/// And of the policy, while answers are generated or a critic is trained.
template <class N>
void leave_the_device(Ledger<N>& ledger, Ledger<N>& host, const TrainingInputs& inputs) {
    if (!inputs.request.objective.rollout.trainer_on_host) return;
    const auto scores = [](Phase phase) { return phase == Phase::score; };
    wait_on_host(ledger, host, trains_policy, scores);
}

template <class N>
void add_critic(Ledger<N>& ledger, Ledger<N>& host, const AuxiliaryModel& held, const TrainingInputs& inputs,
                const Scoring<N>& scoring) {
    Ledger<N> own, own_host;
    own.phases = own_host.phases = phases_of_critic(ledger.phases);
    add_trained_rows<N>(own, own_host, *held.model, critic_inputs(inputs, held), scoring);
    own.phases = ledger.phases;
    if (held.on_host) wait_on_host(own, own_host, inputs);
    add_nested<N>(ledger, held.row, std::move(own.rows), any_row);
    add_nested<N>(host, held.row, std::move(own_host.rows), any_row);
}

/// What the pass of a model that is not trained has, where that is the fullest moment of a phase.
template <class N>
void add_pass(Ledger<N>& own, RowId::Known id, const Bytes<N>& bytes, bool (*during)(Phase)) {
    if (value_of(bytes) == 0) return;
    Row<N>& row = own.add(id, Basis::modelled);
    for (size_t phase = 0; phase < own.phases.size(); ++phase)
        if (during(own.phases[phase])) row.cells[phase] = estimated<N>(row.id.text(), bytes);
}

/// The weights of a model that is not trained; where its layout off-loads weights, they are on the host, and gathered
/// from there. (TRL, prepare_deepspeed and prepare_fsdp: the policy's own configuration)
template <class N>
void add_frozen_weights(Ledger<N>& own, Ledger<N>& host, const Model& model, TrainingInputs inputs) {
    add_trained_weights<N>(own, model, inputs);
    inputs.layout.optimizer = Residence::device;  // it has none
    host.phases = own.phases;
    offload<N>(own, host, inputs, N(0));
}

/// The row of each model that is held; `other`: what its pass has in the loss.
template <class N>
void add_auxiliary_models(Ledger<N>& ledger, Ledger<N>& host, const Model& policy, const TrainingInputs& inputs,
                          const Group<N>& other, const Scoring<N>& scoring) {
    for (const AuxiliaryModel& held : inputs.models) {
        if (held.trained) {
            add_critic(ledger, host, held, inputs, scoring);
            continue;
        }
        Ledger<N> own, waiting;
        own.phases = ledger.phases;
        if (held.has_weights)
            add_frozen_weights(own, waiting, held.model ? *held.model : policy, inputs_of(inputs, held));
        if (held.on_host) wait_on_host(own, waiting, inputs);
        add_pass(own, other.id, other.bytes, takes_loss);
        if (scoring.row == held.row)
            add_pass(own, scoring.group.id == RowId::logits ? RowId::logits : RowId::activations, scoring.group.bytes,
                     [](Phase phase) { return phase == Phase::score; });
        add_nested<N>(ledger, held.row, std::move(own.rows), any_row);
        add_nested<N>(host, held.row, std::move(waiting.rows), any_row);
    }
}

}  // namespace plimsoll
