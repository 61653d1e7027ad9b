/// Memory of llama.cpp: buffers of weights, of the KV cache and of recurrent state on each device and on the host, by
/// where its layers are, and the buffers that one batch's graph computes in.
///
///     cells of a stream   ⌈context / 256⌉ · 256, one stream a sequence; with kv_unified one stream of all tokens
///     windowed layers     at most ⌈(window · sequences that share the stream + micro-batch) / 256⌉ · 256 cells
///     latents (MLA)       in place of keys; no values
///     recurrent state     F32, one a sequence, whatever the context
///
/// Source: llama.cpp, src/llama-kv-cache.cpp, llama-kv-cache-iswa.cpp, llama-memory-recurrent.cpp, llama-model.cpp.
#pragma once

#include "estimate/inference/adapter_slots.h"
#include "estimate/inference/llama_cpp/llama_graph.h"
#include "estimate/inference/towers_work.h"
#include "estimate/ledger/placed.h"
#include "estimate/ledger/whole_weights.h"
#include "policies/runtimes/llama_cpp.h"
#include "policies/runtimes/llama_cpp_family.h"

namespace plimsoll {

template <class N>
struct LlamaCells {
    N full;         ///< of one stream
    N streams;      ///< each with cells of its own
    N sharing;      ///< sequences that use one stream
    N micro_batch;  ///< tokens of one graph
    N sequences;
    bool windows_kept;
    double unit = 256;  ///< cells come in so many

    /// Cells of one stream for a layer that looks at `window` tokens; 0: at all.
    N of(const N& window) const {
        if (value_of(window) == 0 || !windows_kept) return full;
        return minimum(full, at_most(window));
    }
    /// Cells that a window needs, where they are kept at all.
    N at_most(const N& window) const { return padded(sharing * window + micro_batch); }
    N padded(const N& tokens) const {
        const N padding =
            input<N>("cells_padded_to", unit, "llama.cpp, src/llama-context.cpp: n_ctx, src/llama-kv-cache-iswa.cpp");
        return padding * ceiling(tokens / padding);
    }
};

template <class N>
LlamaCells<N> llama_cells(const Model& model, const InferenceInputs& inputs) {
    const InferenceRequest& request = inputs.request;
    LlamaCells<N> cells;
    cells.unit = request.flash_attention ? 256 : inputs.graph_rules.cells;
    cells.full = named("cells", cells.padded(input<N>("context", request.context, inputs.context_source)));
    cells.sequences = input<N>("sequences", request.sequences, inputs.sequences_source);
    cells.streams = request.kv_unified ? N(1) : cells.sequences;
    cells.sharing = request.kv_unified ? cells.sequences : N(1);
    cells.micro_batch = input<N>("n_ubatch", request.batch_tokens, inputs.batch_source);
    cells.windows_kept = !request.swa_full && inputs.graph_rules.windows && llama_cpp_family(model).keeps_windows;
    return cells;
}

template <class N>
N draft_tokens(const InferenceRequest& request) {
    return input<N>("draft_tokens", request.draft_tokens, "request: inference.draft.num_speculative_tokens");
}

/// Tokens that get logits in one step: of each sequence one, and one for each token that a draft proposed.
/// Source: llama.cpp, tools/server/server-context.cpp (n_outputs_max), common/common.h (need_n_rs_seq).
inline double outputs_at_once(const InferenceRequest& request) {
    return request.sequences * (1 + request.draft_tokens);
}

/// Layers of one kind whose cache is at a place, as the formulas name them.
template <class N>
N cached_layers(const Model& model, const Placement& placement, size_t kind, Place place) {
    double count = 0;
    for (size_t layer = 0; layer < model.order.size(); ++layer)
        count += model.order[layer] == kind && placement.cache(layer) == place;
    const LayerKind& each = model.kinds[kind];
    if (count == each.count.value()) return as<N>(each.count);
    return count == 0 ? N(0)
                      : input<N>({each.name, "s_here"}, count, "llama.cpp: layers are placed from the last one back");
}

/// One of `keys`, `values` or `latents` at a place.
template <class N>
Bytes<N> llama_cached(const Model& model, const InferenceInputs& inputs, const LlamaCells<N>& cells, Place place,
                      std::string_view name) {
    const Encoding& encoding = name == "values" ? *inputs.values : *inputs.keys;
    const bool transposed = name == "values" && !inputs.request.flash_attention;
    const N widest = transposed ? widest_values<N>(model) : N(0);
    N elements{0};
    for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
        const N layers = cached_layers<N>(model, inputs.placement, kind, place);
        if (value_of(layers) == 0) continue;
        for (const Kept<N>& kept : kept_in_cells<N>(model.kinds[kind].block))
            if (kept.name == name && value_of(kept.elements_per_sequence) == 0)
                elements += layers * (cells.of(kept.tokens_at_most) * (transposed ? widest : kept.elements_per_token));
    }
    return encoding.bytes(named({name, "_elements"}, cells.streams * elements));
}

