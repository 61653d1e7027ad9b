/// The order in which the Vulkan backend runs the nodes of a piece of the graph: independent ones are drawn together,
/// so that they run side by side, and what it fuses stays together. It decides on what is alive at once.
/// (ggml-vulkan.cpp: ggml_vk_graph_optimize, 2026-09)
#pragma once

#include "estimate/inference/llama_cpp/graph/graph.h"

namespace plimsoll::llama_cpp {

/// May append tensors that keep others alive.
std::vector<Id> vulkan_order(Graph& graph, const std::vector<Id>& nodes);

}  // namespace plimsoll::llama_cpp
