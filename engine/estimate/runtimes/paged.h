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
#include "estimate/runtimes/paged_beside.h"
#include "estimate/whole_weights.h"

namespace plimsoll {

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

/// `activations` and `logits` of the fuller of two moments that a server measures before it starts: a full batch in
/// the widest layer, or the sampler over the logits of all sequences that may run at once.
template <class N>
void add_paged_step(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs, const Shard<N>& shard) {
    if (!model.hidden_size || model.kinds.empty()) return;
    const N tokens = input<N>("batch_tokens", inputs.request.batch_tokens, inputs.batch_source);
    PassOptions options;
    options.numerics = {inputs.compute, inputs.compute, false};
    options.attention = AttentionKernel::flash;
    const Pass<N> pass{N(1), tokens, tokens, tokens, options};
    const N hidden = as<N>(*model.hidden_size);
    const Bytes<N> stream = tokens * hidden * bytes_of<N>(inputs.compute);
    Bytes<N> widest{N(0)};
    for (size_t kind = 0; kind < model.kinds.size(); ++kind)
        if (shard.layers[kind] > 0)
            if (const Bytes<N> peak = run<N>(model.kinds[kind].block, pass, hidden).forward_peak();
                value_of(peak) > value_of(widest))
                widest = peak;
    const Bytes<N> in_layer = value_of(shard.tensor) == 1 ? widest : N(2) * stream + widest / shard.tensor;
    Bytes<N> logits{N(0)};
    if (model.vocab_size && shard.last) {
        const N sampled = input<N>("sequences_at_once", inputs.request.sequences_at_once, inputs.at_once_source);
        const N copies =
            input<N>("fp32_copies_in_sampler", 2, "vLLM, v1/sample/sampler.py: logits in fp32, and probabilities");
        logits = logits_of_a_sequence<N>(inputs.request) * sampled * as<N>(*model.vocab_size) *
                 Bytes<N>{bytes_of<N>(inputs.compute).n + copies * bytes_of<N>(Dtype::float32).n};
    }
    const bool sampler = value_of(stream) + value_of(logits) > value_of(in_layer);
    Row<N> activations{"activations", Basis::modelled, std::vector<Cell<N>>(ledger.phases.size())};
    Row<N> vocabulary{"logits", Basis::modelled, std::vector<Cell<N>>(ledger.phases.size())};
    for (size_t phase = 1; phase < ledger.phases.size(); ++phase) {
        activations.cells[phase] = within<N>("activations", sampler ? stream : in_layer, 0.8, 1.5);
        if (sampler) vocabulary.cells[phase] = within<N>("logits", logits, 0.8, 1.5);
    }
    ledger.rows.push_back(std::move(activations));
    if (sampler) ledger.rows.push_back(std::move(vocabulary));
}

/// A row of figures read off running servers, of those that are known.
template <class N>
void add_measured(Ledger<N>& ledger, const char* id,
                  std::initializer_list<std::pair<const char*, const std::optional<Measured>&>> figures) {
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
        Row<N>& weights = ledger.add("weights", model.uncertainty > 0 ? Basis::rule : Basis::exact);
        weights.children = ShardedWeights<N>(model, inputs, shard).rows(ledger.phases.size());
        sum_children(weights);
    }
    if (inputs.request.weights_on_host > 0) leave_on_host<N>(ledger.rows.back(), model, inputs, shard);
    const N sequences = held_sequences<N>(inputs);
    const auto cached = [&](std::string_view name) {
        const Bytes<N> all = sequences * paged_cache<N>(model, inputs, shard, name, [&](const N& window) {
                                 return paged_tokens<N>(inputs, window);
                             });
        return shares_pages(inputs) ? all - shared_cache<N>(model, inputs, shard, name) : all;
    };
    add_cache_row<N>(ledger, "kv_cache",
                     {{"keys", cached("keys")}, {"values", cached("values")}, {"latents", cached("latents")}});
    const N states = sequences * states_of_a_sequence<N>(inputs.request);
    add_cache_row<N>(ledger, "state",
                     {{"recurrent", states * paged_state<N>(model, shard, "recurrent")},
                      {"convolution", states * paged_state<N>(model, shard, "convolution")}});
    add_paged_step<N>(ledger, model, inputs, shard);
    const Runtime& runtime = *inputs.runtime;
    add_measured<N>(ledger, "workspace", {{"captured_graphs", runtime.captured_graphs}, {"library", runtime.library}});
    if (value_of(shard.tensor) > 1) add_measured<N>(ledger, "communication", {{"collectives", runtime.communication}});
    add_device_context<N>(ledger, inputs.device, runtime, inputs.request.framework, N(1));
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

/// What is held beside the model on one device of a stage; a draft model works where the model's last layers are.
template <class N>
void add_paged_companions(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs, const Shard<N>& shard) {
    if (!inputs.companions) return;
    if (inputs.companions->adapters) add_adapter_slots<N>(ledger, model, inputs, shard);
    if (inputs.companions->images && shard.first) see_images<N>(ledger, model, inputs);
    if (!shard.last) return;
    for (const Companion& companion : inputs.companions->models)
        add_nested<N>(
            ledger, companion.row,
            paged_ledger<N>(*companion.model, *companion.inputs, whole_shard<N>(*companion.model, shard)).rows,
            is_held);
}

template <class N>
void add_cell(Span& sum, const Cell<N>& cell) {
    sum.bytes += value_of(cell.bytes);
    sum.low += cell.low;
    sum.high += cell.high;
}

/// What is taken of the claimed share before the cache gets the rest.
template <class N>
Span beside_cache(const Ledger<N>& ledger, FractionOf of) {
    const size_t last = ledger.phases.size() - 1;
    Span sum = total_at(ledger, last, [of](std::string_view id) {
        if (id == "draft") return false;
        if (of == FractionOf::available) return id == "weights" || id == "adapters";  // the step is not claimed
        if (id == "workspace" || id == "device_context") return of == FractionOf::free;
        return id != "kv_cache" && id != "state";
    });
    for (const Row<N>& row : ledger.rows)
        for (const Row<N>& child : row.children)
            if (row.id == "draft" && child.id == "weights") add_cell(sum, child.cells[last]);
    if (of != FractionOf::total) return sum;
    for (const Row<N>& row : ledger.rows)
        for (const Row<N>& child : row.children)
            if (child.id == "library") add_cell(sum, child.cells[last]);
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
        const Shard<N> shard = shard_of<N>(model, request, stage);
        Ledger<N> ledger = paged_ledger<N>(model, inputs, shard);
        add_paged_companions<N>(ledger, model, inputs, shard);
        if (inputs.device && request.memory_fraction > 0 && keeps_cache(model)) {
            const double context =
                total_at(ledger, 0, [](std::string_view id) { return id == "device_context"; }).bytes;
            const Capacity here =
                paged_capacity(model, inputs, stage, beside_cache(ledger, inputs.runtime->fraction_of), context);
            if (!placed.capacity || here.kv_tokens < placed.capacity->kv_tokens) placed.capacity = here;
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