/// One of `recurrent` or `convolution` at a place, in F32.
template <class N>
Bytes<N> llama_state(const Model& model, const InferenceInputs& inputs, const LlamaCells<N>& cells, Place place,
                     std::string_view name) {
    N elements{0};
    for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
        const N layers = cached_layers<N>(model, inputs.placement, kind, place);
        if (value_of(layers) == 0) continue;
        for (const Kept<N>& kept : kept_by<N>(model.kinds[kind].block))
            if (kept.name == name) elements += layers * (kept.elements_per_sequence - kept.padding);
    }
    Bytes<N> bytes = cells.sequences * elements * bytes_of<N>(Dtype::float32);
    const bool kept = inputs.request.draft_keeps_states && llama_cpp_family(model).states_to_go_back_to;
    if (!kept || inputs.request.draft_tokens == 0) return bytes;
    return (N(1) + draft_tokens<N>(inputs.request)) * bytes;  // n_rs_seq: states to go back to
}

/// A row of llama.cpp's one buffer with the children that are not empty; nothing where all are.
template <class N>
void add_buffer(Ledger<N>& ledger, RowId::Known id, RowId::Known buffer, std::vector<Row<N>> parts, const Name& path) {
    std::vector<Row<N>> present;
    for (Row<N>& part : parts)
        if (value_of(part.cells.back().bytes) > 0) present.push_back(std::move(part));
    if (present.empty()) return;
    Basis basis = Basis::exact;
    for (const Row<N>& part : present)
        if (part.basis != Basis::exact) basis = part.basis;
    Row<N> child{buffer, basis, std::vector<Cell<N>>(ledger.phases.size()), std::move(present)};
    sum_children(child, path);
    Row<N>& row = ledger.add(id, basis);
    row.children.push_back(std::move(child));
    sum_children(row);
}

template <class N>
Row<N> steady(const Ledger<N>& ledger, RowId::Known id, const Name& path, const Bytes<N>& bytes) {
    Row<N> row{id, Basis::exact, std::vector<Cell<N>>(ledger.phases.size())};
    always(row, exactly<N>(path, bytes));
    return row;
}

/// A row that stands for something like it.
template <class N>
void make_rule(Row<N>& row) {
    row.basis = Basis::rule;
    for (Row<N>& child : row.children) make_rule(child);
}

/// The buffers that one micro-batch's graph computes in; all zero where the model's shapes are not known.
GraphBuffers llama_compute(const Model& model, const InferenceInputs& inputs);

/// Whether the graph is laid out to the byte: for the backends and the build whose own answers it was held to.
bool is_laid_out(const Model& model, const InferenceInputs& inputs);

/// `activations` as llama.cpp's `compute_buffer`: it holds the device's logits too.
template <class N>
void add_compute_buffer(Ledger<N>& ledger, double bytes, const N& replicas, Basis basis) {
    if (bytes <= 0) return;
    const Bytes<N> simulated =
        replicas *
        Bytes<N>{input<N>("compute_buffer", bytes,
                          "llama.cpp's graph of one micro-batch as of its builds of September 2026, laid out "
                          "as ggml's scheduler and allocator do (simulated)")};
    Row<N> child{RowId::compute_buffer, basis, std::vector<Cell<N>>(ledger.phases.size())};
    always(child, estimated<N>("activations.compute_buffer", simulated));
    Row<N>& row = ledger.add(RowId::activations, basis);
    row.children.push_back(std::move(child));
    sum_children(row);
}

