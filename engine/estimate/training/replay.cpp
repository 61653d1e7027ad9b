#include "estimate/training/replay.h"

#include "estimate/training/replayed_memory.h"
#include "estimate/training/replayed_model.h"
#include "policies/torch_allocator.h"

namespace plimsoll {
namespace {

using Handle = ReplayedMemory::Handle;
constexpr size_t most_layers = 512;

// One block of the model: its number among the kinds of blocks, and its tensors.
struct Instance {
    size_t kind = 0;
    bool trained = true, checkpointed = false;
    std::vector<Handle> slots, gradients;
};

class Run {
public:
    Run(const Model& model, const TrainingInputs& inputs, const ReplayedWeights& weights);

    PhaseMemory load(const ReplayedPasses& passes);
    /// One step of as many micro-batches as differ; the phases of each, and of the optimizer's step.
    std::vector<PhaseMemory> step(const ReplayedPasses& passes);
    double reserved() { return memory_.allocator().reserved(); }

private:
    bool regression() const { return !model_.vocab_size; }
    const std::vector<ReplayedParameter>& trained(const Instance& block) const {
        return weights_.blocks[block.kind].trained;
    }
    template <class Do>
    void each_instance(Do visit) {
        visit(embedding_);
        for (Instance& layer : layers_) visit(layer);
        visit(head_);
        for (Instance& other : others_) visit(other);
    }

    void load_weights();
    void play(Instance& block, const std::vector<MemoryEvent>& events);
    Handle play_forward(Instance& block, const BlockEvents& events, Handle given);
    Handle forward(Instance& block, Handle given);
    Handle backward(Instance& block, Handle gradient);
    void gradient_comes(Instance& block, size_t index);
    void matrix_gradient_comes();
    void gradients_of_others(bool at_head);
    void become(const Groups<double>& moment);
    void let_go_but(const Groups<double>& moment);
    Handle take_gradient();
    void pass_forward();
    void pass_loss();
    void pass_backward();
    void make_states();
    void optimizer_step();
    void step_of_one(const ReplayedParameter& parameter, std::vector<Handle>& left);
    void step_ends();
    PhaseMemory phase_ends();

