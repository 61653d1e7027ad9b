// The names of phases.
#include "estimate/ledger/phase.h"

namespace plimsoll {

const char* text_of(Phase phase) {
    constexpr const char* names[] = {
        "load",           "prefill",     "decode",          "rollout",          "score",         "forward",
        "loss",           "backward",    "forward_2",       "loss_2",           "backward_2",    "step",
        "critic_forward", "critic_loss", "critic_backward", "critic_forward_2", "critic_loss_2", "critic_backward_2",
        "critic_step"};
    return names[static_cast<int>(phase)];
}

}  // namespace plimsoll
