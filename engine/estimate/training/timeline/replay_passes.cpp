#include "estimate/training/timeline/replay_run.h"

namespace plimsoll {

// What two moments have in common stays, and what else there was goes before anything new is made; but a tensor of the
// same name and another size is what the new one is cast from.
void ReplayRun::become(const Groups<double>& moment) {
    let_go_but(moment);
    std::vector<Held> now;
    for (const Group<double>& group : moment.list()) {
        now.push_back({group.id, group.bytes.n, ReplayedMemory::none});
        for (Held& held : now_.moment)
            if (held.id == group.id && held.bytes == group.bytes.n) std::swap(now.back().block, held.block);
        if (now.back().block == ReplayedMemory::none) now.back().block = memory_.make(group.bytes.n);
    }
    for (Held& held : now_.moment) memory_.free(held.block);
    now_.moment = std::move(now);
}

void ReplayRun::let_go_but(const Groups<double>& moment) {
    for (Held& held : now_.moment) {
        bool stays = false;
        for (const Group<double>& group : moment.list()) stays = stays || group.id == held.id;
        if (!stays) memory_.free(held.block);
    }
}

// The gradient that the loss hands to the layers: by now there is one of these names.
ReplayRun::Handle ReplayRun::take_gradient() {
    Handle gradient = ReplayedMemory::none;
    for (Held& held : now_.moment)
        if (held.id == RowId::logits_gradient || held.id == RowId::hidden_gradient || held.id == RowId::output_gradient)
            std::swap(gradient, held.block);
    return gradient;
}

void ReplayRun::pass_forward(size_t piece) {
    if (!regression() && piece == 0)
        for (const Group<double>& group : passes_->batch.list()) now_.batch.push_back(memory_.make(group.bytes.n));
    previous_.push_back(memory_.make(passes_->previous_outputs));
    for (const double bytes : passes_->previous_caches) previous_.push_back(memory_.make(bytes));
    graph_ = memory_.make(passes_->previous_graph);
    if (workspaces_ == 0) memory_.make(workspace_), ++workspaces_;  // of the main thread
    Handle x = begins(piece) ? forward(embedding_, ReplayedMemory::none) : memory_.make(passes_->stream);
    for (size_t position = first_layer(piece); position < first_layer(piece + 1); ++position) {
        ReplayedBlock& layer = layers_[position];
        x = forward(layer, x);
        if (const double cached = passes_->blocks[layer.kind].cached; cached > 0)
            now_.cache.push_back(memory_.make(cached));
        const bool last = &layer == &layers_.back() && regression();
        if (!request_.holds.layer_outputs && !(request_.holds.output && last)) continue;
        memory_.hold(x);
        held_.push_back(x);
    }
    if (ends(piece)) {
        end_forward(x);
    } else {
        memory_.free(x);  // sent to the next stage
        memory_.free(casts_);
    }
    if (!request_.loss.in_model) memory_.free(previous_);
}

void ReplayRun::end_forward(Handle x) {
    output_ = forward(head_, x);
    for (const Group<double>& group : passes_->loss.forward.list()) {
        if (group.id != RowId::logits) continue;
        now_.moment.push_back({group.id, group.bytes.n, output_});
        output_ = ReplayedMemory::none;
    }
    become(passes_->loss.forward);
}

void ReplayRun::pass_loss() {
    if (passes_->loss.matrix_gradient_in_loss) {
        const auto [block, index] = trained_matrix();
        now_.matrix_gradient = memory_.make(trained(*block)[index].arriving);
    }
    if (passes_->turns.slots > 0)
        take_turns();
    else
        become(passes_->loss.loss);
    memory_.free(output_);
    memory_.free(previous_);
    memory_.free(graph_);
    memory_.free(casts_);
    if (!request_.loss.logits_kept) memory_.free(now_.cache);
    let_go_but(passes_->loss.backward);  // the function returns
}

void ReplayRun::take_turns() {
    Groups<double> stays;
    for (const Group<double>& group : passes_->loss.loss.list())
        for (const RowId::Known id : {RowId::hidden_gradient, RowId::token_losses, RowId::valid_tokens, RowId::scalars})
            if (group.id == id) stays.add(id, group.bytes);
    become(stays);
    std::vector<Handle> slots(passes_->turns.slots, ReplayedMemory::none);
    for (const MemoryEvent& event : passes_->turns.events)
        if (event.kind == MemoryEvent::Kind::makes)
            slots[event.slot] = memory_.make(event.bytes);
        else
            memory_.free(slots[event.slot]);
}

void ReplayRun::gradients_of_others(bool at_head) {
    for (ReplayedBlock& other : others_)
        for (size_t index = 0; weights_.blocks[other.kind].at_head == at_head && index < other.gradients.size();
             ++index)
            gradient_comes(other, index);
}

std::pair<ReplayedBlock*, size_t> ReplayRun::trained_matrix() {
    if (model_.tied) return {&embedding_, 0};
    const std::vector<TrainedTensor> tensors = trained_tensors(model_.head, request_);
    size_t index = 0;
    while (index < tensors.size() && tensors[index].operation != vocabulary_product(model_.head)) ++index;
    return {&head_, index};
}

void ReplayRun::pass_backward(size_t piece) {
    const bool last = ends(piece);
    if (now_.matrix_gradient != ReplayedMemory::none) {
        memory_.free(now_.matrix_gradient);
        const auto [block, index] = trained_matrix();
        gradient_comes(*block, index);
    }
    if (last) become(passes_->loss.backward);
    if (workspaces_ == 1) memory_.make(workspace_), ++workspaces_;  // of autograd's thread
    if (last && !passes_->loss.head.list().empty()) become(passes_->loss.head);
    Handle buckets = memory_.make(request_.gradients.bucket * bytes_of<double>(inputs_.precision.numerics.compute).n);
    Handle gradient = last ? backward(head_, take_gradient()) : memory_.make(passes_->stream);
    if (last && request_.loss.kernel == LossKernel::cut) let_go_but(passes_->loss.held);  // the kernel returns
    if (last) gradients_of_others(true);
    for (size_t position = first_layer(piece + 1); position > first_layer(piece) && layers_[position - 1].trained;
         --position)
        gradient = backward(layers_[position - 1], gradient);
    if (begins(piece) && embedding_.trained) gradient = backward(embedding_, gradient);
    memory_.free(gradient);
    if (begins(piece)) gradients_of_others(false);
    memory_.free(last_unit_);
    memory_.free(buckets);
    if (last) become(passes_->loss.held);
    memory_.free(now_.cache);
    memory_.free(now_.batch);
}

}  // namespace plimsoll
