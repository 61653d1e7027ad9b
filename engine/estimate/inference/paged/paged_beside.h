/// What servers with pages hold beside the model on a device, and what they leave to the host.
#pragma once

#include "estimate/inference/adapter_slots.h"
#include "estimate/inference/paged/paged_cache.h"
#include "estimate/inference/towers_work.h"

namespace plimsoll {

/// A companion's part of one device: divided as the model's layers are, in the stage that has it whole.
template <class N>
Shard<N> whole_shard(const Model& companion, const Shard<N>& shard) {
    return {shard.tensor, layers_in_stage(companion, 0, 1), true, true};
}

template <class N>
void add_adapter_slots(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs, const Shard<N>& shard) {
    const AdapterSlots& adapters = *inputs.companions->adapters;
    const auto part = [&](bool whole, const N& width, const Weight<N>& weight, const Block& block) {
        const bool experts = weight.part == Part::experts;  // their number is divided, or their width as of others
        return whole && !(experts && shard.expert > 1) ? width * weight.copies
                                                       : divided(weight, width * weight.copies, model, shard, block);
    };
    const N elements = adapter_elements<N>(
        model, adapters, [&](size_t kind, bool) { return layers_here<N>(model, shard, kind); },
        [&](const Weight<N>& weight, const Block& block) {
            return part(!divides_inputs(weight.name), weight.rows, weight, block);
        },
        [&](const Weight<N>& weight, const Block& block) {
            return part(divides_inputs(weight.name), weight.cols, weight, block);
        });
    const double tables = (shard.first ? 1 : 0) + (shard.last ? 1 : 0);
    const double vocabulary =
        model.vocab_size && model.hidden_size
            ? tables * adapters.slots * adapters.rank * (model.vocab_size->value() + model.hidden_size->value())
            : 0;
    add_adapters<N>(ledger, adapters, elements, vocabulary);
}

/// Bytes of the layers' weights on one device, and of the largest matrix among them.
struct LayerBytes {
    double all = 0, largest = 0;
};
LayerBytes layer_bytes(const Model& model, const InferenceInputs& inputs, const Shard<double>& shard);

template <class N>
Shard<double> plain(const Shard<N>& shard) {
    return {value_of(shard.tensor), shard.layers, shard.first, shard.last, shard.data, shard.expert};
}

/// Parameters of the layers move to the host one after the other until so many bytes have: one tensor may be too many.
/// Source: vLLM, model_executor/offloader (UVAOffloader), models/utils.py (maybe_offload_to_cpu); SGLang, utils.
template <class N>
void leave_on_host(Row<N>& row, const Model& model, const InferenceInputs& inputs, const Shard<N>& shard) {
    const LayerBytes layers = layer_bytes(model, inputs, plain(shard));
    const double asked = inputs.request.weights_on_host;
    const N left = input<N>("weights_on_host", minimum(asked, layers.all), "request: inference.offload.weights_bytes");
    row.children.clear();
    row.basis = Basis::modelled;
    for (Cell<N>& cell : row.cells) {
        const Bytes<N> all{named("weights_of_a_device", cell.bytes.n)};
        const double whole = cell.low;
        cell.bytes = {as_row<N>("weights", (all - Bytes<N>{left}).n)};
        cell.low = whole - minimum(asked + layers.largest, layers.all);
        cell.high = value_of(cell.bytes);
    }
}

template <class N>
void add_host_row(Ledger<N>& host, RowId::Known id, const Bytes<N>& bytes) {
    for (Row<N>& known : host.rows)
        if (known.id == id) {
            const Bytes<N> sum = known.cells.front().bytes + bytes;
            for (Cell<N>& cell : known.cells) cell = exactly<N>(known.id.text(), sum);
            return;
        }
    Row<N>& row = host.add(id, Basis::exact);
    row.pinned = true;
    for (Cell<N>& cell : row.cells) cell = exactly<N>(row.id.text(), bytes);
}

/// What the devices of one stage leave to the host.
template <class N>
void add_host_weights(Ledger<N>& host, const Model& model, const InferenceInputs& inputs, const Shard<N>& shard,
                      double devices) {
    const double left = minimum(inputs.request.weights_on_host, layer_bytes(model, inputs, plain(shard)).all);
    add_host_row<N>(
        host, RowId::weights,
        N(devices) * Bytes<N>{input<N>("weights_on_host", left, "request: inference.offload.weights_bytes")});
}

/// Pages that no longer fit, or that may be asked for again, go to a pool of pinned memory.
template <class N>
void add_host_cache(Ledger<N>& host, const InferenceRequest& request) {
    if (request.cache_on_host > 0)
        add_host_row<N>(host, RowId::kv_cache,
                        {input<N>("cache_on_host", request.cache_on_host, "request: inference.offload.kv_host_bytes")});
}

}  // namespace plimsoll
