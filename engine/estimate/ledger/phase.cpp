// What is true of each phase.
#include "estimate/ledger/phase.h"

namespace plimsoll {
namespace {

enum Traits : unsigned char { trains = 1, with_loss = 2, of_critic = 4 };

struct Facts {
    const char* name;
    Phase critics_own;
    unsigned char traits;
};

constexpr Facts facts[] = {
#define PHASE(name, critics_own, traits) {#name, Phase::critics_own, traits},
#include "estimate/ledger/phases.inc"
#undef PHASE
};

const Facts& facts_of(Phase phase) { return facts[static_cast<int>(phase)]; }

bool has(Phase phase, Traits trait) { return (facts_of(phase).traits & trait) != 0; }

}  // namespace

const char* text_of(Phase phase) { return facts_of(phase).name; }
bool trains_policy(Phase phase) { return has(phase, trains) && !has(phase, of_critic); }
bool is_of_critic(Phase phase) { return has(phase, of_critic); }
bool takes_loss(Phase phase) { return has(phase, with_loss); }
Phase phase_of_critic(Phase phase) { return facts_of(phase).critics_own; }

}  // namespace plimsoll
