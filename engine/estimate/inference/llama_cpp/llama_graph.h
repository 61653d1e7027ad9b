/// llama.cpp's compute buffers: its graph of one micro-batch is described tensor by tensor and laid out as ggml's
/// scheduler and allocator do. A simulation on plain doubles; it runs beside the rows and is no part of a formula.
/// (llama-context.cpp: graph_reserve, 2026-09; ggml-backend.cpp; ggml-alloc.c)
#pragma once

#include <vector>

#include "inputs/placement.h"
#include "inputs/runtime.h"
#include "model/core/file_matrix.h"
#include "model/core/model.h"

namespace plimsoll {

struct LlamaContext {
    enum class Backend : unsigned char { cpu, cuda, vulkan };

    double cells = 0;         ///< of the cache of full attention: of one stream
    double window_cells = 0;  ///< the same of windowed or chunked layers, which take no more than the others; 0: none
    double micro_batch = 512;
    double sequences = 1;
    double outputs = 0;    ///< tokens of a micro-batch that get logits; 0: all
    bool unified = false;  ///< one stream of cells for all sequences
    bool flash_attention = true;
    double key_bytes = 2, value_bytes = 2;  ///< of an element of the cache
    ExpertRouting routing;
    Placement placement;      ///< of the layers; where it lists none they are with the head
    Place devices = 1;        ///< that the model was given, be there layers on them or not
    double weight_bytes = 2;  ///< of an element of a matrix on the host that is not in the list below
    std::vector<std::vector<FileMatrix>> file_matrices;  ///< of each layer, then the head's: those that stay there
    Backend backend = Backend::vulkan;
    BufferAlignment alignment{"vulkan", 128, 64, 1, {}};  ///< the backend's
    /// Nodes that llama.cpp gives a place itself have it. It has forgotten these places when it reserves in a dry run,
    /// of which the figures are that it fits its parameters by (ggml-backend.cpp: ggml_backend_sched_reserve_size).
    bool running = false;
    GraphRules rules;

    /// n_gpu_layers is more than there are layers.
    bool all_on_devices() const;
    /// Copies of each input, so that devices may work on several batches in turn: four where every layer is on one of
    /// several devices and nothing is held back on the host. (llama-context.cpp: pipeline_parallel)
    int copies() const;
};

/// Bytes of the compute buffers.
struct GraphBuffers {
    std::vector<double> devices;  ///< of each
    double host = 0;

    double of(Place place) const;
};

/// The buffers of graphs that are alike but for their cells: over a stretch of these, buffers grow evenly, since every
/// tensor finds its place next to the same others.
struct GrowingBuffers {
    GraphBuffers at, gain;               ///< at `cells`, and of each step of 256 more
    double cells = 0, down = 0, up = 0;  ///< steps from there over which this holds

    bool hold(double cells) const;
    GraphBuffers with(double cells) const;
};

GrowingBuffers llama_graph(const Model& model, const LlamaContext& context);

/// Buffers that were found, for a model and settings that are the same but for what an entry says.
struct KnownGraphs {
    struct Entry {
        double window_cells, micro_batch, sequences, outputs;
        GrowingBuffers buffers;
    };
    std::vector<Entry> entries;

    /// The entry for such a context; null where there is none.
    const GrowingBuffers* find(const LlamaContext& context) const;
    void add(const LlamaContext& context, const GrowingBuffers& buffers);
};

}  // namespace plimsoll
