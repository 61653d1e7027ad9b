/// How long a training step takes.
///
///     forward, and backward twice its products: one for the input's gradient, one for the weight's where it is trained;
///     flash attention's backward pass has five products where forward has two, since it computes the scores anew
///     (Dao, 2205.14135, algorithm 4); what is recomputed runs forward once more. Of a pipeline, the share of a step in
///     which a stage waits is (stages − 1) / (micro-batches × virtual stages) of the rest (2104.04473, 2.2).
#pragma once

#include "estimate/time/inference_time.h"
#include "estimate/training/inputs.h"

namespace plimsoll {

/// Tokens of one optimizer step over all devices.
double tokens_of_step(const TrainingInputs& inputs);

/// Floating-point operations of one token, forward and backward, without what is recomputed: what MFU counts.
/// (Chowdhery et al., PaLM, 2204.02311, appendix B)
double model_operations_of_token(const Model& model, const TrainingInputs& inputs);

/// Floating-point operations that are done a second time in the backward pass, as a share of all others of a step.
double recomputed_share(const Model& model, const TrainingInputs& inputs);

/// Of a pipeline, the time in which a stage waits for others, as a share of the rest of a step.
double bubble(const TrainingInputs& inputs);

Untimed untimed_training(const TrainingInputs& inputs, const Speed* speed);

/// One pass, `step`: all of a device's micro-batches. Work is shared by all devices alike.
template <class N>
TimeAnswer<N> training_time(const Model& model, const TrainingInputs& inputs, const Speed* speed);

}  // namespace plimsoll
