/// A training run as PyTorch's caching allocator lives through it: loading, a first step, and one more, tensor by
/// tensor. What the driver has handed out (`reserved`) depends on the order in which tensors come and go, and no
/// formula gives it.
///
///     load       parameters, layer by layer; master weights and gradient buffers where a framework makes them
///     forward    each layer's tensors; what autograd keeps stays, what checkpointing drops goes
///     loss       the logits' moments, as `loss.h` has them
///     backward   saved tensors go, gradients of the parameters come; dropped layers are computed anew
///     step       the optimizer's states come with the first step; what it makes besides goes again
///
/// Lifetimes are the tape's, sizes the formulas': this says only in which order.
#pragma once

#include "estimate/placed.h"
#include "estimate/training/inputs.h"
#include "model/model.h"

namespace plimsoll {

/// Empty where the model's layers are not known, or are too many to follow; and where tensors come and go that it does
/// not follow yet: a reference's beside the policy's, learned tokens', a cache's, those of several layers that
/// run anew at once.
Replay replay_training(const Model& model, const TrainingInputs& inputs);

}  // namespace plimsoll
