/// What a model is trained for, and how the answers come about that some objectives learn of.
#pragma once

#include "inputs/choices.h"

namespace plimsoll {

/// Whether the model answers prompts, and learns of its answers.
inline bool generates(Objective objective) { return objective == Objective::grpo || objective == Objective::ppo; }

/// Each example is a chosen sequence and a rejected one.
inline bool takes_pairs(Objective objective) {
    return objective == Objective::dpo || objective == Objective::orpo || objective == Objective::reward;
}

/// How answers come about, of which grpo and ppo learn.
struct Rollout {
    double completion = 256;       ///< tokens of an answer; what a sequence has before it is the prompt
    double sequences = 1;          ///< that a device generates at once
    bool gathers = false;          ///< weights that are divided are gathered for it, all at once
    bool scores_again = false;     ///< the policy's own log-probabilities are computed before it is trained
    Sleep sleep = Sleep::none;     ///< of a server
    bool trainer_on_host = false;  ///< the trainer's weights and states wait in the host's memory meanwhile
};

struct TrainingObjective {
    Objective kind = Objective::sft;
    bool reference_precomputed = false;  ///< what the reference says was written down before: it is not held
    Divergence divergence = Divergence::jensen_shannon;  ///< of a student from its teacher
    Rollout rollout;
};

}  // namespace plimsoll
