/// How a pipeline's layers are shared out: its stages, and the parts that each stage has where several are interleaved.
///
///     nothing said    as even as layers allow
///     ends said       the first stage, or the last one, has so many; the others share what is left evenly. Each stage's
///                     layers are even over its parts; where those of an end are not, its outermost part alone has
///                     fewer: the model's first layers come with the embedding, its last ones with the head
///
/// Source: Megatron-LM, core/transformer/transformer_block.py (get_num_layers_to_build: num_layers_in_first_pipeline_stage,
/// account_for_embedding_in_pipeline_split), core/transformer/pipeline_parallel_layer_layout.py ("Et|(tt|)*30mL").
#pragma once

#include <optional>
#include <vector>

#include "inputs/layout.h"
#include "number/result.h"

namespace plimsoll {

/// Why so many layers cannot be shared out so; nothing where they can.
std::optional<Error> refused_stages(const TrainingLayout& layout, double layers);

/// Layers of each part, in the order in which a token passes them: pipeline × virtual_stages counts, of which some may be
/// 0. The part of number n is on stage n modulo pipeline. The layout must not be refused.
std::vector<size_t> layers_of_parts(const TrainingLayout& layout, size_t layers);

/// Layers of each part of one stage, in the same order.
std::vector<size_t> parts_of_stage(const TrainingLayout& layout, size_t layers, size_t stage);

}  // namespace plimsoll
