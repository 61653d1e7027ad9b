/// What a backward pass recomputes, in place of what the forward pass would have kept.
#pragma once

#include "inputs/choices.h"

namespace plimsoll {

/// Whether a layer as a whole is recomputed in the backward pass.
inline bool recomputes_layers(Checkpointing checkpointing) {
    return checkpointing == Checkpointing::full || checkpointing == Checkpointing::selective_op;
}

struct Recompute {
    Checkpointing checkpointing = Checkpointing::none;
    RecomputeMethod method = RecomputeMethod::every;
    double every = 1;       ///< layers between two checkpoints
    double num_layers = 1;  ///< of a piece, or of a stage
    bool on_host = false;   ///< what checkpointing keeps is copied to the host until it is needed
};

}  // namespace plimsoll
