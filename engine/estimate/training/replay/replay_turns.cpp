// What the allocator sees at each turn of a step: the same turns that the rows are made of.
#include "estimate/training/replay/replay_run.h"

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

// ---- forward -----------------------------------------------------------------------------------------------------

void ReplayRun::play(const Turn& turn) {
    switch (turn.work) {
        case Work::begin: return begin(turn.piece);
        case Work::embedding: stream_ = forward(embedding_, ReplayedMemory::none); return;
        case Work::layer: return layer(turn.position);
        case Work::head: return above_layers(turn.piece);
        case Work::loss: return take_loss(turn.piece);
        case Work::loss_backward: return loss_backward(turn.piece);
        case Work::head_backward: return head_backward(turn.piece);
        case Work::recompute: return recompute(layers_[turn.position], plan_[turn.position], turn.position);
        case Work::layer_backward: return layer_backward(turn.position);
        case Work::embedding_backward:
            if (embedding_.trained) gradient_ = backward(embedding_, gradient_);
            return;
        case Work::end: return end(turn.piece);
    }
}

void ReplayRun::begin(size_t piece) {
    if (!regression() && piece == 0)
        for (const Group<double>& group : passes_->batch.list()) now_.batch.push_back(memory_.make(group.bytes.n));
    previous_.push_back(memory_.make(passes_->previous_outputs));
    for (const double bytes : passes_->previous_caches) previous_.push_back(memory_.make(bytes));
    graph_ = memory_.make(passes_->previous_graph);
    if (workspaces_ == 0) memory_.make(workspace_), ++workspaces_;  // of the main thread
    if (piece == 0) gather_ends();
    if (!begins(piece)) stream_ = memory_.make(passes_->stream);
}

void ReplayRun::layer(size_t position) {
    ReplayedBlock& layer = layers_[position];
    if (position < towers_) enter_tower(position);
    stream_ = forward(layer, stream_);
    if (position + 1 == towers_) take_places();
    if (const double cached = passes_->blocks[layer.kind].cached; cached > 0)
        now_.cache.push_back(memory_.make(cached));
    const bool last = &layer == &layers_.back() && regression();
    if (!request_.holds.layer_outputs && !(request_.holds.output && last)) return;
    memory_.hold(stream_);
    held_.push_back(stream_);
}

// Pixels in the model's type; and what mergers of middle layers read, which is no other merger's output.
void ReplayRun::enter_tower(size_t position) {
    const auto stream = [&](size_t at) { return model_.kinds[plan_[at].kind].stream; };
    const bool merges_again = position > 0 && stream(position - 1) == Stream::image_tokens;
    if (position > 0 && !merges_again) return;
    Handle before = std::exchange(stream_, memory_.make(passes_->blocks[layers_[position].kind].given));
    if (position == 0)
        text_ = before;
    else
        memory_.free(before);
}

// The images' tokens take their places among the text's.
void ReplayRun::take_places() {
    const Handle both = memory_.make(passes_->stream);
    memory_.free(text_);
    memory_.free(stream_);
    stream_ = both;
}

void ReplayRun::above_layers(size_t piece) {
    if (ends(piece)) {
        end_forward(std::exchange(stream_, ReplayedMemory::none));
    } else {
        memory_.free(stream_);  // sent to the next stage
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
    if (!inputs_.layout.ends_let_go) return;
    memory_.free(embedding_.gathered);
    memory_.free(head_.gathered);
}

void ReplayRun::take_loss(size_t piece) {
    if (ends(piece)) pass_loss();
    under_way_[piece].push_back(std::exchange(now_, {}));
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

// ---- backward ----------------------------------------------------------------------------------------------------

// Of the decoder's input, the images' tokens have a gradient of their own; the text's waits until the tower has run.
void ReplayRun::layer_backward(size_t position) {
    if (position + 1 == towers_) {
        text_ = std::exchange(gradient_, memory_.make(passes_->image_tokens));
        if (!embedding_.trained) memory_.free(text_);
    }
    gradient_ = backward(layers_[position], gradient_);
    if (position >= towers_ || (position > 0 && layers_[position - 1].trained)) return;
    memory_.free(gradient_);
    gradient_ = std::exchange(text_, ReplayedMemory::none);
}

void ReplayRun::loss_backward(size_t piece) {
    now_ = std::move(under_way_[piece].front());
    under_way_[piece].pop_front();
    if (now_.matrix_gradient != ReplayedMemory::none) {
        memory_.free(now_.matrix_gradient);
        const auto [block, index] = trained_matrix();
        gradient_comes(*block, index);
    }
    if (ends(piece)) become(passes_->loss.backward);
}

void ReplayRun::head_backward(size_t piece) {
    const bool last = ends(piece);
    if (last && !passes_->loss.head.list().empty()) become(passes_->loss.head);
    // of autograd's thread, for its first product: it stays in the blocks that the loss has left, and parts one
    // (PyTorch, CublasHandlePool.cpp, getCurrentCUDABlasHandle)
    if (workspaces_ == 1) memory_.make(workspace_), ++workspaces_;
    if (inputs_.layout.ends_let_go) gather_ends();
    buckets_ = memory_.make(request_.gradients.bucket * bytes_of<double>(inputs_.precision.numerics.compute).n);
    gradient_ = last ? backward(head_, take_gradient()) : memory_.make(passes_->stream);
    if (last && request_.loss.kernel == LossKernel::cut) let_go_but(passes_->loss.held);  // the kernel returns
    if (last) gradients_of_others(true);
}

void ReplayRun::end(size_t piece) {
    memory_.free(gradient_);
    if (begins(piece)) gradients_of_others(false);
    if (piece == 0) each_instance([this](ReplayedBlock& block) { memory_.free(block.gathered); });
    const double head = inputs_.layout.ends_apart ? 0 : weights_.blocks[head_.kind].reduced;
    join_gradients(weights_.blocks[embedding_.kind].reduced + head, last_unit_);
    memory_.free(joined_);
    memory_.free(buckets_);
    if (ends(piece)) become(passes_->loss.held);
    memory_.free(now_.cache);
    memory_.free(now_.batch);
}

}  // namespace plimsoll