/// Bytes between the tensors of a buffer, and behind the last row of a quantised one on a device.
double alignment_padding(const Model& model, const WeightMix& mix, Place place, const BufferAlignment& alignment);

/// The same of the cache's tensors: one of keys and one of values in each layer.
double cache_padding(const Model& model, const InferenceInputs& inputs, Place place, const BufferAlignment& alignment);

/// Share of the weights' sum at a place: layers alike, embedding and head by their elements. A tied head is there
/// twice.
double share_at(const Model& model, const InferenceInputs& inputs, Place place);

/// The weights of one place where only their sum is known.
template <class N>
std::vector<Row<N>> summed_weights(const Model& model, const InferenceInputs& inputs, Place place, const N& replicas,
                                   const Phases& phases) {
    const double share = share_at(model, inputs, place);
    Ledger<N> whole;
    whole.phases = phases;
    if (share > 0)
        add_whole_weights<N>(whole, model, inputs,
                             replicas * input<N>("share_of_weights", share,
                                                 "layers alike; embedding on the host, head with the last layers"));
    if (whole.rows.empty()) return {};
    Row<N> row = std::move(whole.rows.front());
    row.id = RowId::stored;
    row.basis = Basis::modelled;
    row.children.clear();
    for (Cell<N>& cell : row.cells) cell = estimated<N>("weights.model_buffer.stored", Bytes<N>{ceiling(cell.bytes.n)});
    return {std::move(row)};
}

template <class N>
Ledger<N> llama_ledger(const Model& model, const InferenceInputs& inputs, const LlamaCells<N>& cells, Place place,
                       double compute) {
    Ledger<N> ledger;
    ledger.phases = inference_phase::names();
    const N replicas = inputs.request.replicas == 1
                           ? N(1)
                           : input<N>("replicas", inputs.request.replicas, "request: inference.replicas");
    std::vector<Row<N>> weights =
        only_sums_known(model, inputs)
            ? summed_weights<N>(model, inputs, place, replicas, ledger.phases)
            : mixed_weights<N>(model, inputs.mix, place, replicas, ledger.phases.size(), "weights.model_buffer.");
    const BufferAlignment& alignment = alignment_of(*inputs.runtime, inputs.backend);
    if (const double padding = alignment_padding(model, inputs.mix, place, alignment); padding > 0)
        weights.push_back(steady<N>(ledger, RowId::alignment, "weights.model_buffer.alignment",
                                    Bytes<N>{replicas * input<N>("alignment_padding", padding, alignment.source)}));
    add_buffer<N>(ledger, RowId::weights, RowId::model_buffer, std::move(weights), "weights.model_buffer");
    const auto cached = [&](RowId::Known id) {
        const std::string_view name = RowId(id).text();
        return steady<N>(ledger, id, {"kv_cache.kv_buffer.", name},
                         replicas * llama_cached<N>(model, inputs, cells, place, name));
    };
    const Row<N> padded =
        steady<N>(ledger, RowId::alignment, "kv_cache.kv_buffer.alignment",
                  Bytes<N>{replicas * input<N>("alignment_padding", cache_padding(model, inputs, place, alignment),
                                               alignment.source)});
    add_buffer<N>(ledger, RowId::kv_cache, RowId::kv_buffer,
                  {cached(RowId::keys), cached(RowId::values), cached(RowId::latents), padded}, "kv_cache.kv_buffer");
    const auto state = [&](RowId::Known id) {
        const std::string_view name = RowId(id).text();
        return steady<N>(ledger, id, {"state.rs_buffer.", name},
                         replicas * llama_state<N>(model, inputs, cells, place, name));
    };
    add_buffer<N>(ledger, RowId::state, RowId::rs_buffer, {state(RowId::recurrent), state(RowId::convolution)},
                  "state.rs_buffer");
    add_compute_buffer<N>(ledger, compute, replicas, is_laid_out(model, inputs) ? Basis::exact : Basis::modelled);
    return ledger;
}

