/// The phases of an answer, in the order in which a run goes through them, and what is true of each: one table (phases.inc).
#pragma once

#include <cstddef>
#include <vector>

namespace plimsoll {

enum class Phase : unsigned char {
#define PHASE(name, critics_own, traits) name,
#include "estimate/ledger/phases.inc"
#undef PHASE
};

using Phases = std::vector<Phase>;

/// As in replies.
const char* text_of(Phase phase);

/// Whether the policy is trained meanwhile: a micro-batch goes through it, or its optimizer steps.
bool trains_policy(Phase phase);

/// Whether a critic is trained meanwhile.
bool is_of_critic(Phase phase);

/// Whether the policy's loss is taken, of the first micro-batch or of a later one.
bool takes_loss(Phase phase);

/// What a critic itself does at a phase of the run: its own step, `load`, `score`, or nothing (`rollout`: it waits).
Phase phase_of_critic(Phase phase);

/// Index of a phase; beyond the last where a run has none of that kind.
inline size_t index_of(const Phases& phases, Phase wanted) {
    size_t index = 0;
    while (index < phases.size() && phases[index] != wanted) ++index;
    return index;
}

}  // namespace plimsoll
