/// A run while it is replayed: all that is alive, and what happens to it. Loading and what one block does are in
/// replay_blocks.cpp, a step and what it is made of in replay.cpp.
#pragma once

#include "estimate/placed.h"
#include "estimate/training/replayed_memory.h"
#include "estimate/training/replayed_model.h"

namespace plimsoll {

/// One block of the model: its number among the kinds of blocks, and its tensors.
struct ReplayedBlock {
    size_t kind = 0;
    bool trained = true, checkpointed = false;
    std::vector<ReplayedMemory::Handle> slots, gradients;
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
    bool regression() const { return !model_.vocab_size; }
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

    void load_weights();
    void play(ReplayedBlock& block, const std::vector<MemoryEvent>& events);
    Handle play_forward(ReplayedBlock& block, const BlockEvents& events, Handle given);
    Handle forward(ReplayedBlock& block, Handle given);
    Handle backward(ReplayedBlock& block, Handle gradient);
    void gradient_comes(ReplayedBlock& block, size_t index);
    void matrix_gradient_comes();
    void gradients_of_others(bool at_head);
    void become(const Groups<double>& moment);
    void let_go_but(const Groups<double>& moment);
    Handle take_gradient();
    void pass_forward();
    void pass_loss();
    void pass_backward();
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
    ReplayedBlock embedding_, head_;
    std::vector<ReplayedBlock> layers_, others_;  // others: loaded and stepped, though no pass runs through them
    struct Held {
        std::string id;
        double bytes;
        Handle block;
    };
    std::vector<Held> moment_;                              // of the logits
    std::vector<ReplayedMemory::Handle> unit_, last_unit_;  // gradients of a unit that is reduced when all have come
    std::vector<ReplayedMemory::Handle> casts_;  // in autocast's cache, until its context ends behind the loss
    std::vector<ReplayedMemory::Handle> batch_,
        held_;  // a micro-batch's own; what the script refers to until the step has ended
    std::vector<ReplayedMemory::Handle> cache_;  // keys and values among the model's outputs
    Handle output_ = ReplayedMemory::none;       // of the head, where no moment holds it
    Handle graph_ = ReplayedMemory::none;        // of the micro-batch before
    double workspace_ = 0;
    int workspaces_ = 0;
    bool stepped_ = false;
};

}  // namespace plimsoll
