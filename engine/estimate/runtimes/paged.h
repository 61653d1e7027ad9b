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

#include "estimate/placed.h"
#include "estimate/runtimes/paged_buffers.h"
#include "estimate/runtimes/paged_step.h"
#include "estimate/runtimes/shard.h"
#include "estimate/whole_weights.h"

namespace plimsoll {

/// Tokens of one sequence in whole pages; with a window, those of the window and of the step that goes over it.
template <class N>
N paged_tokens(const InferenceInputs& inputs, const N& window) {
    N tokens = input<N>("context", inputs.request.context, inputs.context_source);
    if (value_of(window) > 0) {
        const N step = input<N>("batch_tokens", inputs.request.batch_tokens, inputs.batch_source);
        tokens = minimum(tokens, window - N(1) + step);
    }
    if (inputs.request.context_parallel > 1)
        tokens = ceiling(tokens /
                         input<N>("context_parallel", inputs.request.context_parallel, "request: parallel.context"));
    const N page = input<N>("page_tokens", inputs.runtime->page_tokens, inputs.runtime->page_source);
    return page * ceiling(tokens / page);
}

/// Share of the elements that a block keeps of each token which one device of the group holds.
template <class N>
N kept_here(const Kept<N>& kept, const N& elements, const Shard<N>& shard, const Block& block) {
    const double heads = kv_heads_of(block);
    if (kept.name == "latents" || value_of(shard.tensor) == 1) return elements;
    return heads > 0 ? elements / minimum(shard.tensor, N(heads)) : elements / shard.tensor;
}

/// One of `keys`, `values`, `latents` of every sequence; `tokens_of(window)` tokens a layer.
template <class N, class TokensOf>
Bytes<N> paged_cache(const Model& model, const InferenceInputs& inputs, const Shard<N>& shard, std::string_view name,
                     TokensOf tokens_of) {
    const Encoding& encoding = name == "values" ? *inputs.values : *inputs.keys;
    N elements{0};
    for (size_t kind = 0; kind < model.kinds.size(); ++kind)
        for (const Kept<N>& kept : kept_by<N>(model.kinds[kind].block)) {
            if (kept.name != name || shard.layers[kind] == 0) continue;
            const bool fixed = value_of(kept.elements_per_sequence) > 0;
            const N whole =
                fixed ? kept.elements_per_sequence : tokens_of(kept.tokens_at_most) * kept.elements_per_token;
            elements += layers_here<N>(model, shard, kind) * kept_here(kept, whole, shard, model.kinds[kind].block);
        }
    return encoding.bytes(named({name, "_elements"}, elements));
}

/// One of `recurrent`, `convolution` of one sequence.
template <class N>
Bytes<N> paged_state(const Model& model, const Shard<N>& shard, std::string_view name) {
    Bytes<N> bytes{N(0)};
    for (size_t kind = 0; kind < model.kinds.size(); ++kind)
        for (const Kept<N>& kept : kept_by<N>(model.kinds[kind].block))
            if (kept.name == name && shard.layers[kind] > 0)
                bytes += layers_here<N>(model, shard, kind) *
                         ((kept.elements_per_sequence - kept.padding) / shard.tensor) * bytes_of<N>(kept.dtype);
    return bytes;
}

/// A row of children that are the same in every phase but `load`, where a server has none of them yet.
template <class N>
void add_cache_row(Ledger<N>& ledger, const char* id, std::initializer_list<std::pair<const char*, Bytes<N>>> parts) {
    std::vector<Row<N>> present;
    for (const auto& [name, bytes] : parts) {
        if (value_of(bytes) == 0) continue;
        present.push_back({name, Basis::exact, std::vector<Cell<N>>(ledger.phases.size())});
        for (size_t phase = 1; phase < ledger.phases.size(); ++phase)
            present.back().cells[phase] = exactly<N>({id, ".", name}, bytes);
    }
    if (present.empty()) return;
    Row<N>& row = ledger.add(id, Basis::exact);
    row.children = std::move(present);
    sum_children(row);
}

/// How far a step may be off its estimate, as shares: releases differ in what a layer keeps alive, in the kernels of
/// attention and experts, and in what they round up; the logs under tests/measured are within it.
constexpr double step_low = 0.95, step_high = 1.05;

/// `activations` and `logits` of the step that the server measures before it starts.
template <class N>
void add_paged_step(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs, const Shard<N>& shard) {
    if (!model.hidden_size || model.kinds.empty()) return;
    const StepBytes<N> step = step_bytes<N>(model, inputs, shard);
    const bool sampler = value_of(step.logits) > 0;
    Row<N> activations{"activations", Basis::modelled, std::vector<Cell<N>>(ledger.phases.size())};
    Row<N> vocabulary{"logits", Basis::modelled, std::vector<Cell<N>>(ledger.phases.size())};
    for (size_t phase = 1; phase < ledger.phases.size(); ++phase) {
        activations.cells[phase] = within<N>("activations", step.layers, step_low, step_high);
        if (sampler) vocabulary.cells[phase] = within<N>("logits", step.logits, step_low, step_high);
    }
    ledger.rows.push_back(std::move(activations));
    if (sampler) ledger.rows.push_back(std::move(vocabulary));
}

/// A row of figures read off running servers, of those that are known.
template <class N>
void add_measured(Ledger<N>& ledger, const char* id,
                  std::initializer_list<std::pair<const char*, const Measured*>> figures) {
    Row<N> row{id, Basis::measured, std::vector<Cell<N>>(ledger.phases.size())};
    for (const auto& [name, figure] : figures) {
        if (!figure) continue;
        row.children.push_back({name, Basis::measured, std::vector<Cell<N>>(ledger.phases.size())});
        for (size_t phase = 1; phase < row.cells.size(); ++phase)
            row.children.back().cells[phase] = measured_cell<N>({id, ".", name}, name, *figure, N(1));
    }
    if (row.children.empty()) return;
    sum_children(row);
    ledger.rows.push_back(std::move(row));
}

/// The rows of one device, and `workspace`, `communication` and `device_context` as measured.
template <class N>
Ledger<N> paged_ledger(const Model& model, const InferenceInputs& inputs, const Shard<N>& shard) {
    Ledger<N> ledger;
    ledger.phases = inference_phase::names();
    if (only_sums_known(model, inputs)) {
        add_whole_weights<N>(ledger, model, inputs, N(1) / (shard.tensor * N(inputs.request.pipeline)));
    } else {
        Row<N>& weights = ledger.add("weights", model.uncertainty > 0 ? Basis::rule : Basis::modelled);
        weights.children = ShardedWeights<N>(model, inputs, shard).rows(ledger.phases.size());
        for (Row<N>& buffer : paged_buffers<N>(model, inputs, shard, ledger.phases.size()))
            weights.children.push_back(std::move(buffer));
        sum_children(weights);
    }
    const N sequences = input<N>("sequences", inputs.request.sequences, inputs.sequences_source);
    const auto cached = [&](std::string_view name) {
        return sequences * paged_cache<N>(model, inputs, shard, name,
                                          [&](const N& window) { return paged_tokens<N>(inputs, window); });
    };
    add_cache_row<N>(ledger, "kv_cache",
                     {{"keys", cached("keys")}, {"values", cached("values")}, {"latents", cached("latents")}});
    add_cache_row<N>(ledger, "state",
                     {{"recurrent", sequences * paged_state<N>(model, shard, "recurrent")},
                      {"convolution", sequences * paged_state<N>(model, shard, "convolution")}});
    add_paged_step<N>(ledger, model, inputs, shard);
    const Runtime& runtime = *inputs.runtime;
    const auto figure = [](const std::optional<Measured>& known) { return known ? &*known : nullptr; };
    // releases that count the driver's context have the library in it
    add_measured<N>(ledger, "workspace",
                    {{"captured_graphs", figure(runtime.captured_graphs)},
                     {"matrix_library", workspace_of(runtime, inputs.device)},
                     {"library", inputs.step.context_counted ? nullptr : figure(runtime.library)}});
    if (value_of(shard.tensor) > 1)
        add_measured<N>(ledger, "communication", {{"collectives", figure(runtime.communication)}});
    add_device_context<N>(ledger, inputs.device, runtime, inputs.request.framework, N(1));
    return ledger;
}

/// The part of one device of a stage.
template <class N>
Shard<N> shard_of(const Model& model, const InferenceRequest& request, size_t stage) {
    const auto stages = static_cast<size_t>(request.pipeline);
    return {request.tensor == 1 ? N(1) : input<N>("tensor_parallel", request.tensor, "request: parallel.tensor"),
            layers_in_stage(model, stage, stages), stage == 0, stage + 1 == stages};
}

/// What is taken of the claimed share before the cache gets the rest. `context_counted`: with the driver's context.
template <class N>
Span beside_cache(const Ledger<N>& ledger, FractionOf of, bool context_counted) {
    const size_t last = ledger.phases.size() - 1;
    Span sum = total_at(ledger, last, [of, context_counted](std::string_view id) {
        if (of == FractionOf::available) return id == "weights";  // the step computes in what is not claimed
        if (id == "workspace") return of == FractionOf::free;
        if (id == "device_context") return of == FractionOf::free || context_counted;
        return id != "kv_cache" && id != "state";
    });
    if (of != FractionOf::total) return sum;
    for (const Row<N>& row : ledger.rows)
        for (const Row<N>& child : row.children)
            if (child.id == "library" || child.id == "matrix_library") {
                sum.bytes += value_of(child.cells[last].bytes);
                sum.low += child.cells[last].low;
                sum.high += child.cells[last].high;
            }
    return sum;
}

/// What the claimed share leaves for the cache on one device of a stage, and what that holds. `beside`: what is taken
/// of it before; `context`: of the driver, in bytes.
Capacity paged_capacity(const Model& model, const InferenceInputs& inputs, size_t stage, const Span& beside,
                        double context);

template <class N>
Placed<N> paged_ledgers(const Model& model, const InferenceInputs& inputs) {
    const InferenceRequest& request = inputs.request;
    Placed<N> placed;
    placed.host.phases = inference_phase::names();
    const auto stages = static_cast<size_t>(request.pipeline);
    for (size_t stage = 0; stage < stages; ++stage) {
        Ledger<N> ledger = paged_ledger<N>(model, inputs, shard_of<N>(model, request, stage));
        if (inputs.device && request.memory_fraction > 0) {
            const double context =
                total_at(ledger, 0, [](std::string_view id) { return id == "device_context"; }).bytes;
            const Capacity here =
                paged_capacity(model, inputs, stage,
                               beside_cache(ledger, inputs.runtime->fraction_of, inputs.step.context_counted), context);
            if (!placed.capacity || here.kv_tokens < placed.capacity->kv_tokens) placed.capacity = here;
        }
        placed.devices.push_back({(stages > 1 ? "stage " : "device ") + std::to_string(stage),
                                  request.tensor * request.data * request.replicas, std::move(ledger)});
    }
    return placed;
}

}  // namespace plimsoll
