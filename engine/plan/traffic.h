/// What the devices of a layout send in one training step, or to compute one token of each sequence; the mean over the
/// stages of a pipeline.
///
///     tensor     each layer sums what its attention and its feed-forward give, forward and backward, and once more where
///                it is recomputed (Shoeybi et al., 1909.08053, 3; with tokens shared, a gather and a scatter send as much:
///                Korthikanti et al., 2205.05198, 4.2.1)
///     pipeline   a micro-batch's activations go to the next stage, their gradients back (Narayanan et al., 2104.04473, 2)
///     context    keys and values go round; backward, they and their gradients (Liu et al., 2310.01889); or heads are
///                exchanged for tokens, four tensors of a layer each way (Jacobs et al., 2309.14509)
///     expert     tokens go to their experts and come back, each way once more backward (Fedus et al., 2101.03961)
///     data       gradients are summed once a step; of divided weights, shares are gathered for each pass, and gradients
///                scattered (Rajbhandari et al., 1910.02054, 7)
///
/// Devices are numbered as Megatron-LM numbers them: tensor first, then context, data, pipeline.
/// (core/parallel_state.py, RankGenerator, order "tp-cp-ep-dp-pp")
#pragma once

#include "estimate/inference/inference_inputs.h"
#include "estimate/training/inputs.h"
#include "plan/links.h"

namespace plimsoll {

/// Of a step: all that a device sends, and what it waits for, since nothing can be computed meanwhile: tensor
/// parallelism's sums, and heads that are exchanged for tokens.
struct SentInStep {
    Sent all, awaited;
};

/// Bytes that a device sends in a step of a training; `per_node`: devices of a node.
SentInStep sent_in_a_step(const Model& model, const TrainingInputs& inputs, double per_node);

/// Bytes that a device sends while `tokens` of one copy of the model are computed.
Sent sent_in_a_pass(const Model& model, const InferenceInputs& inputs, double per_node, double tokens);

/// Bytes that a device sends while each of `sequences` gets one more token.
Sent sent_for_a_token(const Model& model, const InferenceInputs& inputs, double per_node);

}  // namespace plimsoll
