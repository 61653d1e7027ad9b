/// What an estimate of inference is made from.
#pragma once

#include <string>

#include "inputs/device.h"
#include "inputs/encoding.h"
#include "inputs/runtime.h"
#include "inputs/workload.h"
#include "policies/weight_mix.h"

namespace plimsoll {

/// A request for inference with everything looked up.
struct InferenceInputs {
    InferenceRequest request;
    bool weights_as_stored = false;  ///< in the types of the checkpoint's tensors, whatever `weights` says
    const Encoding *weights = nullptr, *keys = nullptr, *values = nullptr;
    WeightMix mix;  ///< where `weights` stores some weights another way
    Dtype compute = Dtype::sixteen_bit;
    const Device* device = nullptr;  ///< absent: no device was named
    const Runtime* runtime = nullptr;
    std::string backend;  ///< `cuda`, `rocm`, `vulkan`, `metal`, `cpu`
    Placement placement;  ///< of a runtime that splits by layers
    std::string context_source, sequences_source, prompt_source, batch_source, at_once_source;
};

namespace inference_phase {
enum : size_t { load, prefill, decode };
}

}  // namespace plimsoll
