/// A training step as one list of turns: what one stage of a pipeline runs, in the order in which it runs it.
///
///     one forward, one backward   F F F │ B F B F B F … │ B B B    as many forward first as other stages come after it
///     all forward                 F F F F │ B B B B
///     interleaved                 the same with pieces of the stage: as many micro-batches as there are stages run
///                                 forward through its first piece, then through the next; backward, the last one first
///
/// Each F is `begin, embedding, layer …, head, loss`; each B is `loss_backward, head_backward, (recompute …,
/// layer_backward …) …, embedding_backward, end`. A turn that a stage has no part in (the embedding of a later one) is
/// left out; `begin`, `head`, `loss`, their ways back and `end` are always there, since the phases hang on them. A chunk
/// of layers that are recomputed together runs forward once more, then backward.
///
/// Source: Narayanan et al., arXiv:2104.04473; Megatron-LM, core/pipeline_parallel/schedules.py
/// (forward_backward_pipelining_with_interleaving, get_model_chunk_id).
#pragma once

#include "estimate/training/inputs.h"
#include "estimate/training/timeline/layer_plan.h"

namespace plimsoll {

enum class Work : unsigned char {
    begin,               ///< a micro-batch's inputs come
    embedding,           ///< on the first stage
    layer,               ///< runs forward
    head,                ///< what lies above the layers; on other stages, the output is sent on
    loss,                ///< on other stages nothing happens
    loss_backward,       ///< the same
    head_backward,       ///< on other stages, the gradient of the output comes
    recompute,           ///< a layer runs forward once more and keeps what its backward pass reads
    layer_backward,      ///< saved tensors go, gradients of the parameters come
    embedding_backward,  ///< on the first stage
    end,                 ///< of a micro-batch
};

/// The name of a turn's work in replies: `layer_backward`.
const char* text_of(Work work);

struct Turn {
    Work work;
    size_t piece = 0;        ///< of the stage; 0 where it has one
    size_t position = 0;     ///< of the layer that runs; elsewhere 0
    size_t micro_batch = 0;  ///< counted from 0, in the order in which they go forward
    bool later = false;      ///< a micro-batch has gone backward before
    bool is_forward() const { return work <= Work::loss; }
    bool is_of_layer() const { return work == Work::layer || work == Work::recompute || work == Work::layer_backward; }
};

/// One micro-batch on its way through one piece of a stage.
struct PiecePass {
    bool is_forward;
    size_t piece, micro_batch;
    bool later = false;  ///< as its turns are
};

/// The passes of one step, of no more micro-batches than differ: until one has come forward after the first has gone
/// backward, and all have ended. Where there is no pipeline, up to two micro-batches.
std::vector<PiecePass> passes_of_step(const TrainingInputs& inputs);

/// The turns of all of them.
std::vector<Turn> turns_of_step(const std::vector<PlannedLayer>& plan, const TrainingInputs& inputs);

/// The turns of one pass after the other. `plan` and `place` have to outlive it.
class PassTurns {
public:
    PassTurns(const std::vector<PlannedLayer>& plan, const StagePlace& place)
        : plan_(plan), place_(place), begins_(piece_begins(place.parts, plan.size())) {}

    /// Valid until the next pass is asked for.
    const std::vector<Turn>& of(const PiecePass& pass);
    /// Where each piece's layers begin and, last, where they end.
    const std::vector<size_t>& begins() const { return begins_; }

private:
    bool has_beginning(const PiecePass& pass) const { return place_.first && pass.piece == 0; }
    void forward(const PiecePass& pass);
    void backward(const PiecePass& pass);
    size_t chunk_backward(const PiecePass& pass, size_t end);
    void add(const PiecePass& pass, Work work, size_t position = 0);

    const std::vector<PlannedLayer>& plan_;
    const StagePlace& place_;
    std::vector<size_t> begins_;
    std::vector<Turn> turns_;
};

/// The turns of one micro-batch by itself, whatever the schedule.
std::vector<Turn> turns_of_micro_batch(const std::vector<PlannedLayer>& plan, const TrainingInputs& inputs);

}  // namespace plimsoll
