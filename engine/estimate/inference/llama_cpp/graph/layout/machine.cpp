// What devices have no kernel for, where llama.cpp's graphs meet it.
#include "estimate/inference/llama_cpp/graph/layout/machine.h"

#include "number/traced.h"

namespace plimsoll::llama_cpp {

bool worth_a_copy(const Tensor& node) {
    if (node.op == Op::get_rows) return false;
    if (node.op == Op::mul_mat) return node.shape[1] >= 32;
    if (node.op == Op::mul_mat_id || node.op == Op::rope) return node.shape[2] >= 32;
    return node.shape[1] * node.shape[2] * node.shape[3] >= 32;
}

bool Machine::runs(const Graph& graph, const Tensor& node, Place place) const {
    if (place == on_host || !vulkan) return true;
    if (largest > 0) {
        if (node.bytes() > largest) return false;
        for (const Id source : node.sources)
            if (source != nothing && graph[source].bytes() > largest) return false;
    }
    const Id first = node.sources[0], second = node.sources[1];
    if (second == nothing) return true;
    if (node.op == Op::mul_mat)  // no kernel repeats a matrix over the last dimension
        return graph[first].shape[3] == graph[second].shape[3];
    if (node.op == Op::ssm_scan) {  // the second Mamba's, of states of one of two sizes
        const Size &state = graph[first].shape[0], &head = graph[first].shape[1];
        return (state == 128 || state == 256) && is_whole(head.value() / 16);
    }
    return true;
}

}  // namespace plimsoll::llama_cpp
