/// What a backward pass computes anew, in place of what the forward pass would have kept.
#pragma once

namespace plimsoll {

/// What the forward pass keeps of a layer: everything; all but what some of its modules make (PassOptions::recomputed);
/// the layer's input alone, from which the backward pass computes the rest anew; the input, what attention gives, and
/// what every other matrix product does (torchtitan's "op").
enum class Checkpointing : unsigned char { none, selective, full, selective_op };

/// Whether a layer as a whole is recomputed in the backward pass.
inline bool recomputes_layers(Checkpointing checkpointing) {
    return checkpointing == Checkpointing::full || checkpointing == Checkpointing::selective_op;
}

/// Which layers are recomputed: every k-th; all, in pieces of several layers; or the first of a stage.
enum class RecomputeMethod : unsigned char { every, uniform, block };

struct Recompute {
    Checkpointing checkpointing = Checkpointing::none;
    RecomputeMethod method = RecomputeMethod::every;
    double every = 1;       ///< layers between two checkpoints
    double num_layers = 1;  ///< of a piece, or of a stage
    bool on_host = false;   ///< what checkpointing keeps is copied to the host until it is needed
};

}  // namespace plimsoll
