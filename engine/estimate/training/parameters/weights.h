/// The row `weights` of a training run.
#pragma once

#include "estimate/ledger/shared_rows.h"
#include "estimate/training/inputs.h"
#include "policies/training/data_parallel.h"

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
    const Row<N>* weights = row_named(ledger, RowId::weights);
    if (!inputs.layout.loads_whole || !weights) return;
    const Bytes<N> share = weights->cells.front().bytes;
    const N whole = named("whole_weights", share.n / share_of<N>(inputs.layout, true));
    Row<N>& loading = ledger.add(RowId::loading, Basis::modelled);
    loading.cells.front() = estimated<N>("loading", Bytes<N>{whole - share.n});
}

/// `loading`: what an adapter's start is taken of a matrix with, in fp32, one target after the other; here the largest.
/// PiSSA has the matrix, its singular vectors, the adapters' product and the difference of both; OLoRA a QR
/// decomposition, and no difference, which is made in place. (PEFT, tuners/lora/layer.py, pissa_init, olora_init)
template <class N>
void add_adapter_start(Ledger<N>& ledger, const Model& model, const TrainingInputs& inputs) {
    if (!inputs.request.method.adapter || inputs.request.method.adapter->start == AdapterStart::random ||
        inputs.layout.devices() > 1)
        return;
    const bool singular = inputs.request.method.adapter->start == AdapterStart::singular_vectors;
    N most{0};
    for (const LayerKind& kind : model.kinds)
        for (size_t at = 0; at < kind.block.ops.size(); ++at) {
            const Linear* linear = kind.block.ops[at].as<Linear>();
            if (!linear || kind.block.is_frozen(at) || !linear->is_target(&*inputs.request.method.adapter)) continue;
            const N rows = as<N>(linear->out), columns = as<N>(linear->in), shorter = minimum(rows, columns);
            const N matrices = N(singular ? 3 : 2) * rows * columns, factors = shorter * (rows + columns);
            const N elements = singular ? matrices + factors + shorter : matrices + factors;
            if (value_of(elements) > value_of(most)) most = named({"start_of_", linear->name}, elements);
        }
    if (value_of(most) == 0) return;
    Row<N>& loading = ledger.add(RowId::loading, Basis::modelled);
    loading.cells.front() = estimated<N>("loading", most * bytes_of<N>(Dtype::float32));
}

}  // namespace plimsoll
