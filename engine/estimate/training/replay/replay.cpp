// A training run, replayed through PyTorch's caching allocator.
#include "estimate/training/replay/replay.h"

#include "estimate/training/replay/replay_run.h"
#include "estimate/training/replay/varying_lengths.h"
#include "policies/runtimes/overhead.h"

namespace plimsoll {

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
    if (request_.gradients.released)
        for (const double bytes : parameter.listed) own.push_back(memory_.make(bytes));
    for (const double bytes : parameter.own) own.push_back(memory_.make(bytes));
    memory_.free(own);
    memory_.free(left);
    left = std::move(stays);
}

// DeepSpeed's: all of a sub-group at once. (estimate/training/optimizer/gradients.h)
ReplayRun::Handle ReplayRun::gradients_in_one_piece() {
    const TrainingLayout& layout = inputs_.layout;
    const bool copies = inputs_.gradients_divided() && inputs_.precision.master_weights && !request_.method.adapter &&
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
    if (request_.gradients.released) return;
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
    std::vector<PhaseMemory> phases = turns_of_a_step();
    optimizer_step(), phases.push_back(phase_ends());
    step_ends();
    return phases;
}

// Forward, loss and backward, until the first micro-batch has gone backward; and the same for what comes then. Of what
// comes several times, the fullest.
std::vector<PhaseMemory> ReplayRun::turns_of_a_step() {
    enum : size_t { forward_phase, loss_phase, backward_phase, second };
    std::vector<PhaseMemory> phases(request_.batch.accumulation > 1 ? 2 * second : second);
    const auto note = [&](size_t phase) {
        PhaseMemory& at = phases[phase];
        const PhaseMemory now = phase_ends();
        at = {now.allocated, std::max(at.peak, now.peak), std::max(at.requested, now.requested), now.reserved};
    };
    bool has_waited = false;
    for (const Turn& turn : turns_of_step(plan_, inputs_)) {
        const size_t from = turn.later && phases.size() > second ? size_t{second} : 0;
        if (from > 0 && !has_waited) note(second + forward_phase), note(second + loss_phase), has_waited = true;
        play(turn);
        if (turn.work == Work::head) note(from + forward_phase);
        if (turn.work == Work::loss) note(from + loss_phase);
        if (turn.work == Work::end) note(from + backward_phase);
    }
    return phases;
}

// One by itself, whatever the schedule.
void ReplayRun::micro_batch(const ReplayedPasses& passes) {
    passes_ = &passes;
    for (const Turn& turn : turns_of_micro_batch(plan_, inputs_)) play(turn);
}

void ReplayRun::end_step() {
    optimizer_step();
    step_ends();
}

// Gradients are set to None, and the script begins anew.
void ReplayRun::step_ends() {
    each_instance([this](ReplayedBlock& block) {
        if (!request_.gradients.zeroed)
            for (Handle& gradient : block.gradients) memory_.free(gradient);
    });
    become({});
    memory_.free(held_);
    memory_.allocator().begin_phase();
}

namespace {

constexpr double most_layers = 512;  // half the runs through one, forward, of two micro-batches or all under way

// Reserved after a batch of half the length and one of the requested: it finds the segments of the first too short.
double reserved_after_half(const Model& model, const TrainingInputs& inputs, const ReplayedWeights& weights,
                           const ReplayedPasses& full) {
    ReplayRun run(model, inputs, weights);
    run.load(full);
    run.step(ReplayedPasses(model, inputs, ceiling(0.5 * inputs.request.batch.sequence)));
    run.step(full);
    return run.reserved();
}

// What of the device is left for the allocator.
double left_for_the_allocator(const TrainingInputs& inputs) {
    if (!inputs.device) return std::numeric_limits<double>::infinity();
    const DeviceContext* context = device_context_of(*inputs.runtime, inputs.device, inputs.request.process.framework);
    return inputs.device->usable<double>().n - (context ? context->figure.bytes : 0);
}

// A step of the full length, after batches each of which was longer than all before it, and the optimizer's steps that
// came between them.
std::vector<PhaseMemory> step_after_shorter(ReplayRun& run, const Model& model, const TrainingInputs& inputs,
                                            const ReplayedPasses& full) {
    const TrainingRequest& request = inputs.request;
    const double sequences = training_pass<double>(inputs).batch;
    const std::vector<double> lengths = record_lengths(*request.batch.lengths, sequences, request.batch.sequence);
    double steps = 0;
    for (size_t record = 1; record < lengths.size(); ++record) {
        run.micro_batch(ReplayedPasses(model, inputs, lengths[record - 1]));
        const double until_next =
            rounded_down(batches_until(static_cast<int>(record) + 1) / request.batch.accumulation);
        if (until_next > steps) run.end_step();
        steps = until_next;
    }
    return run.step(full);
}

}  // namespace

bool is_replayed(const TrainingInputs& inputs) {
    const std::optional<Adapter>& adapter = inputs.request.method.adapter;
    const TrainingRequest& request = inputs.request;
    return inputs.models.empty() && !generates(request.objective.kind) &&
           !(adapter && adapter->virtual_tokens.count > 0) && !inputs.joins_frozen() &&
           !(request.kernels.use_cache && request.recompute.checkpointing != Checkpointing::full);
}

Replay replay_training(const Model& model, const TrainingInputs& inputs) {
    const bool known = !model.declared_parameters && model.missing.empty() && model.hidden_size && !model.kinds.empty();
    const double layers = static_cast<double>(model.order.size()) * (inputs.place.in_flight + 1) / 2;
    if (!known || layers > most_layers || !is_replayed(inputs)) return {};
    const ReplayedWeights weights(model, inputs);
    const ReplayedPasses passes(model, inputs, inputs.request.batch.sequence);
    Replay replay;
    ReplayRun run(model, inputs, weights);
    const PhaseMemory loaded = run.load(passes);
    for (std::vector<PhaseMemory>* phases : {&replay.first, &replay.later}) {
        phases->push_back(loaded);
        for (const PhaseMemory& phase : run.step(passes)) phases->push_back(phase);
    }
    replay.varied = run.reserved();
    if (inputs.request.batch.lengths) {
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
