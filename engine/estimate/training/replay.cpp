#include "estimate/training/replay.h"

#include "estimate/training/replayed_memory.h"
#include "estimate/training/replayed_parameters.h"
#include "policies/torch_allocator.h"

namespace plimsoll {
namespace {

using Handle = ReplayedMemory::Handle;
constexpr size_t most_layers = 512;

// A kind of block: what it does to memory, and what of it is trained.
struct Played {
    BlockEvents events, without_gradients;
    std::vector<double> weights;  // bytes of each
    std::vector<ReplayedParameter> parameters;
};

// One block of the model.
struct Instance {
    const Played* played = nullptr;
    bool trained = true, checkpointed = false;
    std::vector<Handle> slots, gradients;
};

class Run {
public:
    Run(const Model& model, const TrainingInputs& inputs)
        : model_(model),
          inputs_(inputs),
          request_(inputs.request),
          memory_(inputs.request.expandable_segments),
          pass_(training_pass<double>(inputs)),
          hidden_(as<double>(*model.hidden_size)),
          stays_(inputs.gradients_stay()),
          loss_(loss_moments(model, inputs, pass_, trains_all())) {
        const DeviceContext* context = device_context_of(*inputs.runtime, inputs.device, request_.framework);
        if (context) biased_product_ = context->biased_product;
        const Measured* workspace = workspace_of(*inputs.runtime, inputs.device, request_.framework);
        if (workspace) workspace_ = workspace->bytes;
        play_blocks();
    }
    Replay replay();

private:
    bool trains_all() const { return !request_.lora && first_trained(model_, request_) == 0; }
    bool fused_loss() const { return request_.loss == LossKernel::fused && model_.vocab_size; }
    bool regression() const { return !model_.vocab_size; }

    void play_blocks();
    Played played(const Block& block, bool layer, bool given);
    void add_towers();
    void load();
    void load_weights();
    Handle forward(Instance& block, Handle given);
    Handle run_forward(Instance& block, const BlockEvents& events, Handle given);
    Handle backward(Instance& block, Handle gradient);
    void play(Instance& block, const std::vector<MemoryEvent>& events);
    void gradient_comes(Instance& block, size_t index);
    void become(const Groups<double>& moment);
    void matrix_gradient_comes();
    Handle take_gradient();
    void pass_forward();
    void pass_loss();
    void pass_backward();
    void step();
    void step_of_one(const ReplayedParameter& parameter, std::vector<Handle>& left);
    template <class Do>
    void each_instance(Do visit) {
        visit(embedding_);
        for (Instance& layer : layers_) visit(layer);
        visit(head_);
        for (Instance& layer : towers_) visit(layer);
    }
    PhaseMemory phase_ends();

