/// What llama.cpp decides by architecture and by layer: whose windows shorten the cache, and which device has a layer.
#pragma once

#include <vector>

#include "inputs/placement.h"
#include "model/model.h"

namespace plimsoll {

/// Whether llama.cpp keeps a window's tokens only for the layers of this class that look at a window. It reads the
/// windows of some architectures and passes over those of others (Mistral, Phi-3), whose caches have full length.
/// Source: llama.cpp, src/llama-model.cpp: hparams.swa_type by architecture.
bool llama_cpp_keeps_windows(const Model& model);

/// What decides where the layers go.
struct LlamaSplit {
    double gpu_layers;            ///< counted from the last, the head being one more; more than there are: all
    std::vector<double> devices;  ///< free memory of each, in any unit
    double experts_on_host = 0;   ///< `--n-cpu-moe`
    bool cache_on_host = false;   ///< `--no-kv-offload`
};

/// Layers of a model to devices. Source: llama.cpp, src/llama-model.cpp: load_tensors (get_layer_buft_list).
Placement llama_cpp_placement(size_t layers, const LlamaSplit& split);

}  // namespace plimsoll