    const Model& model_;
    const TrainingInputs& inputs_;
    const TrainingRequest& request_;
    const ReplayedWeights& weights_;
    const ReplayedPasses* passes_ = nullptr;
    ReplayedMemory memory_;
    Instance embedding_, head_;
    std::vector<Instance> layers_, others_;  // others: loaded and stepped, though no pass runs through them
    struct Held {
        std::string id;
        double bytes;
        Handle block;
    };
    std::vector<Held> moment_;              // of the logits
    std::vector<Handle> casts_;             // in autocast's cache, until its context ends behind the loss
    std::vector<Handle> batch_, held_;      // a micro-batch's own; what the script refers to until the step has ended
    Handle output_ = ReplayedMemory::none;  // of the head, where no moment holds it
    Handle graph_ = ReplayedMemory::none;   // of the micro-batch before
    double workspace_ = 0;
    int workspaces_ = 0;
    bool stepped_ = false;
};

Run::Run(const Model& model, const TrainingInputs& inputs, const ReplayedWeights& weights)
    : model_(model),
      inputs_(inputs),
      request_(inputs.request),
      weights_(weights),
      memory_(inputs.request.expandable_segments) {
    const Measured* workspace = workspace_of(*inputs.runtime, inputs.device, request_.framework);
    if (workspace) workspace_ = workspace->bytes;
    embedding_.trained = trains_all(model, request_);
    head_.kind = 1 + model.kinds.size();
    const size_t first = first_trained(model, request_);
    for (size_t position = 0; position < model.order.size(); ++position) {
        Instance layer;
        layer.kind = 1U + model.order[position];
        layer.trained = position >= first;
        const double number = static_cast<double>(position - first + 1);
        layer.checkpointed = layer.trained && request_.checkpointing == Checkpointing::full &&
                             rounded_down(number / request_.checkpoint_every) * request_.checkpoint_every == number;
        layers_.push_back(std::move(layer));
    }
    for (size_t kind = head_.kind + 1; kind < weights.blocks.size(); ++kind) {
        Instance other;
        other.kind = kind;
        others_.insert(others_.end(), static_cast<size_t>(weights.blocks[kind].count), other);
    }
}

// ---- loading -----------------------------------------------------------------------------------------------------

void Run::load_weights() {
    if (!inputs_.weights) {
        each_instance([this](Instance& block) {
            for (const double bytes : weights_.blocks[block.kind].weights) memory_.make(bytes);
        });
        return;
    }
    // of a packed base only sizes and numbers are known: as many of each with every layer
    const std::vector<EqualTensors> tensors = equal_tensors(model_, *inputs_.weights, inputs_.mix);
    const double layers = static_cast<double>(layers_.size());
    for (double layer = 0; layer < layers; ++layer)
        for (const EqualTensors& each : tensors) {
            const double count =
                rounded_down(each.count * (layer + 1) / layers) - rounded_down(each.count * layer / layers);
            constexpr double most = 64;  // of one size in one layer; more, of experts, lie in one piece
            const double together = count > most ? count : 1;
            for (double made = 0; made < count; made += together) memory_.make(each.bytes * together);
        }
}

PhaseMemory Run::load(const ReplayedPasses& passes) {
    load_weights();
    if (regression())  // vectors are made before the first step, and stay
        for (const Group<double>& group : passes.batch.list()) memory_.make(group.bytes.n);
    const bool reference = request_.objective == Objective::dpo && !request_.reference_precomputed;
    if (reference && !request_.lora) load_weights();  // of its own, as the policy was
    double gradients = 0;
    each_instance([&](Instance& block) {
        for (const ReplayedParameter& parameter : trained(block)) {
            if (!block.trained) continue;
            memory_.make(parameter.stored);
            gradients += parameter.gradient;
        }
        block.gradients.assign(trained(block).size(), ReplayedMemory::none);
    });
    if (inputs_.gradients_stay()) memory_.make(gradients);
    return phase_ends();
}

// ---- one block ---------------------------------------------------------------------------------------------------

void Run::play(Instance& block, const std::vector<MemoryEvent>& events) {
    for (const MemoryEvent& event : events) switch (event.kind) {
            case MemoryEvent::Kind::makes: block.slots[event.slot] = memory_.make(event.bytes); break;
            case MemoryEvent::Kind::frees: memory_.free(block.slots[event.slot]); break;
            case MemoryEvent::Kind::gradient: gradient_comes(block, event.slot); break;
        }
}

// The block's output. It lets go of what it is given where it keeps that no longer.
Handle Run::play_forward(Instance& block, const BlockEvents& events, Handle given) {
    block.slots.assign(events.slots, ReplayedMemory::none);
    block.slots[BlockEvents::input] = given;
    play(block, events.forward);
    const Handle output = block.slots[events.output];
    if (events.keeps_output || events.output == BlockEvents::input) memory_.hold(output);
    return output;
}

Handle Run::forward(Instance& block, Handle given) {
    const bool keeps = block.trained && !block.checkpointed;
    const ReplayedPasses::Block& passes = passes_->blocks[block.kind];
    const BlockEvents& events = keeps ? passes.events : passes.without_gradients;
    const Handle output = play_forward(block, events, given);
    // of trained weights, autocast's cache holds them though nothing of the pass is kept
    if (block.checkpointed && !request_.lora) casts_.push_back(memory_.make(passes.events.casts));
    const bool checkpoint = block.checkpointed && !request_.checkpoints_on_host;
    if (!checkpoint && !(keeps && events.keeps_input)) memory_.free(block.slots[BlockEvents::input]);
    return output;
}

// The gradient of what the block was given.
Handle Run::backward(Instance& block, Handle gradient) {
    const BlockEvents& events = passes_->blocks[block.kind].events;
    Handle checkpoint = ReplayedMemory::none;
    if (block.checkpointed) {
        checkpoint = request_.checkpoints_on_host ? memory_.make(passes_->checkpoint) : block.slots[BlockEvents::input];
        Handle output = play_forward(block, events, checkpoint);
        if (events.keeps_input) memory_.hold(checkpoint);  // checkpoint and saved tensor are one
        memory_.free(output);
    }
    block.slots[events.output_gradient] = gradient;
    play(block, events.backward);
    memory_.free(checkpoint);
    const Handle given = block.slots[events.input_gradient];
    block.slots.clear();
    return given;
}

void Run::gradient_comes(Instance& block, size_t index) {
    if (!block.trained) return;
    if (index >= trained(block).size()) {  // a tied head's
        if (&block == &head_) gradient_comes(embedding_, 0);
        return;
    }
    const ReplayedParameter& parameter = trained(block)[index];
    Handle& gradient = block.gradients[index];
    if (inputs_.gradients_stay() || gradient != ReplayedMemory::none)
        return memory_.passing(parameter.arriving);  // added to what is there
    Handle arriving = memory_.make(parameter.arriving);
    if (request_.gradients_released) {
        std::vector<Handle> left;
        step_of_one(parameter, left);
        memory_.free(left);
    } else if (parameter.arriving == parameter.gradient) {
        std::swap(gradient, arriving);
    } else {
        gradient = memory_.make(parameter.gradient);
    }
    memory_.free(arriving);
}

// ---- one micro-batch ---------------------------------------------------------------------------------------------

// What two moments have in common stays, and what else there was goes before anything new is made; but a tensor of the
// same name and another size is what the new one is cast from.
void Run::become(const Groups<double>& moment) {
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

void Run::let_go_but(const Groups<double>& moment) {
    for (Held& held : moment_) {
        bool stays = false;
        for (const Group<double>& group : moment.list()) stays = stays || group.id == held.id;
        if (!stays) memory_.free(held.block);
    }
}

// The gradient that the loss hands to the layers: by now there is one of these names.
Handle Run::take_gradient() {
    Handle gradient = ReplayedMemory::none;
    for (Held& held : moment_)
        if (held.id == "logits_gradient" || held.id == "hidden_gradient" || held.id == "output_gradient")
            std::swap(gradient, held.block);
    return gradient;
}

void Run::pass_forward() {
    if (!regression())
        for (const Group<double>& group : passes_->batch.list()) batch_.push_back(memory_.make(group.bytes.n));
    Handle outputs = memory_.make(passes_->previous_outputs);
    graph_ = memory_.make(passes_->previous_graph);
    if (workspaces_ == 0) memory_.make(workspace_), ++workspaces_;  // of the main thread
    Handle x = forward(embedding_, ReplayedMemory::none);
    for (Instance& layer : layers_) {
        x = forward(layer, x);
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

void Run::pass_loss() {
    if (passes_->loss.matrix_gradient_in_loss) matrix_gradient_comes();
    become(passes_->loss.loss);
    memory_.free(output_);
    memory_.free(graph_);
    memory_.free(casts_);
    let_go_but(passes_->loss.backward);  // the function returns
}

void Run::gradients_of_others(bool at_head) {
    for (Instance& other : others_)
        for (size_t index = 0; weights_.blocks[other.kind].at_head == at_head && index < other.gradients.size();
             ++index)
            gradient_comes(other, index);
}

// The fused loss makes the gradient of the vocabulary matrix.
void Run::matrix_gradient_comes() {
    if (model_.tied) return gradient_comes(embedding_, 0);
    const std::vector<TrainedTensor> tensors = trained_tensors(model_.head, request_);
    for (size_t index = 0; index < tensors.size(); ++index)
        if (tensors[index].operation == vocabulary_product(model_.head)) gradient_comes(head_, index);
}

void Run::pass_backward() {
    become(passes_->loss.backward);
    if (workspaces_ == 1) memory_.make(workspace_), ++workspaces_;  // of autograd's thread
    if (!passes_->loss.head.list().empty()) become(passes_->loss.head);
    Handle buckets = memory_.make(request_.gradient_bucket * bytes_of<double>(inputs_.precision.numerics.compute).n);
    Handle gradient = backward(head_, take_gradient());
    gradients_of_others(true);
    for (size_t position = layers_.size(); position > 0 && layers_[position - 1].trained; --position)
        gradient = backward(layers_[position - 1], gradient);
    if (embedding_.trained) gradient = backward(embedding_, gradient);
    memory_.free(gradient);
    gradients_of_others(false);
    memory_.free(buckets);
    become(passes_->loss.held);
    memory_.free(batch_);
}

// ---- the optimizer's step ----------------------------------------------------------------------------------------

void Run::make_states() {
    each_instance([this](Instance& block) {
        if (block.trained)
            for (const ReplayedParameter& parameter : trained(block))
                for (const double bytes : parameter.states) memory_.make(bytes);
    });
    stepped_ = true;
}

void Run::step_of_one(const ReplayedParameter& parameter, std::vector<Handle>& left) {
    std::vector<Handle> own, stays;
    for (const double bytes : parameter.left) stays.push_back(memory_.make(bytes));
    if (request_.gradients_released)
        for (const double bytes : parameter.listed) own.push_back(memory_.make(bytes));
    for (const double bytes : parameter.own) own.push_back(memory_.make(bytes));
    memory_.free(own);
    memory_.free(left);
    left = std::move(stays);
}

void Run::optimizer_step() {
    if (!stepped_) make_states();
    if (request_.gradients_released) return;
    std::vector<Handle> lists, left;
    each_instance([&](Instance& block) {
        if (block.trained)
            for (const ReplayedParameter& parameter : trained(block))
                for (const double bytes : parameter.listed) lists.push_back(memory_.make(bytes));
    });
    each_instance([&](Instance& block) {
        if (block.trained)
            for (const ReplayedParameter& parameter : trained(block)) step_of_one(parameter, left);
    });
    memory_.free(left);
    memory_.free(lists);
}

// ---- the run -----------------------------------------------------------------------------------------------------

PhaseMemory Run::phase_ends() {
    CachingAllocator& allocator = memory_.allocator();
    const PhaseMemory phase{allocator.allocated(), allocator.peak(), allocator.requested_peak(), allocator.reserved()};
    allocator.begin_phase();
    return phase;
}

std::vector<PhaseMemory> Run::step(const ReplayedPasses& passes) {
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

// Gradients are set to None, and the script begins anew.
void Run::step_ends() {
    each_instance([this](Instance& block) {
        if (!request_.gradients_zeroed)
            for (Handle& gradient : block.gradients) memory_.free(gradient);
    });
    become({});
    memory_.free(held_);
    memory_.allocator().begin_phase();
}

// Reserved after a batch of half the length and one of the requested: it finds the segments of the first too short.
double reserved_where_lengths_vary(const Model& model, const TrainingInputs& inputs, const ReplayedWeights& weights,
                                   const ReplayedPasses& full) {
    Run run(model, inputs, weights);
    run.load(full);
    run.step(ReplayedPasses(model, inputs, 0.5));
    run.step(full);
    return run.reserved();
}

}  // namespace

Replay replay_training(const Model& model, const TrainingInputs& inputs) {
    const bool known = !model.declared_parameters && model.missing.empty() && model.hidden_size && !model.kinds.empty();
    if (!known || model.order.size() > most_layers) return {};
    const std::optional<Adapter>& adapter = inputs.request.lora;
    if (inputs.request.holds_reference() || (adapter && adapter->virtual_tokens.count > 0)) return {};
    const ReplayedWeights weights(model, inputs);
    const ReplayedPasses passes(model, inputs, 1);
    Replay replay;
    Run run(model, inputs, weights);
    const PhaseMemory loaded = run.load(passes);
    for (std::vector<PhaseMemory>* phases : {&replay.first, &replay.later}) {
        phases->push_back(loaded);
        for (const PhaseMemory& phase : run.step(passes)) phases->push_back(phase);
    }
    replay.varied = run.reserved();
    if (!inputs.one_length)
        replay.varied = std::max(replay.varied, reserved_where_lengths_vary(model, inputs, weights, passes));
    return replay;
}

}  // namespace plimsoll
