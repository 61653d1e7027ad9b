/// What a server has on a device once weights are loaded, beyond their bytes.
#pragma once

#include "estimate/inference/inference_inputs.h"

namespace plimsoll {

/// The model's tables of positions, as the server keeps them.
RotaryTables rotary_tables_of(const Model& model, const InferenceInputs& inputs);

/// The type that tables of positions are kept in: what the model computes in, or fp32 where the runtime says so.
Dtype rotary_type(const Model& model, const InferenceInputs& inputs, const Device* device);

/// Bytes beyond the tensors' own, each divided by the devices that share a layer. Asked while a request is read, when
/// `inputs` has no device yet. vLLM's log has what the allocator counts; SGLang, and vLLM on ROCm, count what the driver
/// lacks.
/// Source: SGLang, model_executor/model_runner.py (load_model: get_available_gpu_memory before and after); vLLM,
/// utils/mem_utils.py (DeviceMemoryProfiler), platforms/rocm.py (get_current_memory_usage).
double left_over_of_server(const Model& model, const InferenceInputs& inputs, const Device* device);

}  // namespace plimsoll
