/// In which order one stage of a pipeline runs its micro-batches, forward and backward.
///
///     one forward, one backward   F F F │ B F B F B F … │ B B B    as many forward first as other stages come after it
///     all forward                 F F F F │ B B B B
///     interleaved                 the same with pieces of the stage: as many micro-batches as there are stages run
///                                 forward through its first piece, then through the next; backward, the last one first
///
/// Source: Narayanan et al., arXiv:2104.04473; Megatron-LM, core/pipeline_parallel/schedules.py
/// (forward_backward_pipelining_with_interleaving, get_model_chunk_id).
#pragma once

#include <cstddef>
#include <vector>

#include "inputs/layout.h"

namespace plimsoll {

struct StageTurn {
    bool forward;
    std::size_t piece;  ///< of the stage; 0 where it has one
};

/// The turns of one step of `accumulation` micro-batches, no more of them than differ: until one has come forward after
/// the first has gone backward, and all have ended. Where there is no pipeline, up to two micro-batches.
std::vector<StageTurn> stage_turns(const TrainingLayout& layout, double stage, double accumulation);

}  // namespace plimsoll
