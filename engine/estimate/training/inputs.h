/// A training request with everything looked up.
#pragma once

#include "inputs/device.h"
#include "inputs/optimizer.h"
#include "inputs/runtime.h"
#include "inputs/training.h"
#include "policies/precision.h"
#include "policies/weight_mix.h"

namespace plimsoll {

struct TrainingInputs {
    TrainingRequest request;
    Precision precision;
    const Optimizer* optimizer = nullptr;
    std::optional<Dtype> gradient;      ///< the user's choice in place of the precision's
    const Encoding* weights = nullptr;  ///< of a frozen base; null: in the precision's own type
    WeightMix mix;                      ///< what that encoding leaves wide; empty: nothing
    const Device* device = nullptr;
    const Runtime* runtime = nullptr;  ///< the framework's context and workspace
    std::string sequence_source, micro_batch_source;
};

}  // namespace plimsoll
