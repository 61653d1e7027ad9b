/// What a graph runs on, and what each part of it can run.
#pragma once

#include "estimate/inference/llama_cpp/graph/graph.h"

namespace plimsoll::llama_cpp {

struct Machine {
    Place devices = 1;         ///< the first has the highest priority, the host the lowest
    int copies = 1;            ///< of each input
    bool vulkan = false;       ///< else CUDA, or what is like it here
    double largest = 0;        ///< bytes of one tensor that a device's kernels can read; 0: of any
    bool reorders = false;     ///< a device runs independent nodes of a piece together
    double row = 1;            ///< kernels read past a quantised row, to a multiple of so many elements
    bool half_copies = false;  ///< CUDA's attention has room behind its result for keys and values in 16 bits
    bool fuses = false;        ///< CUDA holds the inputs of nodes that it runs as one kernel

    /// A place has the operation. (ggml-vulkan.cpp: ggml_backend_vk_device_supports_op)
    bool runs(const Graph& graph, const Tensor& node, Place place) const;
    /// Bytes that a tensor of a device takes behind its own. (ggml-cuda.cu: ggml_backend_cuda_buffer_type_get_alloc_size,
    /// fattn.cu: ggml_cuda_flash_attn_ext_get_alloc_size)
    Size beyond(const Graph& graph, const Tensor& tensor) const;
};

/// Devices take an operation whose weight is on the host for so many rows at once: then a copy of the weight is worth
/// its way. (ggml-vulkan.cpp, ggml-cuda.cu: offload_op)
bool worth_a_copy(const Tensor& node);

}  // namespace plimsoll::llama_cpp
