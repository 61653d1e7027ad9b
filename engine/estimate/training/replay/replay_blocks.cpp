// Loading a replayed run, and what one block makes and gives back.
#include "estimate/training/replay/replay_run.h"
#include "policies/allocator/torch_allocator.h"

namespace plimsoll {

ReplayRun::ReplayRun(const Model& model, const TrainingInputs& inputs, const ReplayedWeights& weights, double most)
    : model_(model),
      inputs_(inputs),
      request_(inputs.request),
      weights_(weights),
      memory_(inputs.request.process.expandable_segments, most),
      plan_(layer_plan(model, inputs.request, inputs.place.parts)),
      towers_(tower_layers(model)) {
    const Measured* workspace = workspace_of(*inputs.runtime, inputs.device, request_.process.framework);
    if (workspace) workspace_ = workspace->bytes;
    under_way_.resize(inputs.place.pieces());
    embedding_.trained = trains_embedding(model, request_);
    head_.kind = 1 + model.kinds.size();
    for (const PlannedLayer& planned : plan_) {
        const size_t position = layers_.size();
        ReplayedBlock layer;
        layer.kind = 1U + planned.kind;
        layer.trained = planned.trained;
        layer.recomputed = planned.recomputed;
        layer.keeps_checkpoint = layer.recomputes() && planned.begins_chunk(position);
        layers_.push_back(std::move(layer));
    }
    for (size_t kind = head_.kind + 1; kind < weights.blocks.size(); ++kind) {
        ReplayedBlock other;
        other.kind = kind;
        others_.insert(others_.end(), static_cast<size_t>(weights.blocks[kind].count), other);
    }
}

// ---- loading -----------------------------------------------------------------------------------------------------

// Of a packed base only sizes and numbers are known: as many of each with every layer.
std::vector<std::vector<double>> ReplayRun::packed_layers() const {
    const std::vector<EqualTensors> tensors = equal_tensors(model_, *inputs_.weights, inputs_.mix);
    const double layers = static_cast<double>(layers_.size());
    std::vector<std::vector<double>> lists(layers_.size());
    for (double layer = 0; layer < layers; ++layer)
        for (const EqualTensors& each : tensors) {
            const double count =
                rounded_down(each.count * (layer + 1) / layers) - rounded_down(each.count * layer / layers);
            constexpr double most = 64;  // of one size in one layer; more, of experts, lie in one piece
            const double together = count > most ? count : 1;
            for (double made = 0; made < count; made += together)
                lists[static_cast<size_t>(layer)].push_back(each.bytes * together);
        }
    return lists;
}

// By layer; what is outside of layers is a unit of its own, or two.
std::vector<std::vector<double>> ReplayRun::units() const {
    if (inputs_.weights) return packed_layers();
    std::vector<std::vector<double>> lists;
    lists.reserve(layers_.size() + 2);
    for (const ReplayedBlock& layer : layers_) lists.push_back(weights_.blocks[layer.kind].whole);
    std::vector<double> ends;
    const auto add_end = [&](const ReplayedBlock& block) {
        const std::vector<double>& list = weights_.blocks[block.kind].whole;
        ends.insert(ends.end(), list.begin(), list.end());
    };
    add_end(embedding_);
    if (inputs_.layout.ends_apart) lists.push_back(std::exchange(ends, {}));
    add_end(head_);
    for (const ReplayedBlock& other : others_) add_end(other);
    lists.push_back(std::move(ends));
    return lists;
}

// Weights that come to the device whole, a unit after the other or all at once, and are divided there. Those of a unit
// are joined into one flat parameter, of which the device keeps a copy of its share (PyTorch, fsdp/_flat_param.py:
// flatten_tensors, _get_shard); or each by itself (fsdp/_fully_shard/_fsdp_param.py: _init_sharded_param).
void ReplayRun::load_units() {
    const bool joined = inputs_.layout.sharding == Sharding::fsdp, all = inputs_.layout.loads_whole;
    const double share = weights_here(inputs_);
    const std::vector<std::vector<double>> sizes = units();
    std::vector<std::vector<Handle>> whole(sizes.size());
    const auto come = [&](size_t unit) {
        for (const double bytes : sizes[unit]) whole[unit].push_back(memory_.make(bytes));
    };
    for (size_t unit = 0; all && unit < sizes.size(); ++unit) come(unit);
    for (size_t unit = 0; unit < sizes.size(); ++unit) {
        if (!all) come(unit);
        double sum = 0;
        for (size_t tensor = 0; tensor < sizes[unit].size(); ++tensor) {
            sum += sizes[unit][tensor];
            if (joined) continue;
            memory_.make(ceiling(share * sizes[unit][tensor]));
            memory_.free(whole[unit][tensor]);
        }
        Handle flat = joined ? memory_.make(sum) : ReplayedMemory::none;
        if (joined) memory_.make(ceiling(share * sum));
        memory_.free(whole[unit]);
        memory_.free(flat);
    }
    if (!all) memory_.allocator().begin_phase();  // what came and went leaves its segments
}

void ReplayRun::load_weights() {
    const TrainingLayout& layout = inputs_.layout;
    if (layout.divides_weights() && (layout.sharding == Sharding::fsdp || layout.loads_whole)) return load_units();
    if (!inputs_.weights) {
        each_instance([this](ReplayedBlock& block) {
            for (const double bytes : weights_.blocks[block.kind].weights) memory_.make(bytes);
        });
        return;
    }
    const double share = weights_here(inputs_);
    const std::vector<std::vector<double>> packed = packed_layers();
    for (size_t layer = 0; layer < packed.size(); ++layer) {
        // each matrix comes in 16 bits and is packed on the device (transformers, quantizers/quantizer_bnb_4bit.py)
        if (share > 0)
            for (const double bytes : weights_.blocks[layers_[layer].kind].before_packing) memory_.passing(bytes);
        for (const double bytes : packed[layer]) memory_.make(ceiling(share * bytes));
    }
    memory_.allocator().begin_phase();  // what came and went leaves its segments
}

PhaseMemory ReplayRun::load(const ReplayedPasses& passes) {
    load_weights();
    if (regression())  // vectors are made before the first step, and stay
        for (const Group<double>& group : passes.batch.list()) memory_.make(group.bytes.n);
    double gradients = 0;
    each_instance([&](ReplayedBlock& block) {
        for (const ReplayedParameter& parameter : trained(block)) {
            if (!block.trained) continue;
            memory_.make(parameter.stored);
            for (int each = 0; each < 2 && parameter.indices > 0; ++each) memory_.make(parameter.indices);
            gradients += parameter.gradient;
        }
        block.gradients.assign(trained(block).size(), ReplayedMemory::none);
    });
    if (inputs_.gradients_stay()) memory_.make(gradients);
    if (inputs_.optimizer->constructed_with_states) make_states();
    return phase_ends();
}

// ---- one block ---------------------------------------------------------------------------------------------------

void ReplayRun::play(ReplayedBlock& block, ReplayedBlock::Slots& slots, const std::vector<MemoryEvent>& events) {
    for (const MemoryEvent& event : events) switch (event.kind) {
            case MemoryEvent::Kind::makes:
                if (slots[event.slot] == ReplayedMemory::none) slots[event.slot] = memory_.make(event.bytes);
                break;  // else it was kept
            case MemoryEvent::Kind::frees: memory_.free(slots[event.slot]); break;
            case MemoryEvent::Kind::gradient: gradient_comes(block, event.slot); break;
        }
}

// The block's output. It lets go of what it is given where it keeps that no longer.
ReplayRun::Handle ReplayRun::play_forward(ReplayedBlock& block, ReplayedBlock::Slots& slots, const BlockEvents& events,
                                          Handle given) {
    slots.resize(events.slots, ReplayedMemory::none);
    slots[BlockEvents::input] = given;
    play(block, slots, events.forward);
    const Handle output = slots[events.output];
    if (events.keeps_output || events.output == BlockEvents::input) memory_.hold(output);
    return output;
}

ReplayRun::Handle ReplayRun::forward(ReplayedBlock& block, Handle given) {
    const bool keeps = block.trained && !block.recomputes();
    const ReplayedPasses::Block& passes = passes_->blocks[block.kind];
    const BlockEvents& events = keeps ? passes.events : passes.without_gradients;
    ReplayedBlock::Slots slots;
    if (is_layer(block) && gathers_layers()) gather(block);
    const Handle output = play_forward(block, slots, events, given);
    if (is_layer(block) && gathers_layers()) memory_.free(block.gathered);
    // of trained weights, autocast's cache holds them though nothing of the pass is kept
    if (block.recomputes() && !request_.method.adapter) casts_.push_back(memory_.make(passes.events.casts));
    const bool checkpoint = block.keeps_checkpoint && !request_.recompute.on_host;
    if (!checkpoint && !(keeps && events.keeps_input)) memory_.free(slots[BlockEvents::input]);
    if (block.trained) block.under_way.push_back(std::move(slots));
    return output;
}

// The second forward pass of a layer: from its checkpoint, or from what the layer of its chunk below it has given.
void ReplayRun::recompute(ReplayedBlock& block, const PlannedLayer& planned, size_t position) {
    const BlockEvents& events = passes_->blocks[block.kind].events;
    const BlockEvents& before = passes_->blocks[block.kind].without_gradients;
    ReplayedBlock::Slots& slots = block.under_way.front();
    if (gathers_layers()) gather(block);
    const ReplayedBlock::Slots kept = std::exchange(slots, ReplayedBlock::Slots(events.slots, ReplayedMemory::none));
    Handle given = std::exchange(stream_, ReplayedMemory::none);
    if (block.keeps_checkpoint)
        given = request_.recompute.on_host ? memory_.make(passes_->stream) : kept[BlockEvents::input];
    if (request_.recompute.checkpointing == Checkpointing::selective_op)
        for (size_t each = 0; each < events.products.size(); ++each)
            slots[events.products[each]] = kept[before.products[each]];
    stream_ = play_forward(block, slots, events, given);
    if (block.keeps_checkpoint) {
        block.checkpoint = given;
        if (events.keeps_input) memory_.hold(given);  // checkpoint and saved tensor are one
    } else if (!events.keeps_input) {
        memory_.free(slots[BlockEvents::input]);
    }
    if (planned.ends_chunk(position)) memory_.free(stream_);
}

// The gradient of what the block was given.
ReplayRun::Handle ReplayRun::backward(ReplayedBlock& block, Handle gradient) {
    const BlockEvents& events = passes_->blocks[block.kind].events;
    ReplayedBlock::Slots slots = std::move(block.under_way.front());
    block.under_way.pop_front();
    slots[events.output_gradient] = gradient;
    if (is_layer(block) && gathers_layers()) gather(block);
    play(block, slots, events.backward);
    if (is_layer(block) && (gathers_layers() || inputs_.layout.units_go_backward())) memory_.free(block.gathered);
    join_gradients(weights_.blocks[block.kind].reduced, unit_);
    memory_.free(block.checkpoint);
    return slots[events.input_gradient];
}

// ---- units whose weights are divided -----------------------------------------------------------------------------

// In parameters of its own. (estimate/training/parallel/communication.h, fsdp2)
void ReplayRun::gather(ReplayedBlock& block) {
    if (!block.gathered.empty()) return;
    for (const double bytes : weights_.blocks[block.kind].gathered) block.gathered.push_back(memory_.make(bytes));
}

// What is outside of layers, and where those keep their parameters, they too.
void ReplayRun::gather_ends() {
    if (!copies_units(inputs_.layout)) return;
    if (!inputs_.layout.ends_apart || model_.tied) gather(embedding_);
    gather(head_);
    if (inputs_.layout.reshard_after_forward) return;
    for (ReplayedBlock& layer : layers_) gather(layer);
}

// Of fsdp2, the piece that they are joined in is this stream's, and goes when the next one is to be made; else another
// stream has put them together.
void ReplayRun::join_gradients(double bytes, std::vector<Handle>& unit) {
    if (!unit.empty() && copies_units(inputs_.layout)) {
        memory_.free(joined_);
        joined_ = memory_.make(bytes);
    }
    memory_.free(unit);
}

void ReplayRun::gradient_comes(ReplayedBlock& block, size_t index) {
    if (!block.trained) return;
    if (index >= trained(block).size()) {  // a tied head's
        if (&block == &head_) gradient_comes(embedding_, 0);
        return;
    }
    const ReplayedParameter& parameter = trained(block)[index];
    Handle& gradient = block.gradients[index];
    if (inputs_.gradients_stay() || gradient != ReplayedMemory::none) {
        const bool summed = model_.tied && &block == &embedding_ && inputs_.tied_gradients_apart();  // with the head's
        Handle sum = summed ? memory_.make(parameter.arriving) : ReplayedMemory::none;
        memory_.passing(parameter.arriving);  // added to what is there
        return memory_.free(sum);
    }
    Handle arriving = memory_.make(parameter.arriving);
    if (inputs_.reduces_by_unit()) {
        const bool is_layer = block.kind > 0 && block.kind < head_.kind;
        const bool apart = block.kind == head_.kind && inputs_.layout.ends_apart;
        return (is_layer || apart ? unit_ : last_unit_).push_back(arriving);
    }
    if (request_.gradients.released) {
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

}  // namespace plimsoll
