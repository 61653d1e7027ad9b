/// What llama.cpp decides by layer: what a layer keeps in the cache, and which device has it.
#pragma once

#include <string_view>
#include <vector>

#include "inputs/placement.h"
#include "model/core/profile.h"

namespace plimsoll {

/// What a layer keeps in cells: keys and values of an encoder's text are computed anew in each graph
/// (llama-graph.cpp: build_attn of llm_graph_input_attn_cross).
template <class N>
std::vector<Kept<N>> kept_in_cells(const Block& block) {
    std::vector<Kept<N>> list;
    for (const Op& op : block.ops)
        if (!op.is<CrossAttention>()) op.keeps(list);
    return list;
}

/// Elements of a token's values where they are stored transposed, which is so without flash attention: all layers' as
/// wide as the widest (llama-kv-cache.cpp: n_embd_v_gqa_max).
template <class N>
N widest_values(const Model& model) {
    N widest{0};
    for (const LayerKind& kind : model.kinds)
        for (const Kept<N>& kept : kept_in_cells<N>(kind.block))
            if (kept.name == "values" && value_of(kept.elements_per_token) > value_of(widest))
                widest = kept.elements_per_token;
    return widest;
}

/// What decides where the layers go.
struct LlamaSplit {
    double gpu_layers;            ///< counted from the last, the head being one more; more than there are: all
    std::vector<double> devices;  ///< free memory of each, in any unit
    double experts_on_host = 0;   ///< `--n-cpu-moe`
    bool cache_on_host = false;   ///< `--no-kv-offload`
    double largest = 0;           ///< as Placement's
};

/// Bytes of one tensor that a backend's kernels can read; 0: any. Vulkan's see 32 bits of addresses in a buffer, but for
/// drivers that have an extension for more (ggml-vulkan.cpp: maxStorageBufferRange, shader_64b_indexing).
double largest_tensor(std::string_view backend);

/// Layers of a model to devices. Source: llama.cpp, src/llama-model.cpp: load_tensors (get_layer_buft_list).
Placement llama_cpp_placement(size_t layers, const LlamaSplit& split);

}  // namespace plimsoll
