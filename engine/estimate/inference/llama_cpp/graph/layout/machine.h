/// What a graph runs on, and what each part of it can run.
#pragma once

#include "estimate/inference/llama_cpp/graph/graph.h"

namespace plimsoll::llama_cpp {

struct Machine {
    Place devices = 1;      ///< the first has the highest priority, the host the lowest
    int copies = 1;         ///< of each input
    bool vulkan = false;    ///< else CUDA, or what is like it here
    double largest = 0;     ///< bytes of one tensor that a device's kernels can read; 0: of any
    bool reorders = false;  ///< a device runs independent nodes of a piece together

    /// A place has the operation. (ggml-vulkan.cpp: ggml_backend_vk_device_supports_op)
    bool runs(const Graph& graph, const Tensor& node, Place place) const;
};

/// Devices take an operation whose weight is on the host for so many rows at once: then a copy of the weight is worth
/// its way. (ggml-vulkan.cpp, ggml-cuda.cu: offload_op)
bool worth_a_copy(const Tensor& node);

}  // namespace plimsoll::llama_cpp
