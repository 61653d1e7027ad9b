/// ggml's allocator of graphs, run on sizes alone: tensors are placed in the order of the nodes, in the best fitting
/// free block, over a source that nobody reads later where the operation allows it, and freed after their last reader.
/// (ggml-alloc.c: ggml_gallocr_alloc_graph_impl, ggml_dyn_tallocr_alloc)
#pragma once

#include "estimate/inference/llama_cpp/graph/graph.h"
#include "inputs/runtime.h"

namespace plimsoll::llama_cpp {

struct BufferSizes {
    std::vector<Size> devices;
    Size host;
};

/// Bytes of the buffers that the graph's nodes, in their order, need on so many devices and on the host.
BufferSizes allocate(const Graph& graph, Place devices, const BufferAlignment& alignment);

}  // namespace plimsoll::llama_cpp