    const Model& model_;
    const TrainingInputs& inputs_;
    const TrainingRequest& request_;
    ReplayedMemory memory_;
    Pass<double> pass_;
    double hidden_;
    bool stays_;
    LossMoments<double> loss_;
    std::vector<Played> kinds_, tower_kinds_;
    Played played_embedding_, played_head_;
    Instance embedding_{}, head_{};
    std::vector<Instance> layers_, towers_;
    struct Held {
        std::string id;
        double bytes;
        Handle block;
    };
    std::vector<Held> moment_;   // of the logits
    std::vector<Handle> batch_;  // a micro-batch's own tensors
    std::vector<Handle> held_;   // what the script refers to until the step has ended
    Groups<double> batch_groups_;
    Handle output_ = ReplayedMemory::none;  // of the head, where no moment holds it
    double workspace_ = 0, biased_product_ = 0;
    int workspaces_ = 0;
    bool tied_ = false, stepped_ = false;
};

// ---- what is replayed --------------------------------------------------------------------------------------------

Played Run::played(const Block& block, bool layer, bool given) {
    Played made;
    std::vector<TrainedTensor> trained;  // of a model that is frozen in part, layers alone are trained
    if (layer || request_.lora || trains_all()) trained = trained_tensors(block, request_);
    made.parameters = replayed_parameters(trained, inputs_);
    for (const Weight<double>& weight : weights_of<double>(block))
        made.weights.push_back(weight.elements() * bytes_of<double>(inputs_.precision.numerics.parameter).n);
    EventOptions options{given, nullptr, &block == &model_.head, biased_product_};
    if (layer && request_.checkpointing == Checkpointing::selective) options.recomputed = within_attention;
    made.events = events_of(block, pass_, hidden_, trained, options);
    Pass<double> keeps_nothing = pass_;
    keeps_nothing.training = false;
    if ((layer && request_.checkpointing == Checkpointing::full) || !trains_all())
        made.without_gradients = events_of(block, keeps_nothing, hidden_, {}, options);
    return made;
}

void Run::play_blocks() {
    played_embedding_ = played(model_.embedding, false, false);
    played_head_ = played(model_.head, false, true);
    Block head = model_.head;
    tied_ = model_.tied && trains_all() && model_.vocab_size && !played_embedding_.parameters.empty();
    if (model_.vocab_size && !head.ops.empty()) {
        std::vector<TrainedTensor> trained;
        if (request_.lora || trains_all()) trained = trained_tensors(head, request_);
        if (tied_) trained.push_back({head.ops.size() - 1, {}});
        if (fused_loss()) {
            head.ops.pop_back();
            while (!trained.empty() && trained.back().operation >= head.ops.size()) trained.pop_back();
        }
        played_head_.events = events_of(head, pass_, hidden_, trained, {true, nullptr, true});
    }
    for (const LayerKind& kind : model_.kinds) kinds_.push_back(played(kind.block, true, true));
    batch_groups_ = batch_tensors(model_, pass_);
    embedding_.played = &played_embedding_, head_.played = &played_head_;
    embedding_.trained = trains_all();
    const size_t first = first_trained(model_, request_);
    for (size_t position = 0; position < model_.order.size(); ++position) {
        Instance layer;
        layer.played = &kinds_[model_.order[position]];
        layer.trained = position >= first;
        const double number = static_cast<double>(position - first + 1);
        layer.checkpointed = layer.trained && request_.checkpointing == Checkpointing::full &&
                             rounded_down(number / request_.checkpoint_every) * request_.checkpoint_every == number;
        layers_.push_back(std::move(layer));
    }
    add_towers();
}

// Towers are loaded and stepped, though a text runs through none of them; and where a share of the model is trained,
// what the trained layers do not make up of it.
void Run::add_towers() {
    const auto add = [this](Played played, double count) {
        tower_kinds_.push_back(std::move(played));
        Instance one;
        one.played = &tower_kinds_.back();
        towers_.insert(towers_.end(), static_cast<size_t>(count), one);
    };
    size_t kinds = 1;
    for (const Tower& tower : model_.towers) kinds += tower.kinds.size();
    tower_kinds_.reserve(kinds);  // towers_ points into it
    const double bytes = bytes_of<double>(inputs_.precision.numerics.parameter).n;
    for (const Tower& tower : model_.towers)
        for (const LayerKind& kind : tower.kinds) {
            if (tower.name == "mtp") continue;
            Played played;
            for (const Weight<double>& weight : weights_of<double>(kind.block))
                played.weights.push_back(weight.elements() * bytes);
            if (trains_all()) played.parameters = replayed_parameters(trained_tensors(kind.block, request_), inputs_);
            add(std::move(played), kind.count.value());
        }
    if (request_.lora || trains_all()) return;
    double rest = trainable_parameters<double>(model_, request_);
    for (const Instance& layer : layers_)
        for (const ReplayedParameter& parameter : layer.played->parameters)
            if (layer.trained) rest -= parameter.elements;
    if (rest <= 0) return;
    Played played;
    played.parameters = replayed_parameters({{0, {"others", Part::feed_forward, rest, 1, 1}}}, inputs_);
    add(std::move(played), 1);
}

// ---- loading -----------------------------------------------------------------------------------------------------

void Run::load_weights() {
    if (!inputs_.weights) {
        each_instance([this](Instance& block) {
            for (const double bytes : block.played->weights) memory_.make(bytes);
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

void Run::load() {
    load_weights();
    const double adapter = request_.lora ? bytes_of<double>(request_.lora->dtype).n : 0;
    const double master = !request_.lora && inputs_.precision.master_weights ? 4 : 0;
    double gradients = 0;
    each_instance([&](Instance& block) {
        for (const ReplayedParameter& parameter : block.played->parameters) {
            memory_.make(parameter.elements * (adapter + master));
            gradients += parameter.gradient;
        }
        block.gradients.assign(block.played->parameters.size(), ReplayedMemory::none);
    });
    if (stays_) memory_.make(gradients);
}

// ---- one block ---------------------------------------------------------------------------------------------------

void Run::play(Instance& block, const std::vector<MemoryEvent>& events) {
    for (const MemoryEvent& event : events) switch (event.kind) {
            case MemoryEvent::Kind::makes: block.slots[event.slot] = memory_.make(event.bytes); break;
            case MemoryEvent::Kind::frees: memory_.free(block.slots[event.slot]); break;
            case MemoryEvent::Kind::gradient: gradient_comes(block, event.slot); break;
        }
}

// The block's output; it lets go of what it is given unless it keeps that.
Handle Run::run_forward(Instance& block, const BlockEvents& events, Handle given) {
    block.slots.assign(events.slots, ReplayedMemory::none);
    block.slots[BlockEvents::input] = given;
    play(block, events.forward);
    const Handle output = block.slots[events.output];
    if (events.keeps_output || events.output == BlockEvents::input) memory_.hold(output);
    return output;
}

Handle Run::forward(Instance& block, Handle given) {
    const bool keeps = block.trained && !block.checkpointed;
    const BlockEvents& events = keeps ? block.played->events : block.played->without_gradients;
    const Handle output = run_forward(block, events, given);
    if (!(keeps && events.keeps_input) && !(block.checkpointed && !request_.checkpoints_on_host))
        memory_.free(block.slots[BlockEvents::input]);
    return output;
}

// The gradient of what the block was given.
Handle Run::backward(Instance& block, Handle gradient) {
    const BlockEvents& events = block.played->events;
    if (block.checkpointed) {
        if (request_.checkpoints_on_host)
            block.slots[BlockEvents::input] =
                memory_.make(pass_.tokens * hidden_ * bytes_of<double>(residual_type(pass_)).n);
        Handle output = run_forward(block, events, block.slots[BlockEvents::input]);
        if (events.keeps_input) memory_.hold(block.slots[BlockEvents::input]);  // checkpoint and saved tensor are one
        memory_.free(output);
    }
    Handle checkpoint = block.checkpointed ? block.slots[BlockEvents::input] : ReplayedMemory::none;
    block.slots[events.output_gradient] = gradient;
    play(block, events.backward);
    memory_.free(checkpoint);
    const Handle given = block.slots[events.input_gradient];
    block.slots.clear();
    return given;
}

void Run::gradient_comes(Instance& block, size_t index) {
    if (!block.trained) return;
    if (index >= block.played->parameters.size()) return gradient_comes(embedding_, 0);  // of a tied head
    const ReplayedParameter& parameter = block.played->parameters[index];
    Handle& gradient = block.gradients[index];
    if (request_.gradients_released) {
        Handle passing = memory_.make(parameter.gradient);
        std::vector<Handle> left;
        step_of_one(parameter, left);
        memory_.free(left);
        memory_.free(passing);
    } else if (stays_ || gradient != ReplayedMemory::none) {
        memory_.passing(parameter.arriving);  // added to what is there
    } else if (parameter.arriving == parameter.gradient) {
        gradient = memory_.make(parameter.gradient);
    } else {
        Handle arriving = memory_.make(parameter.arriving);
        gradient = memory_.make(parameter.gradient);
        memory_.free(arriving);
    }
}

// ---- one micro-batch ---------------------------------------------------------------------------------------------

// What two moments have in common stays, and what else there was goes before anything new is made; but a tensor of the
// same name and another size is what the new one is cast from.
void Run::become(const Groups<double>& moment) {
    std::vector<Held> now;
    for (const Group<double>& group : moment.list()) {
        now.push_back({group.id, group.bytes.n, ReplayedMemory::none});
        for (Held& held : moment_)
            if (held.id == group.id && held.bytes == group.bytes.n) std::swap(now.back().block, held.block);
    }
    for (Held& held : moment_) {
        bool cast = false;
        for (const Held& each : now) cast = cast || each.id == held.id;
        if (!cast) memory_.free(held.block);
    }
    for (Held& each : now)
        if (each.block == ReplayedMemory::none) each.block = memory_.make(each.bytes);
    for (Held& held : moment_) memory_.free(held.block);
    moment_ = std::move(now);
}

// The gradient that the loss hands to the layers: there is one of this name by now.
Handle Run::take_gradient() {
    Handle gradient = ReplayedMemory::none;
    for (Held& held : moment_)
        if (held.id == "logits_gradient" || held.id == "hidden_gradient" || held.id == "output_gradient")
            std::swap(gradient, held.block);
    return gradient;
}

void Run::pass_forward() {
    for (const Group<double>& group : batch_groups_.list()) batch_.push_back(memory_.make(group.bytes.n));
    if (workspaces_ == 0) memory_.make(workspace_), ++workspaces_;  // of the main thread
    Handle x = forward(embedding_, ReplayedMemory::none);
    for (Instance& layer : layers_) {
        x = forward(layer, x);
        if (request_.holds_layer_outputs || (request_.holds_output && regression() && &layer == &layers_.back()))
            memory_.hold(x), held_.push_back(x);
    }
    output_ = forward(head_, x);
    if (fused_loss()) return;
    for (const Group<double>& group : loss_.forward.list())
        if (group.id == "logits") moment_.push_back({group.id, group.bytes.n, output_}), output_ = ReplayedMemory::none;
    become(loss_.forward);
}

void Run::pass_loss() {
    if (loss_.matrix_gradient_in_loss) matrix_gradient_comes();
    become(loss_.loss);
    memory_.free(output_);
    for (Held& held : moment_) {  // the function returns
        bool stays = false;
        for (const Group<double>& group : loss_.backward.list()) stays = stays || group.id == held.id;
        if (!stays) memory_.free(held.block);
    }
}

void Run::pass_backward() {
    become(loss_.backward);
    if (workspaces_ == 1) memory_.make(workspace_), ++workspaces_;  // of autograd's thread
    if (!fused_loss()) become(loss_.head);
    Handle gradient = backward(head_, take_gradient());
    for (size_t position = layers_.size(); position > 0 && layers_[position - 1].trained; --position)
        gradient = backward(layers_[position - 1], gradient);
    if (embedding_.trained) gradient = backward(embedding_, gradient);
    memory_.free(gradient);
    for (Instance& tower : towers_)
        for (size_t index = 0; index < tower.gradients.size(); ++index) gradient_comes(tower, index);
    become(loss_.held);
    if (!regression()) memory_.free(batch_);  // token ids are given up, vectors the script still refers to
}

// The fused loss makes the gradient of the vocabulary matrix.
void Run::matrix_gradient_comes() {
    if (tied_) return gradient_comes(embedding_, 0);
    const size_t last = model_.head.ops.size() - 1;
    const std::vector<TrainedTensor> trained = trained_tensors(model_.head, request_);
    for (size_t index = 0; index < trained.size(); ++index)
        if (trained[index].operation == last) gradient_comes(head_, index);
}

// ---- the optimizer's step ----------------------------------------------------------------------------------------

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

void Run::step() {
    if (!stepped_) each_instance([this](Instance& block) {
            if (block.trained)
                for (const ReplayedParameter& parameter : block.played->parameters)
                    for (const double bytes : parameter.states) memory_.make(bytes);
        });
    stepped_ = true;
    if (request_.gradients_released) return;
    std::vector<Handle> lists, left;
    each_instance([&](Instance& block) {
        if (block.trained)
            for (const ReplayedParameter& parameter : block.played->parameters)
                for (const double bytes : parameter.listed) lists.push_back(memory_.make(bytes));
    });
    each_instance([&](Instance& block) {
        if (block.trained)
            for (const ReplayedParameter& parameter : block.played->parameters) step_of_one(parameter, left);
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

Replay Run::replay() {
    Replay replay;
    load();
    const PhaseMemory loaded = phase_ends();
    for (std::vector<PhaseMemory>* phases : {&replay.first, &replay.later}) {
        phases->push_back(loaded);
        for (int micro_batch = 0; micro_batch < (request_.accumulation > 1 ? 2 : 1); ++micro_batch) {
            pass_forward(), phases->push_back(phase_ends());
            pass_loss(), phases->push_back(phase_ends());
            pass_backward(), phases->push_back(phase_ends());
        }
        step(), phases->push_back(phase_ends());
        each_instance([this](Instance& block) {
            for (Handle& gradient : block.gradients) memory_.free(gradient);  // set to None
        });
        become({});
        memory_.free(held_);
        memory_.free(batch_);
        memory_.allocator().begin_phase();
    }
    return replay;
}

}  // namespace

Replay replay_training(const Model& model, const TrainingInputs& inputs) {
    const bool known = !model.declared_parameters && model.missing.empty() && model.hidden_size && !model.kinds.empty();
    if (!known || model.order.size() > most_layers) return {};
    return Run(model, inputs).replay();
}

}  // namespace plimsoll
