// What devices have no kernel for, where llama.cpp's graphs meet it.
#include "estimate/inference/llama_cpp/graph/layout/machine.h"

#include <cmath>

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

Size Machine::beyond(const Graph& graph, const Tensor& tensor) const {
    Size bytes = 0;
    if (tensor.place == on_host) return bytes;
    if (row > 1 && tensor.width < 2 && !(tensor.width == 1)) {
        const double columns = tensor.shape[0].here();
        bytes += tensor.width * (std::ceil(columns / row) * row - columns);
    }
    if (!half_copies || tensor.op != Op::flash_attention) return bytes;
    const Id keys = tensor.sources[1], values = tensor.sources[2];
    const auto copied = [&](Id source) { return graph[source].width < 2; };
    constexpr double half = 2;
    if (copied(keys)) bytes += graph[keys].bytes() / graph[keys].width * half;
    if (copied(values) && graph.base(values) != graph.base(keys))
        bytes += graph[values].bytes() / graph[values].width * half;
    return bytes;
}

}  // namespace plimsoll::llama_cpp
