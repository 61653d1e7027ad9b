/// What a training step does with each layer: whether it is trained, and what its backward pass has to recompute.
///
///     every     each k-th layer is recomputed from its input; the layers between keep what they make
///     uniform   all layers, in chunks of so many: the input of each chunk is kept, and all of it is recomputed
///     block     the first layers of a stage are recomputed, each from its input; the others keep what they make
///
/// Of a stage in several pieces (interleaved schedules), each piece is planned as a stage is: it is a module of its own.
/// The rows and the allocator's replay both read this plan, and nothing else decides it.
/// Source: Megatron-LM, core/transformer/transformer_block.py (_checkpointed_forward: recompute_method,
/// recompute_num_layers); torchtitan, distributed/activation_checkpoint.py (every k-th).
#pragma once

#include <vector>

#include "inputs/training/training.h"
#include "model/core/model.h"

namespace plimsoll {

/// What of a layer the backward pass recomputes: nothing, some of its modules, or all of it.
enum class Recomputed : unsigned char { nothing, modules, layer };

struct PlannedLayer {
    size_t kind = 0;  ///< index into the model's kinds of layers
    bool trained = false;
    Recomputed recomputed = Recomputed::nothing;
    size_t chunk_begin = 0, chunk_end = 0;  ///< positions that are recomputed together; of one layer, itself

    bool begins_chunk(size_t position) const { return chunk_begin == position; }
    bool ends_chunk(size_t position) const { return chunk_end == position + 1; }
    /// Whether both are recomputed alike, if at all, and neither together with others.
    bool is_planned_as(const PlannedLayer& other) const {
        return kind == other.kind && trained == other.trained && recomputed == other.recomputed &&
               chunk_end == chunk_begin + 1 && other.chunk_end == other.chunk_begin + 1;
    }
};

/// Where each piece of a stage that has so many layers begins, and, last, where they end. `parts`: layers of each; empty:
/// one piece has all.
std::vector<size_t> piece_begins(const std::vector<size_t>& parts, size_t layers);

/// One entry for each layer of the stage, in the order in which they run forward. `parts`: as above.
std::vector<PlannedLayer> layer_plan(const Model& model, const TrainingRequest& request,
                                     const std::vector<size_t>& parts = {});

}  // namespace plimsoll
