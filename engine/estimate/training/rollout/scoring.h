/// The phase `score`: answers that were generated go through the models that say what they are worth, one model after
/// the other and nothing kept: the policy itself and its reference, which give each token's log-probability; a reward
/// model; a critic. Shown is the fullest moment of all.
///
/// Source: TRL, trainer/grpo_trainer.py (_generate_and_score_completions, _calculate_rewards); verl,
/// workers/fsdp_workers.py (compute_log_prob, compute_ref_log_prob), workers/critic/dp_critic.py (compute_values).
#pragma once

#include "estimate/training/forward/frozen_pass.h"

namespace plimsoll {

/// The row that has most at work, and what that is; `policy`: those of the model that is trained.
template <class N>
struct Scoring {
    static constexpr RowId::Known policy = RowId::weights, nobody = RowId::named_by_data;
    RowId::Known row = nobody;  ///< of a model beside the policy; `policy`: the one that is trained
    Group<N> group{RowId::logits, Bytes<N>{N(0)}};
};

template <class N>
Scoring<N> fullest_scoring(const Model& policy, const TrainingInputs& inputs) {
    Scoring<N> most{};
    const auto consider = [&most](RowId::Known row, const Model& model, const TrainingInputs& own) {
        const FrozenPass<N> pass(model, own);
        for (const Group<N>& group : {Group<N>{RowId::in_flight, pass.widest}, Group<N>{RowId::logits, pass.scored}})
            if (value_of(group.bytes) > value_of(most.group.bytes)) {
                most.row = row;
                most.group = group;
            }
    };
    if (!generates(inputs.request.objective.kind)) return most;
    if (inputs.request.objective.rollout.scores_again) consider(Scoring<N>::policy, policy, inputs);
    for (const AuxiliaryModel& held : inputs.models) {
        TrainingInputs own = inputs_of(inputs, held);
        if (held.row == RowId::reward && inputs.request.objective.kind == Objective::grpo) {
            own.request.batch.micro_batch = inputs.request.objective.rollout.sequences;  // all answers at once
            own.micro_batch_source = "training.rollout.sequences";
        }
        consider(held.row, held.model ? *held.model : policy, own);
    }
    return most;
}

}  // namespace plimsoll
