/// In which type a runtime's kernels multiply, by how weights are stored.
#pragma once

#include <string_view>

#include "inputs/device.h"
#include "inputs/encoding.h"
#include "inputs/runtime.h"

namespace plimsoll {

/// The peak rate of a type; null where the device's is not known.
inline const PeakRate* rate_of(const Device& device, std::string_view type) {
    for (const PeakRate& rate : device.rates)
        if (rate.type == type) return &rate;
    return nullptr;
}

/// Of products in 16 bits: fp16's and bf16's rates are the same wherever a device has both.
inline const PeakRate* wide_rate(const Device& device, bool in_fp32) {
    if (in_fp32) {
        const PeakRate* tensor = rate_of(device, "tf32");
        return tensor ? tensor : rate_of(device, "fp32");
    }
    const PeakRate* rate = rate_of(device, "bf16");
    return rate ? rate : rate_of(device, "fp16");
}

/// Of products with weights in `encoding`. Servers quantise activations with the weights where the format is made for
/// that and the device multiplies in it; elsewhere kernels widen the weights and multiply in 16 bits.
/// (vLLM: fp8.py, compressed_tensors_w8a8_int8.py, modelopt.py; SGLang layers/quantization; TensorRT-LLM gemm plugins)
inline const PeakRate* packed_rate(const Device& device, const Runtime& runtime, const Encoding& encoding) {
    const PeakRate* native = nullptr;
    if (runtime.allocation == Allocation::paged) {
        const bool fp8 = encoding.family == "fp8" || encoding.id == "fp8" || encoding.id == "mxfp8";
        if (fp8) native = rate_of(device, "fp8");
        if (encoding.id == "ct-w8a8" || encoding.id == "int8-smoothquant") native = rate_of(device, "int8");
        if (encoding.id == "nvfp4") native = rate_of(device, "fp4");
    }
    return native ? native : wide_rate(device, false);
}

}  // namespace plimsoll
