#include "estimate/training/replay.h"

#include "estimate/training/replay_run.h"
#include "estimate/training/varying_lengths.h"
#include "policies/overhead.h"

namespace plimsoll {

// ---- one micro-batch ---------------------------------------------------------------------------------------------

// What two moments have in common stays, and what else there was goes before anything new is made; but a tensor of the
// same name and another size is what the new one is cast from.
void ReplayRun::become(const Groups<double>& moment) {
    let_go_but(moment);
    std::vector<Held> now;
    for (const Group<double>& group : moment.list()) {
        now.push_back({group.id, group.bytes.n, ReplayedMemory::none});
        for (Held& held : moment_)
            if (held.id == group.id && held.bytes == group.bytes.n) std::swap(now.back().block, held.block);
        if (now.back().block == ReplayedMemory::none) now.back().block = memory_.make(group.bytes.n);
    }
    for (Held& held : moment_) memory_.free(held.block);
    moment_ = std::move(now);
}

void ReplayRun::let_go_but(const Groups<double>& moment) {
    for (Held& held : moment_) {
        bool stays = false;
        for (const Group<double>& group : moment.list()) stays = stays || group.id == held.id;
        if (!stays) memory_.free(held.block);
    }
}

// The gradient that the loss hands to the layers: by now there is one of these names.
ReplayRun::Handle ReplayRun::take_gradient() {
    Handle gradient = ReplayedMemory::none;
    for (Held& held : moment_)
        if (held.id == "logits_gradient" || held.id == "hidden_gradient" || held.id == "output_gradient")
            std::swap(gradient, held.block);
    return gradient;
}

void ReplayRun::pass_forward() {
    if (!regression())
        for (const Group<double>& group : passes_->batch.list()) batch_.push_back(memory_.make(group.bytes.n));
    Handle outputs = memory_.make(passes_->previous_outputs);
    graph_ = memory_.make(passes_->previous_graph);
    if (workspaces_ == 0) memory_.make(workspace_), ++workspaces_;  // of the main thread
    Handle x = forward(embedding_, ReplayedMemory::none);
    for (ReplayedBlock& layer : layers_) {
        x = forward(layer, x);
        if (const double cached = passes_->blocks[layer.kind].cached; cached > 0)
            cache_.push_back(memory_.make(cached));
        const bool last = &layer == &layers_.back() && regression();
        if (!request_.holds_layer_outputs && !(request_.holds_output && last)) continue;
        memory_.hold(x);
        held_.push_back(x);
    }
    output_ = forward(head_, x);
    for (const Group<double>& group : passes_->loss.forward.list()) {
        if (group.id != "logits") continue;
        moment_.push_back({group.id, group.bytes.n, output_});
        output_ = ReplayedMemory::none;
    }
    become(passes_->loss.forward);
    memory_.free(outputs);
}

void ReplayRun::pass_loss() {
    if (passes_->loss.matrix_gradient_in_loss) matrix_gradient_comes();
    become(passes_->loss.loss);
    memory_.free(output_);
    memory_.free(graph_);
    memory_.free(casts_);
    if (!request_.logits_kept) memory_.free(cache_);
    let_go_but(passes_->loss.backward);  // the function returns
}

void ReplayRun::gradients_of_others(bool at_head) {
    for (ReplayedBlock& other : others_)
        for (size_t index = 0; weights_.blocks[other.kind].at_head == at_head && index < other.gradients.size();
             ++index)
            gradient_comes(other, index);
}

// The fused loss makes the gradient of the vocabulary matrix.
void ReplayRun::matrix_gradient_comes() {
    if (model_.tied) return gradient_comes(embedding_, 0);
    const std::vector<TrainedTensor> tensors = trained_tensors(model_.head, request_);
    for (size_t index = 0; index < tensors.size(); ++index)
        if (tensors[index].operation == vocabulary_product(model_.head)) gradient_comes(head_, index);
}

void ReplayRun::pass_backward() {
    become(passes_->loss.backward);
    if (workspaces_ == 1) memory_.make(workspace_), ++workspaces_;  // of autograd's thread
    if (!passes_->loss.head.list().empty()) become(passes_->loss.head);
    Handle buckets = memory_.make(request_.gradient_bucket * bytes_of<double>(inputs_.precision.numerics.compute).n);
    Handle gradient = backward(head_, take_gradient());
    if (request_.loss == LossKernel::cut) let_go_but(passes_->loss.held);  // the kernel returns
    gradients_of_others(true);
    for (size_t position = layers_.size(); position > 0 && layers_[position - 1].trained; --position)
        gradient = backward(layers_[position - 1], gradient);
    if (embedding_.trained) gradient = backward(embedding_, gradient);
    memory_.free(gradient);
    gradients_of_others(false);
    memory_.free(last_unit_);
    memory_.free(buckets);
    become(passes_->loss.held);
    memory_.free(cache_);
    memory_.free(batch_);
}

// ---- the optimizer's step ----------------------------------------------------------------------------------------

void ReplayRun::make_states() {
    each_instance([this](ReplayedBlock& block) {
        if (block.trained)
            for (const ReplayedParameter& parameter : trained(block))
                for (const double bytes : parameter.states) memory_.make(bytes);
    });
    stepped_ = true;
}

void ReplayRun::step_of_one(const ReplayedParameter& parameter, std::vector<Handle>& left) {
    std::vector<Handle> own, stays;
    for (const double bytes : parameter.left) stays.push_back(memory_.make(bytes));
    if (request_.gradients_released)
        for (const double bytes : parameter.listed) own.push_back(memory_.make(bytes));
    for (const double bytes : parameter.own) own.push_back(memory_.make(bytes));
    memory_.free(own);
    memory_.free(left);
    left = std::move(stays);
}

// DeepSpeed's: all of a sub-group at once. (estimate/training/gradients.h)
ReplayRun::Handle ReplayRun::gradients_in_one_piece() {
    const TrainingLayout& layout = inputs_.layout;
    const bool copies = inputs_.gradients_divided() && inputs_.precision.master_weights && !request_.lora &&
                        layout.sharding == Sharding::deepspeed && layout.optimizer == Residence::device;
    if (!copies) return ReplayedMemory::none;
    double bytes = 0;
    each_instance([&](ReplayedBlock& block) {
        for (const ReplayedParameter& parameter : trained(block)) bytes += parameter.gradient;
    });
    const double element = bytes_of<double>(inputs_.gradient_made()).n;
    if (layout.divides_weights()) bytes = std::min(bytes, layout.sub_group * element);
    Handle joined = memory_.make(bytes);
    const Handle wide = memory_.make(bytes / element * bytes_of<double>(Dtype::float32).n);
    memory_.free(joined);
    return wide;
}

void ReplayRun::optimizer_step() {
    Handle joined = gradients_in_one_piece();
    if (!stepped_) make_states();
    if (request_.gradients_released) return;
    std::vector<Handle> lists, left;
    each_instance([&](ReplayedBlock& block) {
        if (block.trained)
            for (const ReplayedParameter& parameter : trained(block))
                for (const double bytes : parameter.listed) lists.push_back(memory_.make(bytes));
    });
    each_instance([&](ReplayedBlock& block) {
        if (block.trained)
            for (const ReplayedParameter& parameter : trained(block)) step_of_one(parameter, left);
    });
    memory_.free(left);
    memory_.free(lists);
    memory_.free(joined);
}

// ---- the run -----------------------------------------------------------------------------------------------------

PhaseMemory ReplayRun::phase_ends() {
    CachingAllocator& allocator = memory_.allocator();
    const PhaseMemory phase{allocator.allocated(), allocator.peak(), allocator.requested_peak(),
                            allocator.most_reserved()};
    allocator.begin_phase();
    return phase;
}

std::vector<PhaseMemory> ReplayRun::step(const ReplayedPasses& passes) {
    passes_ = &passes;
    std::vector<PhaseMemory> phases;
    for (int micro_batch = 0; micro_batch < (request_.accumulation > 1 ? 2 : 1); ++micro_batch) {
        pass_forward(), phases.push_back(phase_ends());
        pass_loss(), phases.push_back(phase_ends());
        pass_backward(), phases.push_back(phase_ends());
    }
    optimizer_step(), phases.push_back(phase_ends());
    step_ends();
    return phases;
}

void ReplayRun::micro_batch(const ReplayedPasses& passes) {
    passes_ = &passes;
    pass_forward();
    pass_loss();
    pass_backward();
}

void ReplayRun::end_step() {
    optimizer_step();
    step_ends();
}

// Gradients are set to None, and the script begins anew.
void ReplayRun::step_ends() {
    each_instance([this](ReplayedBlock& block) {
        if (!request_.gradients_zeroed)
            for (Handle& gradient : block.gradients) memory_.free(gradient);
    });
    become({});
    memory_.free(held_);
    memory_.allocator().begin_phase();
}

namespace {

constexpr size_t most_layers = 512;

// Reserved after a batch of half the length and one of the requested: it finds the segments of the first too short.
double reserved_after_half(const Model& model, const TrainingInputs& inputs, const ReplayedWeights& weights,
                           const ReplayedPasses& full) {
    ReplayRun run(model, inputs, weights);
    run.load(full);
    run.step(ReplayedPasses(model, inputs, ceiling(0.5 * inputs.request.sequence)));
    run.step(full);
    return run.reserved();
}

// What of the device is left for the allocator.
double left_for_the_allocator(const TrainingInputs& inputs) {
    if (!inputs.device) return std::numeric_limits<double>::infinity();
    const DeviceContext* context = device_context_of(*inputs.runtime, inputs.device, inputs.request.framework);
    return inputs.device->usable<double>().n - (context ? context->figure.bytes : 0);
}

// A step of the full length, after batches each of which was longer than all before it, and the optimizer's steps that
// came between them.
std::vector<PhaseMemory> step_after_shorter(ReplayRun& run, const Model& model, const TrainingInputs& inputs,
                                            const ReplayedPasses& full) {
    const TrainingRequest& request = inputs.request;
    const double sequences = training_pass<double>(inputs).batch;
    const std::vector<double> lengths = record_lengths(*request.lengths, sequences, request.sequence);
    double steps = 0;
    for (size_t record = 1; record < lengths.size(); ++record) {
        run.micro_batch(ReplayedPasses(model, inputs, lengths[record - 1]));
        const double until_next = rounded_down(batches_until(static_cast<int>(record) + 1) / request.accumulation);
        if (until_next > steps) run.end_step();
        steps = until_next;
    }
    return run.step(full);
}

}  // namespace

bool is_replayed(const TrainingInputs& inputs) {
    const TrainingLayout& layout = inputs.layout;
    const std::optional<Adapter>& adapter = inputs.request.lora;
    const TrainingRequest& request = inputs.request;
    const bool pieces = request.recompute_method == RecomputeMethod::uniform && request.recompute_num_layers > 1;
    return inputs.models.empty() && !generates(request.objective) && !(adapter && adapter->virtual_tokens.count > 0) &&
           layout.pipeline == 1 && !inputs.joins_frozen() && !pieces &&
           !(request.use_cache && request.checkpointing != Checkpointing::full) &&
           request.checkpointing != Checkpointing::selective_op;
}

Replay replay_training(const Model& model, const TrainingInputs& inputs) {
    const bool known = !model.declared_parameters && model.missing.empty() && model.hidden_size && !model.kinds.empty();
    if (!known || model.order.size() > most_layers || !is_replayed(inputs)) return {};
    const ReplayedWeights weights(model, inputs);
    const ReplayedPasses passes(model, inputs, inputs.request.sequence);
    Replay replay;
    ReplayRun run(model, inputs, weights);
    const PhaseMemory loaded = run.load(passes);
    for (std::vector<PhaseMemory>* phases : {&replay.first, &replay.later}) {
        phases->push_back(loaded);
        for (const PhaseMemory& phase : run.step(passes)) phases->push_back(phase);
    }
    replay.varied = run.reserved();
    if (inputs.request.lengths) {
        ReplayRun varying(model, inputs, weights, left_for_the_allocator(inputs));
        replay.later = {varying.load(passes)};
        for (const PhaseMemory& phase : step_after_shorter(varying, model, inputs, passes))
            replay.later.push_back(phase);
        replay.varied = varying.reserved();
    } else if (!inputs.one_length) {
        replay.varied = std::max(replay.varied, reserved_after_half(model, inputs, weights, passes));
    }
    return replay;
}

}  // namespace plimsoll
