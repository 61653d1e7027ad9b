/// The phase `score`: answers that were generated go through the models that say what they are worth, one model after
/// the other and nothing kept: the policy itself and its reference, which give each token's log-probability; a reward
/// model; a critic. Shown is the fullest moment of all.
///
/// Source: TRL, trainer/grpo_trainer.py (_generate_and_score_completions, _calculate_rewards); verl,
/// workers/fsdp_workers.py (compute_log_prob, compute_ref_log_prob), workers/critic/dp_critic.py (compute_values).
#pragma once

#include "estimate/training/frozen_pass.h"

namespace plimsoll {

/// The row that has most at work, and what that is; `policy`: those of the model that is trained.
template <class N>
struct Scoring {
    std::string_view row;
    Group<N> group;

    static constexpr std::string_view policy = "policy";
};

template <class N>
Scoring<N> fullest_scoring(const Model& policy, const TrainingInputs& inputs) {
    Scoring<N> most{};
    const auto consider = [&most](std::string_view row, const Model& model, const TrainingInputs& own) {
        const FrozenPass<N> pass(model, own);
        for (const Group<N>& group : {Group<N>{"in_flight", pass.widest}, Group<N>{"logits", pass.scored}})
            if (value_of(group.bytes) > value_of(most.group.bytes)) most = {row, group};
    };
    if (!generates(inputs.request.objective)) return most;
    if (inputs.request.rollout.scores_again) consider(Scoring<N>::policy, policy, inputs);
    for (const HeldModel& held : inputs.models) {
        TrainingInputs own = inputs_of(inputs, held);
        if (std::string_view(held.row) == "reward" && inputs.request.objective == Objective::grpo) {
            own.request.micro_batch = inputs.request.rollout.sequences;  // all answers at once
            own.micro_batch_source = "training.rollout.sequences";
        }
        consider(held.row, held.model ? *held.model : policy, own);
    }
    return most;
}

}  // namespace plimsoll
