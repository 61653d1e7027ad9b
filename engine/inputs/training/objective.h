/// What a model is trained for, and how the answers come about that some objectives learn of.
#pragma once

namespace plimsoll {

/// The next token; a preference, between two sequences (dpo against a frozen reference, orpo without one) or of one by
/// itself (kto, against a reference too); a score of whole sequences; what a teacher says; what its own answers are
/// worth, against each other (grpo) or against a critic (ppo); and that critic itself.
enum class Objective : unsigned char { sft, dpo, orpo, kto, reward, distill, grpo, ppo, critic };

/// Whether the model answers prompts, and learns of its answers.
inline bool generates(Objective objective) { return objective == Objective::grpo || objective == Objective::ppo; }

/// Each example is a chosen sequence and a rejected one.
inline bool takes_pairs(Objective objective) {
    return objective == Objective::dpo || objective == Objective::orpo || objective == Objective::reward;
}

/// How far a student is from its teacher: of the teacher's distribution from the student's (forward), the other way
/// round (reverse), of both from their mixture (jensen_shannon); or what its last layer gives instead (hidden_states).
enum class Divergence : unsigned char { jensen_shannon, forward, reverse, hidden_states };

/// What a server for generation that shares the trainer's devices leaves of them while it trains: everything; neither
/// its cache nor its weights, which wait in the host's memory (vLLM's sleep level 1); nor anything of them (level 2).
enum class Sleep : unsigned char { none, cache, all };

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
