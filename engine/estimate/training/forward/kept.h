/// What a block's tape says is kept from the forward pass to the backward pass, and what a model returns besides.
#pragma once

#include "estimate/training/timeline/groups.h"
#include "model/core/profile.h"

namespace plimsoll {

/// Whether a block saves a tensor of its own, or its input, until its backward pass.
template <class N>
bool saves(const Tape<N>& tape, size_t storage) {
    for (const auto& tensor : tape.saved())
        if (tensor.storage == storage && tensor.recomputed == Brackets::none) return true;
    return false;
}

/// The tensors that a block saves, but for those that are recomputed; casts of its weights under autocast. Where it
/// saves its output, its input is what the block below has saved.
template <class N>
Groups<N> saved_by(const Tape<N>& tape) {
    Groups<N> groups;
    const bool chained = tape.output() != 0 && saves(tape, tape.output());
    for (const auto& tensor : tape.saved())
        if (tensor.recomputed == Brackets::none && !(chained && tensor.storage == 0))
            groups.add(saved_row_of(tensor.part),
                       Bytes<N>{named({"kept_", tensor.name}, tensor.elements * bytes_of<N>(tensor.dtype).n)});
    if (tape.options().numerics.autocast) {
        const Bytes<N> half = bytes_of<N>(Dtype::sixteen_bit);
        groups.add(RowId::saved_weight_casts, named("matrix_elements", tape.cast_matrices()) * half);
        groups.add(RowId::weight_cast_cache, named("bias_elements", tape.cast_vectors()) * half);
    }
    return groups;
}

/// Keys and values as they go into a cache: behind their rotation, of the heads that the model has of them. `alone`:
/// those that autograd does not keep. (transformers, DynamicCache.update; before 4.36 past_key_values)
template <class N>
Bytes<N> cached_by(const Block& block, Tape<N> tape, bool alone) {
    Bytes<N> bytes{N(0)};
    const auto add = [&](Label name) {
        const auto tensor = tape.at(name);
        if (alone && saves(tape, tensor.storage)) return;
        bytes += Bytes<N>{named({"cached_", name}, (tensor.elements * bytes_of<N>(tensor.dtype)).n)};
    };
    for (const Op& op : block.ops) {
        const Attention* attention = op.as<Attention>();
        if (const LatentAttention* latent = op.as<LatentAttention>()) attention = &latent->heads;
        if (attention) add(attention->k), add(attention->v);
    }
    return bytes;
}

}  // namespace plimsoll