/// Logits of the tokens that are sampled from: one of every sequence, and those that a draft proposed.
template <class N>
void add_output_buffer(Ledger<N>& host, const Model& model, const InferenceInputs& inputs, const LlamaCells<N>& cells) {
    if (!model.vocab_size) return;
    Bytes<N> bytes = cells.sequences * as<N>(*model.vocab_size) * bytes_of<N>(Dtype::float32);
    if (inputs.request.draft_tokens > 0) bytes = (N(1) + draft_tokens<N>(inputs.request)) * bytes;
    add_buffer<N>(host, RowId::logits, RowId::output_buffer,
                  {steady<N>(host, RowId::sampled, "logits.output_buffer.sampled", N(inputs.request.replicas) * bytes)},
                  "logits.output_buffer");
}

/// Weights and what crosses to a device are in pinned memory, the cache of layers on the host is not.
template <class N>
void mark_pinned(Ledger<N>& host, bool has_devices) {
    for (Row<N>& row : host.rows) row.pinned = has_devices && !row.id.is_cache();
}

/// Adapters lie where the matrices are that they stand beside.
template <class N>
void add_llama_adapters(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs, Place place) {
    const AdapterSlots& adapters = *inputs.companions->adapters;
    const N elements = adapter_elements<N>(
        model, adapters,
        [&](size_t kind, bool experts) {
            double count = 0;
            for (size_t layer = 0; layer < model.order.size(); ++layer)
                count += model.order[layer] == kind &&
                         (experts ? inputs.placement.experts(layer) : inputs.placement.layers[layer]) == place;
            if (count == 0) return N(0);
            return count == model.kinds[kind].count.value()
                       ? as<N>(model.kinds[kind].count)
                       : input<N>({model.kinds[kind].name, "s_here"}, count, "llama.cpp: layers by their placement");
        },
        [](const Weight<N>& weight, const Block&) { return weight.rows * weight.copies; },
        [](const Weight<N>& weight, const Block&) { return weight.cols * weight.copies; });
    add_adapters<N>(ledger, adapters, elements, 0);
}

/// What lies at a place beside the model: adapters, and a draft model's own buffers. A head that drafts computes in a
/// buffer like that of one of the model's layers.
template <class N>
void add_llama_companions(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs, Place place) {
    if (!inputs.companions) return;
    if (inputs.companions->adapters) add_llama_adapters<N>(ledger, model, inputs, place);
    if (inputs.companions->images && place == (inputs.backend == "cpu" ? on_host : Place{0}))
        add_projector<N>(ledger, model, *inputs.companions->images);
    for (const Companion& companion : inputs.companions->models) {
        const InferenceInputs& own = *companion.inputs;
        const LlamaCells<N> cells = llama_cells<N>(*companion.model, own);
        const GraphBuffers compute = llama_compute(companion.graph ? *companion.graph : *companion.model, own);
        Ledger<N> rows = llama_ledger<N>(*companion.model, own, cells, place, compute.of(place));
        if (companion.graph)
            for (Row<N>& row : rows.rows)
                if (row.id == RowId::activations) make_rule(row);
        if (place == on_host) add_output_buffer<N>(rows, *companion.model, own, cells);
        add_nested<N>(ledger, companion.row, std::move(rows.rows), any_row);
    }
}

template <class N>
Placed<N> llama_cpp_ledgers(const Model& model, const InferenceInputs& inputs) {
    const LlamaCells<N> cells = llama_cells<N>(model, inputs);
    const GraphBuffers compute = llama_compute(model, inputs);
    Placed<N> placed;
    const auto devices = static_cast<Place>(inputs.request.devices);
    for (Place place = 0; place < devices; ++place) {
        const Device* own = inputs.devices ? &(*inputs.devices)[static_cast<size_t>(place)] : nullptr;
        Ledger<N> ledger = llama_ledger<N>(model, inputs, cells, place, compute.of(place));
        add_llama_companions<N>(ledger, model, inputs, place);
        if (inputs.backend != "cpu")  // which opens no device
            add_device_context<N>(ledger, own ? own : inputs.device, *inputs.runtime, inputs.request.framework,
                                  N(inputs.request.replicas));
        placed.devices.push_back({"device " + std::to_string(place), 1, std::move(ledger), own});
    }
    placed.host = llama_ledger<N>(model, inputs, cells, on_host, compute.host);
    add_output_buffer<N>(placed.host, model, inputs, cells);
    add_llama_companions<N>(placed.host, model, inputs, on_host);
    mark_pinned(placed.host, inputs.backend != "cpu");
    return placed;
}

}  // namespace plimsoll
