/// What frameworks that train on copies of a model keep in which type, and divide among the copies.
#pragma once

#include "inputs/layout.h"
#include "number/quantity.h"
#include "policies/training/precision.h"

namespace plimsoll {

/// A precision as a framework has it that divides what its copies have in common.
///     deepspeed    gradients in the weights' type; from stage 3 on in one buffer that stays
///     fsdp, fsdp2  no second copy of the weights: the shards are the fp32 ones, and are cast as they are gathered
/// Source: DeepSpeed, runtime/engine.py, get_data_types; zero/stage3.py, grad_partitions_flat_buffer.
/// PyTorch, fsdp/_fully_shard/_fsdp_param.py, MixedPrecisionPolicy.
inline Precision divided_precision(Precision precision, const TrainingLayout& layout) {
    if (!precision.master_weights || !layout.divides_states()) return precision;
    if (layout.sharding == Sharding::deepspeed) {
        precision.gradient = precision.numerics.parameter;
        precision.gradient_source = "DeepSpeed, get_data_types: gradients are accumulated in the weights' type";
        precision.preallocated_gradients = layout.divides_weights();
    }
    if (gathers_units(layout.sharding)) {
        precision.master_weights = precision.preallocated_gradients = false;
        precision.stored = Dtype::float32;
        precision.gradient = Dtype::float32;
        precision.gradient_source = "PyTorch fully_shard: a shard's gradient has the shard's type";
    }
    return precision;
}

/// Whether the weights of a unit are copied out of the piece in which they were gathered, and its gradients joined, in the
/// stream that computes. (PyTorch, fsdp/_fully_shard/_fsdp_collectives.py, foreach_all_gather_copy_out, foreach_reduce)
inline bool copies_units(const TrainingLayout& layout) {
    return layout.sharding == Sharding::fsdp2 && layout.divides_weights();
}

/// Which share of what all copies of the model have in common one device holds.
template <class N>
N share_of_copies(const TrainingLayout& layout) {
    if (layout.shard_group > 0)
        return N(1) / input<N>("shard_group", layout.shard_group, "request: parallel.shard_group");
    N shards = input<N>("data_parallel", layout.data, "request: parallel.data");
    if (layout.context > 1) shards = shards * input<N>("context_parallel", layout.context, "request: parallel.context");
    return N(1) / shards;
}

/// Which share of what is divided one device holds: of experts, fewer devices have the same.
template <class N>
N share_of(const TrainingLayout& layout, bool divided) {
    if (!divided) return N(1);
    if (layout.in_experts == 0) return share_of_copies<N>(layout);
    const N share = share_of_copies<N>(layout);
    const N in = input<N>("share_in_experts", layout.in_experts, "of the parameters that this device has");
    const N copies = input<N>("expert_data_parallel", layout.expert_copies(), "data × tensor × context / expert");
    return named("share_of_the_divided", (N(1) - in) * share + in / copies);
}

}  // namespace plimsoll
