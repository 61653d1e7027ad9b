/// The rows of a training run, on one device and on each stage of a pipeline.
#pragma once

#include "estimate/placed.h"
#include "estimate/training/fp8.h"
#include "estimate/training/held_models.h"
#include "estimate/training/offload.h"
#include "estimate/training/replay.h"
#include "estimate/training/step.h"
#include "number/shown.h"
#include "policies/divided_model.h"

namespace plimsoll {

template <class N>
size_t phase_named(const Ledger<N>& ledger, std::string_view name) {
    for (size_t phase = 0; phase < ledger.phases.size(); ++phase)
        if (name == ledger.phases[phase]) return phase;
    return ledger.phases.size();
}

/// `gradients`, `activations`, `logits` or what another `loss` is taken of, and `communication`.
template <class N>
void add_step_rows(Ledger<N>& ledger, const Model& model, const TrainingInputs& inputs, const Step<N>& step) {
    const bool stays = inputs.gradients_stay() || inputs.request.gradients_zeroed;
    Row<N> gradients{"gradients", Basis::exact, std::vector<Cell<N>>(ledger.phases.size())};
    GroupedRow<N> activations("activations", Basis::modelled, ledger.phases.size());
    GroupedRow<N> logits(is_regression(model) ? "loss" : "logits", Basis::modelled, ledger.phases.size());
    GroupedRow<N> communication("communication", Basis::modelled, ledger.phases.size());
    Row<N>* optimizer = row_named(ledger, "optimizer");
    const auto set = [&](const char* name, const Moment<N>& moment) {
        const size_t phase = phase_named(ledger, name);
        if (optimizer) set_step_temporaries(*optimizer, phase, moment.temporaries);
        gradients.cells[phase] = exactly<N>(
            "gradients", inputs.gradients_divided() ? Bytes<N>{ceiling(moment.gradients.n)} : moment.gradients);
        activations.set(phase, moment.activations);
        logits.set(phase, moment.logits);
        communication.set(phase, moment.communication);
    };
    set("load", step.loaded());
    set("forward", step.forward(stays));
    set("loss", step.loss(stays));
    set("backward", step.backward(stays));
    if (inputs.request.accumulation > 1) {
        set("forward_2", step.forward(true));
        set("loss_2", step.loss(true));
        set("backward_2", step.backward(true));
    }
    set("step", step.step());
    if (optimizer && inputs.request.gradients_released) sum_children(*optimizer);
    if (inputs.gradients_stay()) gradients.cells[0] = gradients.cells[phase_named(ledger, "step")];
    ledger.rows.push_back(std::move(gradients));
    if (step.has_layers()) ledger.rows.push_back(activations.take());
    if (!logits.empty()) ledger.rows.push_back(logits.take());
    if (!communication.empty()) ledger.rows.push_back(communication.take());
}

/// What the forward pass sends to the host, from its end to the backward pass.
template <class N>
Ledger<N> host_ledger(const std::vector<const char*>& phases, const Step<N>& step) {
    Ledger<N> host;
    host.phases = phases;
    GroupedRow<N> activations("activations", Basis::exact, phases.size());
    for (size_t phase = 1; phase + 1 < phases.size(); ++phase) activations.set(phase, step.on_host());
    if (!activations.empty()) host.rows.push_back(activations.take());
    return host;
}

/// `slack`: what the allocator has from the driver beyond what tensors ask for at their fullest. At least, what blocks
/// are larger than tensors: where the device is full, the allocator gives unused segments back before it fails. At
/// most, what it is where sequences of growing lengths went before. (CUDACachingAllocator.cpp, malloc:
/// release_cached_blocks)
template <class N>
void add_replayed_slack(Ledger<N>& ledger, const Replay& replay) {
    constexpr const char* source = "the step's allocations, replayed through PyTorch's caching allocator";
    Row<N>& slack = ledger.add("slack", Basis::modelled);
    for (size_t phase = 0; phase < ledger.phases.size(); ++phase) {
        const PhaseMemory& at = replay.later[phase];
        const N reserved = input<N>("reserved_by_the_allocator", at.reserved, source);
        const N requested = input<N>("asked_for_by_tensors", at.requested, source);
        const double high = phase == 0 ? at.reserved : replay.varied;
        slack.cells[phase] = {{as_row("slack", reserved - requested)}, at.peak - at.requested, high - at.requested};
    }
}

/// To `slack`: what other streams have of the driver and do not use at a phase.
template <class N>
void add_stream_pools(Ledger<N>& ledger, const Bytes<N>& pools) {
    Row<N>* slack = row_named(ledger, "slack");
    if (value_of(pools) == 0 || !slack) return;
    for (size_t phase = 1; phase < ledger.phases.size(); ++phase) {
        Bytes<N> left = pools;
        for (const char* used : {"communication", "gradients"})
            if (const Row<N>* row = row_named(ledger, used)) left = left - row->cells[phase].bytes;
        if (value_of(left) <= 0) continue;
        Cell<N>& cell = slack->cells[phase];
        const N idle = named("idle_in_other_streams", ceiling(left.n));
        cell = estimated<N>("slack", Bytes<N>{cell.bytes.n + idle});
    }
}

/// Adds a measured figure to a row's cells, from a phase on; `before`: what the formula calls what was there.
template <class N>
void add_figure(Row<N>& row, size_t from, const char* before, const char* symbol, const Measured& figure) {
    const N bytes = input<N>(symbol, figure.bytes, figure.source);
    for (size_t phase = from; phase < row.cells.size(); ++phase) {
        Cell<N>& cell = row.cells[phase];
        cell = {{as_row(row.id, named(before, cell.bytes.n) + bytes)}, cell.low + figure.low, cell.high + figure.high};
    }
}

/// To `device_context`: the buffers of the library that devices communicate by, outside of the allocator.
template <class N>
void add_communicator(Ledger<N>& ledger, const TrainingInputs& inputs) {
    const std::optional<Measured>& figure = inputs.runtime->communication;
    Row<N>* context = row_named(ledger, "device_context");
    if (inputs.layout.devices() == 1 || !figure || !context) return;
    add_figure(*context, 0, "context_of_the_process", "communicator_of_nccl", *figure);
}

/// To `workspace`: that of Transformer Engine's products, of which Megatron-LM's layers are made.
template <class N>
void add_layers_workspace(Ledger<N>& ledger, const TrainingInputs& inputs) {
    if (!inputs.layout.by_megatron()) return;
    const Measured* figure = transformer_engine_workspace_of(*inputs.runtime, inputs.device);
    Row<N>* workspace = row_named(ledger, "workspace");
    if (figure && workspace)
        add_figure(*workspace, 1, "workspaces_of_pytorch", "workspace_of_transformer_engine", *figure);
}

template <class N>
Placed<N> training_on_one_device(const Model& model, const TrainingInputs& inputs) {
    Ledger<N> ledger;
    if (inputs.request.accumulation > 1)
        ledger.phases = {"load", "forward", "loss", "backward", "forward_2", "loss_2", "backward_2", "step"};
    else
        ledger.phases = {"load", "forward", "loss", "backward", "step"};
    ledger.rows.reserve(12);
    add_trained_weights<N>(ledger, model, inputs);
    add_loading<N>(ledger, inputs);
    const bool countable = model.declared_parameters || model.missing.empty();
    const N trainable = countable ? trainable_parameters<N>(model, inputs.request) : N(0);
    if (countable) add_states<N>(ledger, model, inputs, trainable);
    if (countable && inputs.precision.fp8 && !inputs.request.lora) add_fp8<N>(ledger, model, inputs);
    const Step<N> step(model, inputs, trainable);
    add_step_rows<N>(ledger, model, inputs, step);
    add_held_models<N>(ledger, model, inputs, step.other());
    Ledger<N> host = host_ledger<N>(ledger.phases, step);
    offload<N>(ledger, host, inputs, trainable);
    // one workspace for the thread that runs forward, one for autograd's
    add_workspace<N>(ledger, inputs.device, *inputs.runtime, inputs.request.framework,
                     input<N>("threads_with_a_workspace", 2,
                              "PyTorch: the main thread and autograd's each have a cuBLAS handle (matches "
                              "Liger-Kernel's A100 data to the byte)"));
    add_layers_workspace<N>(ledger, inputs);
    const Replay replay = replay_training(model, inputs);
    if (replay.empty()) {
        add_overhead<N>(ledger, inputs.device, *inputs.runtime, inputs.request.framework, N(1), 0.03);
        add_stream_pools<N>(ledger, step.stream_pools());
    } else {
        add_replayed_slack<N>(ledger, replay);
        add_device_context<N>(ledger, inputs.device, *inputs.runtime, inputs.request.framework, N(1));
    }
    add_communicator<N>(ledger, inputs);
    Placed<N> placed = on_one_device<N>(std::move(ledger));
    placed.host = std::move(host);
    placed.replay = replay;
    add_paged_states(placed.host, model, inputs);
    return placed;
}

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
    for (double stage = 0; stage < layout.pipeline; ++stage) {
        TrainingInputs own = inputs;
        own.place = {stage, stage == 0, stage + 1 == layout.pipeline,
                     layout.in_flight(stage, inputs.request.accumulation)};
        const Model layers = stage_model(part, layout, static_cast<size_t>(stage));
        if (layout.in_experts > 0) own.layout.in_experts = trained_in_experts(layers, inputs);
        for (HeldModel& held : own.models)
            if (held.model)
                held.model =
                    std::make_shared<const Model>(stage_model(*held.model, layout, static_cast<size_t>(stage)));
        Placed<N> one = training_on_one_device<N>(layers, own);
        one.devices.front().count = layout.devices() / layout.pipeline;
        one.devices.front().name = "stage " + shown(stage);
        if (stage == 0)
            placed = std::move(one);
        else
            placed.devices.push_back(std::move(one.devices.front()));
    }
    return placed;
}

}  // namespace plimsoll
