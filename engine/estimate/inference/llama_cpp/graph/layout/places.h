/// Where each node of a graph runs: beside its weights and caches, else where its neighbours run.
/// (ggml-backend.cpp: ggml_backend_sched_split_graph, passes 1 to 4)
#pragma once

#include "estimate/inference/llama_cpp/graph/layout/machine.h"

namespace plimsoll::llama_cpp {

/// Gives every tensor that the graph's nodes and leaves reach a place.
void choose_places(Graph& graph, const Machine& machine);

}  // namespace plimsoll::llama_cpp
