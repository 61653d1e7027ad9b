/// llama.cpp's compute buffers: its graph of one micro-batch is described tensor by tensor and laid out as ggml's
/// scheduler and allocator do. A simulation on plain doubles; it runs beside the rows and is no part of a formula.
/// (llama-context.cpp: graph_reserve, 2026-09; ggml-backend.cpp; ggml-alloc.c)
#pragma once

#include <vector>

#include "model/host_matrix.h"
#include "model/model.h"

namespace plimsoll {

struct LlamaContext {
    enum class Backend : unsigned char { cpu, cuda, vulkan };

    double cells = 0;         ///< of the cache of full attention: of one stream
    double window_cells = 0;  ///< of the cache of windowed or chunked layers: of one stream; 0: there is none
    double micro_batch = 512;
    double sequences = 1;
    double outputs = 0;    ///< tokens of a micro-batch that get logits; 0: all
    bool unified = false;  ///< one stream of cells for all sequences
    bool flash_attention = true;
    double key_bytes = 2, value_bytes = 2;  ///< of an element of the cache
    bool expert_weights_normed = false;     ///< the GGUF file's `expert_weights_norm`, in families that have it there
    double device_layers = 1e9;             ///< as n_gpu_layers: the last so many layers, the head being one
    double weight_bytes = 2;                ///< of an element of a matrix on the host that is not in the list below
    std::vector<std::vector<HostMatrix>> host_matrices;  ///< of each layer, then the head's: those that stay there
    Backend backend = Backend::vulkan;
};

/// Bytes of the compute buffers.
struct GraphBuffers {
    double device = 0, host = 0;
};

GraphBuffers llama_graph(const Model& model, const LlamaContext& context);

}  // namespace plimsoll
