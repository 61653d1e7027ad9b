/// Memory of servers that hold keys and values in pages and claim a share of the device for them: vLLM, SGLang,
/// TensorRT-LLM.
///
///     cache      ⌈context / page⌉ pages a sequence, each with the keys and values of `page` tokens in every layer; a
///                device has its share of the heads, at least one; latents (MLA) are whole on every device
///     one step   at most `batch_tokens` tokens through a layer; then logits of every sequence, in fp32 for the sampler
///     capacity   what the claimed share leaves beside weights, step and library: so many pages
///
/// Source: vLLM, v1/worker/gpu_worker.py (determine_available_memory), v1/core/kv_cache_utils.py; SGLang,
/// model_executor/model_runner.py (profile_max_num_token); TensorRT-LLM, kvCacheManager.
#pragma once

#include "estimate/inference/paged/paged_beside.h"
#include "estimate/inference/paged/paged_buffers.h"
#include "estimate/inference/paged/paged_step.h"
#include "estimate/inference/paged/sharded_weights.h"
#include "estimate/ledger/placed.h"
#include "estimate/ledger/whole_weights.h"

namespace plimsoll {

/// A row of children that are the same in every phase but `load`, where a server has none of them yet.
template <class N>
void add_cache_row(Ledger<N>& ledger, RowId::Known id, std::initializer_list<std::pair<RowId::Known, Bytes<N>>> parts) {
    Row<N> row{id, Basis::exact, std::vector<Cell<N>>(ledger.phases.size())};
    for (const auto& [part, bytes] : parts) {
        if (value_of(bytes) == 0) continue;
        Row<N> child{part, Basis::exact, std::vector<Cell<N>>(ledger.phases.size())};
        for (size_t phase = 1; phase < ledger.phases.size(); ++phase)
            child.cells[phase] = exactly<N>({row.id.text(), ".", child.id.text()}, bytes);
        row.children.push_back(std::move(child));
    }
    if (row.children.empty()) return;
    sum_children(row);
    ledger.rows.push_back(std::move(row));
}

/// `activations` and `logits` of the step that the server measures before it starts.
template <class N>
void add_paged_step(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs, const Shard<N>& shard) {
    if (!model.hidden_size || model.kinds.empty()) return;
    const StepBytes<N> step = step_bytes<N>(model, inputs, shard);
    const bool sampler = value_of(step.logits) > 0;
    Row<N> activations{RowId::activations, Basis::modelled, std::vector<Cell<N>>(ledger.phases.size())};
    Row<N> vocabulary{RowId::logits, Basis::modelled, std::vector<Cell<N>>(ledger.phases.size())};
    for (size_t phase = 1; phase < ledger.phases.size(); ++phase) {
        activations.cells[phase] = estimated<N>("activations", step.layers);
        if (sampler) vocabulary.cells[phase] = estimated<N>("logits", step.logits);
    }
    ledger.rows.push_back(std::move(activations));
    if (sampler) ledger.rows.push_back(std::move(vocabulary));
}

/// A row of figures read off running servers, of those that are known, from a phase on.
template <class N>
void add_measured(Ledger<N>& ledger, RowId::Known id,
                  std::initializer_list<std::pair<RowId::Known, const Measured*>> figures, size_t from = 1) {
    Row<N> row{id, Basis::measured, std::vector<Cell<N>>(ledger.phases.size())};
    for (const auto& [part, figure] : figures) {
        if (!figure) continue;
        Row<N> child{part, Basis::measured, std::vector<Cell<N>>(ledger.phases.size())};
        const char* name = child.id.c_str();  // and the figure's name in the formula
        for (size_t phase = from; phase < row.cells.size(); ++phase)
            child.cells[phase] = measured_cell<N>({row.id.text(), ".", name}, name, *figure, N(1));
        row.children.push_back(std::move(child));
    }
    if (row.children.empty()) return;
    sum_children(row);
    ledger.rows.push_back(std::move(row));
}

/// The figure that holds on the request's device, in its release.
inline const Measured* figure_for(const InferenceInputs& inputs, const std::vector<MeasuredOn>& known) {
    return figure_on(known, inputs.device, inputs.release);
}

/// What the driver holds for the process; with kernels and buffers of collectives that are there before a release of the
/// server looks at what is free, and so lie beside its share. Source: vLLM, v1/worker/gpu_worker.py (init_device).
template <class N>
void add_paged_context(Ledger<N>& ledger, const InferenceInputs& inputs, bool several) {
    const Runtime& runtime = *inputs.runtime;
    const Measured* library = figure_for(inputs, runtime.library_outside);
    const Measured* collectives = several ? figure_for(inputs, runtime.communication_outside) : nullptr;
    if (!library && !collectives)
        return add_device_context<N>(ledger, inputs.device, runtime, inputs.request.framework, N(1));
    const DeviceContext* context = device_context_of(runtime, inputs.device, inputs.request.framework);
    add_measured<N>(ledger, RowId::device_context,
                    {{RowId::context, context ? &context->figure : nullptr},
                     {RowId::library, library},
                     {RowId::collectives, collectives}},
                    0);
}

/// `workspace`, `communication` and `device_context`, as measured.
template <class N>
void add_paged_figures(Ledger<N>& ledger, const InferenceInputs& inputs, bool several) {
    const Runtime& runtime = *inputs.runtime;
    // releases that count the driver's context have the library in it
    add_measured<N>(ledger, RowId::workspace,
                    {{RowId::captured_graphs, runtime.captured_graphs ? &*runtime.captured_graphs : nullptr},
                     {RowId::matrix_library, workspace_of(runtime, inputs.device)},
                     {RowId::library, inputs.step.context_counted ? nullptr : figure_for(inputs, runtime.library)}});
    if (several)
        add_measured<N>(ledger, RowId::communication,
                        {{RowId::collectives, figure_for(inputs, runtime.communication)}});
    add_paged_context<N>(ledger, inputs, several);
}

/// The rows of one device.
template <class N>
Ledger<N> paged_ledger(const Model& model, const InferenceInputs& inputs, const Shard<N>& shard) {
    Ledger<N> ledger;
    ledger.phases = inference_phase::names();
    if (only_sums_known(model, inputs)) {
        add_whole_weights<N>(ledger, model, inputs, N(1) / (shard.tensor * N(inputs.request.pipeline)));
    } else {
        Row<N>& weights = ledger.add(RowId::weights, model.uncertainty > 0 ? Basis::rule : Basis::modelled);
        weights.children = ShardedWeights<N>(model, inputs, shard).rows(ledger.phases.size());
        for (Row<N>& buffer : paged_buffers<N>(model, inputs, shard, ledger.phases.size()))
            weights.children.push_back(std::move(buffer));
        sum_children(weights);
    }
    if (inputs.request.weights_on_host > 0) leave_on_host<N>(ledger.rows.back(), model, inputs, shard);
    const N sequences = held_sequences<N>(inputs);
    const auto cached = [&](std::string_view name) {
        const Bytes<N> all = sequences * paged_cache<N>(model, inputs, shard, name, [&](const N& window) {
                                 return held_tokens<N>(model, inputs, window);
                             });
        return shares_pages(inputs) ? all - shared_cache<N>(model, inputs, shard, name) : all;
    };
    add_cache_row<N>(
        ledger, RowId::kv_cache,
        {{RowId::keys, cached("keys")}, {RowId::values, cached("values")}, {RowId::latents, cached("latents")}});
    const N states = sequences * states_of_a_sequence<N>(inputs.request);
    add_cache_row<N>(ledger, RowId::state,
                     {{RowId::recurrent, states * paged_state<N>(model, shard, "recurrent")},
                      {RowId::convolution, states * paged_state<N>(model, shard, "convolution")}});
    add_paged_step<N>(ledger, model, inputs, shard);
    add_paged_figures<N>(ledger, inputs, value_of(shard.tensor) > 1);
    return ledger;
}

/// The part of one device of a stage.
template <class N>
Shard<N> shard_of(const Model& model, const InferenceRequest& request, size_t stage) {
    const auto stages = static_cast<size_t>(request.pipeline);
    return {request.tensor == 1 ? N(1) : input<N>("tensor_parallel", request.tensor, "request: parallel.tensor"),
            layers_in_stage(model, stage, stages),
            stage == 0,
            stage + 1 == stages,
            request.experts_over,
            request.expert};
}

/// Rotary tables are made once in a process for each shape and length: where both models' are of one size, the
/// companion has none of its own. Source: vLLM, rotary_embedding/__init__.py (get_rope, _ROPE_DICT).
template <class N>
void share_rotary_tables(Ledger<N>& companion, const Ledger<N>& model) {
    const auto tables = [](const Row<N>& weights) {
        size_t index = 0;
        while (index < weights.children.size() && !(weights.children[index].id == RowId::rotary_tables)) ++index;
        return index;
    };
    Row<N>& own = companion.rows.front();
    const Row<N>& other = model.rows.front();
    const size_t mine = tables(own), theirs = tables(other);
    if (mine == own.children.size() || theirs == other.children.size()) return;
    if (value_of(own.children[mine].cells[0].bytes) != value_of(other.children[theirs].cells[0].bytes)) return;
    own.children.erase(own.children.begin() + static_cast<std::ptrdiff_t>(mine));
    sum_children(own);
}

/// What is held beside the model on one device of a stage; a draft model works where the model's last layers are.
template <class N>
void add_paged_companions(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs, const Shard<N>& shard) {
    if (!inputs.companions) return;
    if (inputs.companions->adapters) add_adapter_slots<N>(ledger, model, inputs, shard);
    if (inputs.companions->images && shard.first) see_images<N>(ledger, model, inputs);
    if (!shard.last) return;
    for (const Companion& companion : inputs.companions->models) {
        Ledger<N> held = paged_ledger<N>(*companion.model, *companion.inputs, whole_shard<N>(*companion.model, shard));
        share_rotary_tables(held, ledger);
        add_nested<N>(ledger, companion.row, held.rows, is_held);
    }
}

/// Whether a part of a row is taken of the claimed share before the cache gets the rest, though the row is not.
inline bool is_beside_cache(const RowId& id, const RowId& child, FractionOf of, const PoolChoice& pools) {
    if (id == RowId::draft) return child == RowId::weights && !pools.draft_weights_beyond;
    if (id != RowId::workspace) return false;
    if (of == FractionOf::available) return child == RowId::library;  // what the driver lacks once weights are loaded
    return of == FractionOf::total && (child == RowId::library || child == RowId::matrix_library);
}

/// Whether a row is. `context_counted`: so is the driver's context.
inline bool is_beside_cache(const RowId& id, FractionOf of, bool context_counted) {
    if (id == RowId::draft) return false;
    if (of == FractionOf::available) return id == RowId::weights || id == RowId::adapters;  // the step is not claimed
    if (id == RowId::workspace) return of == FractionOf::free;
    if (id == RowId::device_context) return of == FractionOf::free || context_counted;
    return !id.is_cache();
}

/// What is taken of the claimed share, in bytes, with the rows' names.
struct BesideCache {
    double bytes = 0;
    std::vector<std::string> rows;
};

/// From the top: `workspace.library`.
template <class N>
std::string path_of(const Row<N>& row, const Row<N>& child) {
    return std::string(row.id.text()) + "." + std::string(child.id.text());
}

template <class N>
BesideCache beside_cache(const Ledger<N>& ledger, FractionOf of, const InferenceInputs& inputs) {
    BesideCache beside;
    const size_t last = ledger.phases.size() - 1;
    const auto add = [&](std::string path, const Row<N>& row) {
        beside.bytes += value_of(row.cells[last].bytes);
        beside.rows.push_back(std::move(path));
    };
    for (const Row<N>& row : ledger.rows)
        if (is_beside_cache(row.id, of, inputs.step.context_counted)) add(std::string(row.id.text()), row);
    for (const Row<N>& row : ledger.rows)
        for (const Row<N>& child : row.children)
            if (is_beside_cache(row.id, child.id, of, inputs.pools)) add(path_of(row, child), child);
    return beside;
}

template <class N>
double weights_of_drafts(const Ledger<N>& ledger) {
    double bytes = 0;
    for (const Row<N>& row : ledger.rows)
        for (const Row<N>& child : row.children)
            if (row.id == RowId::draft && child.id == RowId::weights) bytes += value_of(child.cells.back().bytes);
    return bytes;
}

/// What the claimed share leaves for the cache on one device of a stage, and what that holds. `context`: of the driver,
/// in bytes.
Capacity paged_capacity(const Model& model, const InferenceInputs& inputs, size_t stage, BesideCache beside,
                        double context);

template <class N>
Placed<N> paged_ledgers(const Model& model, const InferenceInputs& inputs) {
    const InferenceRequest& request = inputs.request;
    Placed<N> placed;
    placed.host.phases = inference_phase::names();
    const auto stages = static_cast<size_t>(request.pipeline);
    for (size_t stage = 0; stage < stages; ++stage) {
        const Shard<N> shard = shard_of<N>(model, request, stage);
        Ledger<N> ledger = paged_ledger<N>(model, inputs, shard);
        add_paged_companions<N>(ledger, model, inputs, shard);
        if (inputs.device && request.memory_fraction > 0 && keeps_cache(model)) {
            const double context = total_at(ledger, 0, [](const RowId& id) { return id == RowId::device_context; });
            Capacity here = paged_capacity(model, inputs, stage,
                                           beside_cache(ledger, inputs.runtime->fraction_of, inputs), context);
            if (inputs.pools.draft_weights_beyond) here.claimed += weights_of_drafts(ledger);
            if (!placed.capacity || here.kv_tokens < placed.capacity->kv_tokens) placed.capacity = std::move(here);
        }
        if (request.weights_on_host > 0)
            add_host_weights<N>(placed.host, model, inputs, shard, request.tensor * request.data * request.replicas);
        placed.devices.push_back({(stages > 1 ? "stage " : "device ") + std::to_string(stage),
                                  request.tensor * request.data * request.replicas, std::move(ledger)});
    }
    add_host_cache<N>(placed.host, request);
    return placed;
}

}  // namespace plimsoll
