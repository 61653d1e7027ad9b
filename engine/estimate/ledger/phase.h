/// The phases of an answer, in the order in which a run goes through them.
#pragma once

#include <string_view>
#include <vector>

namespace plimsoll {

/// Inference: load, prefill, decode. Training: load, then answers that are generated and scored, the first micro-batch,
/// the later ones of an accumulation, the optimizer's step; and the same of a critic that is trained behind the policy.
enum class Phase : unsigned char {
    load,
    prefill,
    decode,
    rollout,
    score,
    forward,
    loss,
    backward,
    forward_2,
    loss_2,
    backward_2,
    step,
    critic_forward,
    critic_loss,
    critic_backward,
    critic_forward_2,
    critic_loss_2,
    critic_backward_2,
    critic_step
};

using Phases = std::vector<Phase>;

/// As in replies.
const char* text_of(Phase phase);

/// Whether a critic is trained meanwhile.
inline bool is_of_critic(Phase phase) { return phase >= Phase::critic_forward; }

/// What a critic itself does at a phase of the run: its own step, `load`, `score`, or nothing (`rollout`: it waits).
inline Phase phase_of_critic(Phase phase) {
    if (is_of_critic(phase))
        return static_cast<Phase>(static_cast<int>(Phase::forward) + static_cast<int>(phase) -
                                  static_cast<int>(Phase::critic_forward));
    return phase == Phase::load || phase == Phase::score ? phase : Phase::rollout;
}

/// Whether the loss is taken, of the first micro-batch or of a later one.
inline bool takes_loss(Phase phase) { return phase == Phase::loss || phase == Phase::loss_2; }

/// Index of a phase; beyond the last where a run has none of that kind.
inline size_t index_of(const Phases& phases, Phase wanted) {
    size_t index = 0;
    while (index < phases.size() && phases[index] != wanted) ++index;
    return index;
}

}  // namespace plimsoll
