/// Cuts a graph into pieces that run in one place each, with copies of what a piece needs from the other place.
/// (ggml-backend.cpp: ggml_backend_sched_split_graph)
#pragma once

#include "estimate/inference/llama_cpp/graph/graph.h"

namespace plimsoll::llama_cpp {

/// The graph with its nodes in the order in which they run; `vulkan`: that backend's order within its pieces.
Graph schedule(Graph graph, bool vulkan);

}  // namespace plimsoll::llama_cpp
