/// A trained parameter's memory on one device, tensor by tensor: its gradient, what the optimizer keeps of it and makes
/// while it steps.
#pragma once

#include "estimate/training/optimizer/states.h"
#include "estimate/training/timeline/block_events.h"

namespace plimsoll {

struct ReplayedParameter {
    double elements = 0;
    double stored = 0;    ///< bytes of what is trained beside the weights: an adapter, a saved module, a master copy
    double indices = 0;   ///< bytes of each of the two lists of OFT's entries
    double arriving = 0;  ///< bytes of a gradient as the backward pass makes it
    double gradient = 0;  ///< as it is kept; 0: by another stream
    std::vector<double> states;     ///< bytes of each tensor on the device
    std::vector<double> listed;     ///< temporaries that a step makes of all parameters at once
    std::vector<double> own, left;  ///< those of one parameter at a time, and what is left of them for the next one
};

/// Which share of the weights lies on this device.
double weights_here(const TrainingInputs& inputs);

/// What optimizer and framework have for each of `tensors`.
std::vector<ReplayedParameter> replayed_parameters(const std::vector<TrainedTensor>& tensors,
                                                   const TrainingInputs& inputs);
/// The same for copies of whole matrices that are trained beside adapters.
ReplayedParameter replayed_module(const Weight<double>& weight, const TrainingInputs& inputs);

}  // namespace plimsoll
