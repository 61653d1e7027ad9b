/// Cuts a graph into pieces that run in one place each, with copies of what a piece needs from other places.
/// (ggml-backend.cpp: ggml_backend_sched_split_graph)
#pragma once

#include "estimate/inference/llama_cpp/graph/layout/machine.h"

namespace plimsoll::llama_cpp {

/// The graph with a place for each tensor, its nodes in the order in which they run.
Graph schedule(Graph graph, const Machine& machine);

}  // namespace plimsoll::llama_cpp
