/// What a training precision stores and computes in, by the habits of the frameworks that offer it.
#pragma once

#include <optional>
#include <string_view>

#include "inputs/workload.h"

namespace plimsoll {

struct Precision {
    Numerics numerics;
    Dtype gradient = Dtype::sixteen_bit;  ///< as accumulated
    bool master_weights = false;          ///< an fp32 copy that the optimizer steps
    bool preallocated_gradients = false;  ///< one buffer for all gradients that outlives the step
    bool fp8 = false;                     ///< linear layers multiply copies of their weights in fp8
    const char* gradient_source = "";
    const char* master_source = "";
    std::optional<Dtype> stored = {};  ///< of the weights where it is not the type that the forward pass reads

    /// The type that weights are kept in from step to step, beside any master copy.
    Dtype stored_type() const { return stored.value_or(numerics.parameter); }
};

/// fp32: everything. bf16, fp16: everything in 16 bits. bf16-mixed, fp16-mixed: 16-bit weights beside fp32 master
/// weights, with gradients accumulated in fp32 (Megatron-LM's bf16) or in fp16 (ZeRO's mixed precision), in a buffer
/// that stays. bf16-autocast, fp16-autocast: torch.autocast over fp32 weights. tf32: products round what they read, and
/// store nothing else than fp32 does. fp8-mixed: bf16-mixed with products in fp8 and delayed scaling (Transformer
/// Engine). fp8-dynamic: bf16 with products in fp8, scaled and cast call by call without copies that stay (torchao).
inline std::optional<Precision> precision_of(std::string_view name) {
    constexpr Numerics full{Dtype::float32, Dtype::float32, false};
    constexpr Numerics half{Dtype::sixteen_bit, Dtype::sixteen_bit, false};
    constexpr Numerics autocast{Dtype::float32, Dtype::sixteen_bit, true};
    constexpr const char* torch = "PyTorch: a gradient has its parameter's type";
    constexpr const char* megatron =
        "Megatron-LM, docs/source/api-guide/dist_optimizer.md: bf16 parameters, fp32 gradients";
    constexpr const char* zero = "ZeRO (arXiv:1910.02054) §3.1: fp16 parameters and gradients, fp32 master copy";
    if (name == "fp32" || name == "tf32") return Precision{full, Dtype::float32, false, false, false, torch, ""};
    if (name == "bf16" || name == "fp16" || name == "fp8-dynamic")
        return Precision{half, Dtype::sixteen_bit, false, false, false, torch, ""};
    if (name == "bf16-mixed") return Precision{half, Dtype::float32, true, true, false, megatron, megatron};
    if (name == "fp8-mixed") return Precision{half, Dtype::float32, true, true, true, megatron, megatron};
    if (name == "fp16-mixed") return Precision{half, Dtype::sixteen_bit, true, true, false, zero, zero};
    if (name == "bf16-autocast" || name == "fp16-autocast")
        return Precision{autocast, Dtype::float32, false, false, false, torch, ""};
    return std::nullopt;
}

}  // namespace plimsoll
