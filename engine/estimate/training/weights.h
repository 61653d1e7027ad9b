/// The row `weights` of a training run.
#pragma once

#include "estimate/shared_rows.h"
#include "estimate/training/inputs.h"
#include "policies/data_parallel.h"

namespace plimsoll {

/// `weights` as the forward pass reads them: in the precision's type, or a frozen base in an encoding of its own.
template <class N>
void add_trained_weights(Ledger<N>& ledger, const Model& model, const TrainingInputs& inputs) {
    const N share = share_of<N>(inputs.layout, inputs.layout.divides_weights());
    if (inputs.weights && !inputs.mix.empty()) return add_mixed_weights<N>(ledger, model, inputs.mix, share);
    if (inputs.weights) return add_weights<N>(ledger, model, *inputs.weights, share);
    Encoding stored;
    const bool wide = inputs.precision.stored_type() == Dtype::float32;
    stored.id = wide ? "fp32" : "16bit";
    stored.bits = wide ? 32 : 16;
    stored.source = "request: training.precision";
    add_weights<N>(ledger, model, stored, share);
}

/// `loading`: what a device has of the weights beside its share before they are divided, where each process loads all
/// of them to its device. Units are divided one after the other: the fullest moment is before the first. (accelerate,
/// utils/fsdp_utils.py: cpu_ram_efficient_loading; PyTorch, fsdp/_fully_shard/_fsdp_param.py, _init_sharded_param)
template <class N>
void add_loading(Ledger<N>& ledger, const TrainingInputs& inputs) {
    const Row<N>* weights = row_named(ledger, "weights");
    if (!inputs.layout.loads_whole || !weights) return;
    const Bytes<N> share = weights->cells.front().bytes;
    const N whole = named("whole_weights", share.n / share_of<N>(inputs.layout, true));
    Row<N>& loading = ledger.add("loading", Basis::modelled);
    loading.cells.front() = estimated<N>("loading", Bytes<N>{whole - share.n});
}

}  // namespace plimsoll
