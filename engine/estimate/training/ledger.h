/// The rows of a training run, on one device and on each stage of a pipeline.
#pragma once

#include <algorithm>

#include "estimate/training/replay/replay.h"
#include "estimate/training/rollout/auxiliary_models.h"
#include "estimate/training/rollout/rollout.h"
#include "model/transform/divided_model.h"
#include "model/transform/pipeline_parts.h"

namespace plimsoll {

/// `slack`: what the allocator has from the driver beyond what tensors ask for at their fullest. At least, what blocks
/// are larger than tensors: where the device is full, the allocator gives unused segments back before it fails. At
/// most, what it is where sequences of growing lengths went before. (CUDACachingAllocator.cpp, malloc:
/// release_cached_blocks)
template <class N>
void add_replayed_slack(Ledger<N>& ledger, const Replay& replay) {
    constexpr const char* source = "the step's allocations, replayed through PyTorch's caching allocator";
    Row<N>& slack = ledger.add(RowId::slack, Basis::modelled);
    for (size_t phase = 0; phase < ledger.phases.size(); ++phase) {
        const PhaseMemory& at = replay.later[phase];
        const N reserved = input<N>("reserved_by_the_allocator", at.reserved, source);
        const N requested = input<N>("asked_for_by_tensors", at.requested, source);
        ledger.unsplit.push_back(maximum(at.peak - at.requested, 0.0));
        const double high = phase == 0 ? at.reserved : replay.varied;
        slack.cells[phase] = {row_bytes<N>("slack", reserved - requested), at.peak - at.requested, high - at.requested};
    }
}

/// Of what other streams have of the driver, what is in use at a phase: of fsdp2's communication what weights have come
/// in, and of the gradients what stays. (estimate/training/parallel/communication.h)
template <class N>
Bytes<N> used_of_pools(Ledger<N>& ledger, const Beside<N>& beside, const TrainingInputs& inputs, size_t phase) {
    const Row<N>* communication = row_named(ledger, RowId::communication);
    const Row<N>* gradients = row_named(ledger, RowId::gradients);
    Bytes<N> used{N(0)};
    if (!copies_units(inputs.layout)) {
        if (communication) used += communication->cells[phase].bytes;
        if (gradients) used += gradients->cells[phase].bytes;
        return used;
    }
    if (communication)
        for (const Row<N>& child : communication->children)
            if (child.id == RowId::all_gather_output) used += child.cells[phase].bytes;
    if (!gradients) return used;
    const Bytes<N>& there = gradients->cells[phase].bytes;
    return used + (value_of(there) < value_of(beside.kept) ? there : beside.kept);
}

/// To `slack`: what other streams have of the driver and do not use at a phase. Before a server generates, it is given
/// back, and before another model is trained. (TRL, generation/vllm_generation.py, empty_cache; verl,
/// workers/fsdp_workers.py, rollout_mode, update_actor)
template <class N>
void add_stream_pools(Ledger<N>& ledger, const Beside<N>& beside, const TrainingInputs& inputs) {
    const bool gives_back = inputs.generation && inputs.generation->runtime->allocation == Allocation::paged;
    Row<N>* slack = row_named(ledger, RowId::slack);
    if (value_of(beside.stream_pools) == 0 || !slack) return;
    for (size_t phase = 1; phase < ledger.phases.size(); ++phase) {
        const Phase at = ledger.phases[phase];
        if ((gives_back && at == Phase::rollout) || is_of_critic(at)) continue;
        const Bytes<N> left = beside.stream_pools - used_of_pools(ledger, beside, inputs, phase);
        if (value_of(left) <= 0) continue;
        Cell<N>& cell = slack->cells[phase];
        const N idle = named("idle_in_other_streams", ceiling(left.n));
        const double more = value_of(idle);
        cell = {row_bytes<N>("slack", cell.bytes.n + idle), cell.low + more, cell.high + more};
    }
}

/// To `slack`: in a step that comes again, the allocator holds at each phase what it had to have at its fullest one.
template <class N>
void keep_most_reserved(Ledger<N>& ledger) {
    Row<N>* slack = row_named(ledger, RowId::slack);
    if (!slack) return;
    const auto is_of_step = [&ledger](size_t phase) {
        const Phase at = ledger.phases[phase];
        return at != Phase::load && at != Phase::rollout && at != Phase::score && !is_of_critic(at);
    };
    const auto reserved = [&ledger](size_t phase) {
        N bytes{0};
        for (const Row<N>& row : ledger.rows)
            if (row.id == RowId::slack || row.id.is_allocated()) bytes += row.cells[phase].bytes.n;
        return bytes;
    };
    N most{0};
    for (size_t phase = 0; phase < ledger.phases.size(); ++phase)
        if (is_of_step(phase) && value_of(most) < value_of(reserved(phase))) most = reserved(phase);
    for (size_t phase = 0; phase < ledger.phases.size(); ++phase) {
        const double short_of = value_of(most) - value_of(reserved(phase));
        if (!is_of_step(phase) || short_of <= 0) continue;
        Cell<N>& cell = slack->cells[phase];
        const N more = input<N>("reserved_at_another_phase", short_of, "what a fuller phase had of the driver stays");
        cell = {row_bytes<N>("slack", cell.bytes.n + more), cell.low, cell.high + short_of};
    }
}

/// Adds a measured figure to a row's cells, from a phase on; `before`: what the formula calls what was there.
template <class N>
void add_figure(Row<N>& row, size_t from, const char* before, const char* symbol, const Measured& figure) {
    const N bytes = input<N>(symbol, figure.bytes, figure.source);
    for (size_t phase = from; phase < row.cells.size(); ++phase) {
        Cell<N>& cell = row.cells[phase];
        cell = {row_bytes<N>(row.id.text(), named(before, cell.bytes.n) + bytes), cell.low + figure.low,
                cell.high + figure.high};
    }
}

/// To `device_context`: the buffers of the library that devices communicate by, outside of the allocator; one
/// communicator for each group that a device is in.
template <class N>
void add_communicators(Ledger<N>& ledger, const TrainingInputs& inputs) {
    const Communicator* library = communicator_of(*inputs.runtime, inputs.device, inputs.layout.collectives);
    Row<N>* row = row_named(ledger, RowId::device_context);
    if (inputs.layout.devices() == 1 || !library || library->figure.high == 0 || !row) return;
    const N groups = input<N>("communicators", inputs.layout.communicators(), "groups of devices, one for each degree");
    const DeviceContext* context = device_context_of(*inputs.runtime, inputs.device, inputs.request.process.framework);
    const auto add = [&](RowId::Known id, const Cell<N>& cell) {
        row->children.push_back({id, Basis::measured, std::vector<Cell<N>>(ledger.phases.size(), cell)});
    };
    add(RowId::context,
        measured_cell<N>("device_context.context", "device_context_of_one_process", context->figure, N(1)));
    add(RowId::collectives,
        measured_cell<N>("device_context.collectives", "buffers_of_a_communicator", library->figure, groups));
    sum_children(*row);
}

/// To `workspace`: that of Transformer Engine's products, of which Megatron-LM's layers are made.
template <class N>
void add_layers_workspace(Ledger<N>& ledger, const TrainingInputs& inputs) {
    if (!inputs.layout.by_megatron()) return;
    const Measured* figure = transformer_engine_workspace_of(*inputs.runtime, inputs.device);
    Row<N>* workspace = row_named(ledger, RowId::workspace);
    if (figure && workspace)
        add_figure(*workspace, 1, "workspaces_of_pytorch", "workspace_of_transformer_engine", *figure);
}

/// What a run goes through: answers that are generated and scored come before the policy learns of them, and a critic is
/// trained after it.
inline Phases training_phases(const TrainingInputs& inputs) {
    const bool twice = inputs.request.batch.accumulation > 1;
    Phases phases{Phase::load};
    const auto add = [&phases](std::initializer_list<Phase> more) { phases.insert(phases.end(), more); };
    if (generates(inputs.request.objective.kind)) add({Phase::rollout, Phase::score});
    add({Phase::forward, Phase::loss, Phase::backward});
    if (twice) add({Phase::forward_2, Phase::loss_2, Phase::backward_2});
    add({Phase::step});
    if (inputs.request.objective.kind != Objective::ppo) return phases;
    add({Phase::critic_forward, Phase::critic_loss, Phase::critic_backward});
    if (twice) add({Phase::critic_forward_2, Phase::critic_loss_2, Phase::critic_backward_2});
    add({Phase::critic_step});
    return phases;
}

template <class N>
Placed<N> training_on_one_device(const Model& model, const TrainingInputs& inputs) {
    Ledger<N> ledger, host;
    ledger.phases = host.phases = training_phases(inputs);
    ledger.rows.reserve(12);
    const Scoring<N> scoring = fullest_scoring<N>(model, inputs);
    StepRecord record;
    const Beside<N> beside =
        add_trained_rows<N>(ledger, host, model, inputs, scoring, inputs.records_step ? &record : nullptr);
    add_loading<N>(ledger, inputs);
    add_adapter_start<N>(ledger, model, inputs);
    leave_the_device<N>(ledger, host, inputs);
    add_auxiliary_models<N>(ledger, host, model, inputs, beside.other, scoring);
    add_rollout<N>(ledger, host, model, inputs);
    // one workspace for the thread that runs forward, one for autograd's
    add_workspace<N>(ledger, inputs.device, *inputs.runtime, inputs.request.process.framework,
                     input<N>("threads_with_a_workspace", 2,
                              "PyTorch: the main thread and autograd's each have a cuBLAS handle (matches "
                              "Liger-Kernel's A100 data to the byte)"));
    add_layers_workspace<N>(ledger, inputs);
    const Replay replay = inputs.formulas_alone ? Replay{} : replay_training(model, inputs);
    if (replay.empty() && !inputs.formulas_alone) {
        add_overhead<N>(ledger, inputs.device, *inputs.runtime, inputs.request.process.framework, N(1), 0.03);
    } else {
        if (!replay.empty()) add_replayed_slack<N>(ledger, replay);
        add_device_context<N>(ledger, inputs.device, *inputs.runtime, inputs.request.process.framework, N(1));
    }
    add_stream_pools<N>(ledger, beside, inputs);
    if (!replay.empty()) keep_most_reserved(ledger);
    add_communicators<N>(ledger, inputs);
    Placed<N> placed = on_one_device<N>(std::move(ledger));
    placed.host = std::move(host);
    placed.devices.front().replay = replay;
    placed.devices.front().step = std::move(record);
    add_paged_states(placed.host, model, inputs);
    return placed;
}

/// Stages between the ends of a pipeline, of which one holds no more than another before it: it runs the same layers,
/// and no more micro-batches are under way on it. (TrainingLayout::in_flight)
class StagesAlike {
public:
    bool knows(const Model& model, const TrainingLayout& layout, double stage) {
        if (stage == 0 || stage + 1 == layout.pipeline) return false;
        const std::vector<unsigned short> order = order_of_stage(model, layout, static_cast<size_t>(stage));
        if (std::find(orders_.begin(), orders_.end(), order) != orders_.end()) return true;
        orders_.push_back(order);
        return false;
    }

private:
    std::vector<std::vector<unsigned short>> orders_;
};

/// Devices that run the same layers have the same rows: a class for each stage of a pipeline. The host's rows are those
/// of the first stage's devices.
template <class N>
Placed<N> training_on_devices(const Model& model, const TrainingInputs& inputs) {
    const TrainingLayout& layout = inputs.layout;
    const Model& part = inputs.shared ? *inputs.shared : model;
    if (layout.pipeline == 1) {
        Placed<N> placed = training_on_one_device<N>(part, inputs);
        placed.devices.front().count = layout.devices();
        return placed;
    }
    Placed<N> placed;
    StagesAlike alike;
    for (double stage = 0; stage < layout.pipeline; ++stage) {
        if (inputs.formulas_alone && alike.knows(part, layout, stage)) continue;
        TrainingInputs own = inputs;
        own.place = {stage, stage == 0, stage + 1 == layout.pipeline,
                     layout.in_flight(stage, inputs.request.batch.accumulation),
                     parts_of_stage(layout, part.order.size(), static_cast<size_t>(stage))};
        const Model layers = stage_model(part, layout, static_cast<size_t>(stage));
        if (layout.in_experts > 0) own.layout.in_experts = trained_in_experts(layers, inputs);
        for (AuxiliaryModel& held : own.models)
            if (held.model)
                held.model =
                    std::make_shared<const Model>(stage_model(*held.model, layout, static_cast<size_t>(stage)));
        Placed<N> one = training_on_one_device<N>(layers, own);
        one.devices.front().count = layout.devices() / layout.pipeline;
        one.devices.front().name = "stage " + std::to_string(static_cast<int>(stage));
        if (stage == 0)
            placed = std::move(one);
        else
            placed.devices.push_back(std::move(one.devices.front()));
    }
    return placed;
}

}  // namespace plimsoll
