/// A training run as PyTorch's caching allocator lives through it: loading, a first step, and one more, tensor by
/// tensor. What the driver has handed out (`reserved`) depends on the order in which tensors come and go, and no
/// formula gives it.
///
///     load       parameters, layer by layer, whole ones first where they are divided on the device; master weights and
///                gradient buffers where a framework makes them
///     forward    each layer's tensors; what autograd keeps stays, what checkpointing drops goes
///     loss       the logits' moments, as `loss.h` has them
///     backward   saved tensors go, gradients of the parameters come; dropped layers are recomputed
///     step       the optimizer's states come with the first step; what it makes besides goes again
///
/// On a stage of a pipeline, micro-batches go forward and backward in the schedule's order (schedule.h).
///
/// Lifetimes are the tape's, sizes the formulas': this says only in which order.
#pragma once

#include "estimate/ledger/placed.h"
#include "estimate/training/inputs.h"
#include "model/core/model.h"

namespace plimsoll {

/// Whether the tensors that come and go are all known: not those of a reference beside the policy, of answers, of learned
/// tokens, of keys and values that a model returns beside what its layers keep.
bool is_replayed(const TrainingInputs& inputs);

/// What one device's main stream asks for; what other streams gather and reduce is theirs (communication.h). Empty where
/// it is not followed, and where the model's layers are not known, or are too many.
Replay replay_training(const Model& model, const TrainingInputs& inputs);

}  // namespace plimsoll
