/// A run while it is replayed: all that is alive, and what happens to it. Loading and what one block does are in
/// replay_blocks.cpp, the turns of a step in replay_turns.cpp, the step that they make in replay.cpp.
#pragma once

#include <deque>

#include "estimate/ledger/placed.h"
#include "estimate/training/replay/replayed_memory.h"
#include "estimate/training/replay/replayed_model.h"
#include "estimate/training/timeline/schedule.h"

namespace plimsoll {

/// One block of the model: its number among the kinds of blocks, and its tensors.
struct ReplayedBlock {
    using Slots = std::vector<ReplayedMemory::Handle>;

    size_t kind = 0;
    bool trained = true;
    Recomputed recomputed = Recomputed::nothing;
    bool keeps_checkpoint = false;  ///< its input, from which it and the layers of its chunk are recomputed
    bool recomputes() const { return recomputed == Recomputed::layer; }
    Slots gradients, gathered;
    ReplayedMemory::Handle checkpoint = ReplayedMemory::none;  ///< while the layer is recomputed and runs backward
    std::deque<Slots> under_way;  ///< of micro-batches that wait for their backward pass, the oldest first
};

class ReplayRun {
public:
    using Handle = ReplayedMemory::Handle;

    /// `most`: bytes that the driver has for the allocator.
    ReplayRun(const Model& model, const TrainingInputs& inputs, const ReplayedWeights& weights,
              double most = std::numeric_limits<double>::infinity());

    PhaseMemory load(const ReplayedPasses& passes);
    void micro_batch(const ReplayedPasses& passes);
    void end_step();
    /// One step of as many micro-batches as differ; the phases of each, and of the optimizer's step.
    std::vector<PhaseMemory> step(const ReplayedPasses& passes);
    double reserved() { return memory_.allocator().most_reserved(); }

private:
    /// Whether a layer has its parameters only while it runs.
    bool gathers_layers() const { return copies_units(inputs_.layout) && inputs_.layout.reshard_after_forward; }
    bool is_layer(const ReplayedBlock& block) const { return block.kind > 0 && block.kind < head_.kind; }
    bool regression() const { return !model_.vocab_size; }
    /// A stage of a pipeline has pieces, each with a run of its layers; one has the model's beginning, one its end.
    size_t pieces() const { return under_way_.size(); }
    bool begins(size_t piece) const { return inputs_.place.first && piece == 0; }
    bool ends(size_t piece) const { return inputs_.place.last && piece + 1 == pieces(); }
    const std::vector<ReplayedParameter>& trained(const ReplayedBlock& block) const {
        return weights_.blocks[block.kind].trained;
    }
    template <class Do>
    void each_instance(Do visit) {
        visit(embedding_);
        for (ReplayedBlock& layer : layers_) visit(layer);
        visit(head_);
        for (ReplayedBlock& other : others_) visit(other);
    }

    std::vector<std::vector<double>> packed_layers() const;
    std::vector<std::vector<double>> units() const;
    void load_units();
    void load_weights();
    void play(ReplayedBlock& block, ReplayedBlock::Slots& slots, const std::vector<MemoryEvent>& events);
    Handle play_forward(ReplayedBlock& block, ReplayedBlock::Slots& slots, const BlockEvents& events, Handle given);
    Handle forward(ReplayedBlock& block, Handle given);
    Handle backward(ReplayedBlock& block, Handle gradient);
    void gather(ReplayedBlock& block);
    void gather_ends();
    void join_gradients(double bytes, std::vector<Handle>& unit);
    void gradient_comes(ReplayedBlock& block, size_t index);
    /// The vocabulary matrix: the block that has its gradient, and which of its parameters it is.
    std::pair<ReplayedBlock*, size_t> trained_matrix();
    void gradients_of_others(bool at_head);
    void become(const Groups<double>& moment);
    void let_go_but(const Groups<double>& moment);
    Handle take_gradient();
    void play(const Turn& turn);
    void begin(size_t piece);
    void layer(size_t position);
    void enter_tower(size_t position);
    void take_places();
    void layer_backward(size_t position);
    void above_layers(size_t piece);
    void take_loss(size_t piece);
    void pass_loss();
    void take_turns();
    void loss_backward(size_t piece);
    void head_backward(size_t piece);
    void recompute(ReplayedBlock& block, const PlannedLayer& planned, size_t position);
    void end(size_t piece);
    void end_forward(Handle x);
    std::vector<PhaseMemory> turns_of_a_step();
    void make_states();
    Handle gradients_in_one_piece();
    void optimizer_step();
    void step_of_one(const ReplayedParameter& parameter, std::vector<ReplayedMemory::Handle>& left);
    void step_ends();
    PhaseMemory phase_ends();

    const Model& model_;
    const TrainingInputs& inputs_;
    const TrainingRequest& request_;
    const ReplayedWeights& weights_;
    const ReplayedPasses* passes_ = nullptr;
    ReplayedMemory memory_;
    std::vector<PlannedLayer> plan_;
    size_t towers_;  // layers of a tower, before the decoder's
    ReplayedBlock embedding_, head_;
    std::vector<ReplayedBlock> layers_, others_;  // others: loaded and stepped, though no pass runs through them
    struct Held {
        RowId::Known id;
        double bytes;
        Handle block;
    };
    struct MicroBatch {
        std::vector<Held> moment;                       // of the logits
        std::vector<ReplayedMemory::Handle> batch;      // its own inputs
        std::vector<ReplayedMemory::Handle> cache;      // keys and values among the model's outputs
        Handle matrix_gradient = ReplayedMemory::none;  // that a fused loss has made
    };
    MicroBatch now_;                                        // the one that runs
    std::vector<std::deque<MicroBatch>> under_way_;         // by piece of the stage: that wait to go backward
    std::vector<ReplayedMemory::Handle> unit_, last_unit_;  // gradients of a unit that is reduced when all have come
    std::vector<ReplayedMemory::Handle> casts_;     // in autocast's cache, until its context ends behind the loss
    std::vector<ReplayedMemory::Handle> held_;      // what the script refers to until the step has ended
    Handle output_ = ReplayedMemory::none;          // of the head, where no moment holds it
    Handle graph_ = ReplayedMemory::none;           // of the micro-batch before
    Handle stream_ = ReplayedMemory::none;          // what the last layer has given to the next
    Handle gradient_ = ReplayedMemory::none;        // and on the way back
    Handle text_ = ReplayedMemory::none;            // the text's embeddings, or their gradient, while a tower runs
    Handle buckets_ = ReplayedMemory::none;         // that gradients are reduced in
    Handle joined_ = ReplayedMemory::none;          // gradients of a unit, until the next one's are
    std::vector<ReplayedMemory::Handle> previous_;  // and its outputs
    double workspace_ = 0;
    int workspaces_ = 0;
    bool stepped_ = false;
};

}  // namespace plimsoll
