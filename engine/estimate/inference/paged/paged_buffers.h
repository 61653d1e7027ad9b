/// What a server computes from the weights once they are loaded, and counts with them.
///
///     rotary_tables    cos and sin of every position, whole on every device (model/read/rotary_tables.h); SGLang keeps
///                      them in fp32 on devices of NVIDIA, vLLM four times as many positions of M-RoPE
///     block_rounding   what PyTorch's allocator leaves over in the blocks of large tensors, and counts; where a server
///                      counts what the driver lacks, also what is left of segments
///     latent_products  multi-head latent attention reads its cache without expanding it: of the matrix that would
///                      expand latents, each head's two parts are held once more; releases that multiplied them into
///                      the queries' and the output's matrices hold these products
///
/// Source: vLLM, layers/rotary_embedding.py (cos_sin_cache); attention/backends/mla/common.py
/// (process_weights_after_loading), 0.7.1: mla/utils.py (W_Q_UK, W_QR, W_UV_O).
#pragma once

#include "estimate/inference/paged/loaded_weights.h"
#include "estimate/inference/paged/shard.h"

namespace plimsoll {

template <class N>
Bytes<N> rotary_tables_once(const Model& model, const InferenceInputs& inputs) {
    N elements{0};
    for (const RotaryTable& table : rotary_tables_of(model, inputs))
        elements += input<N>("positions", table.positions, "config.json: max_position_embeddings, rope_scaling") *
                    input<N>("rotated_width", table.width, "config.json: head_dim");
    return elements * bytes_of<N>(rotary_type(model, inputs, inputs.device));
}

/// Elements of one layer's products; `devices` share its heads.
template <class N>
N latent_products(const Block& block, const N& devices, StepRules::Latents kept) {
    const LatentAttention* latent = nullptr;
    const Linear *query = nullptr, *output = nullptr;
    for (const Op& op : block.ops) {
        if (const LatentAttention* found = op.as<LatentAttention>()) latent = found;
        const Linear* linear = op.as<Linear>();
        if (linear && (linear->name == "q_proj" || linear->name == "q_b_proj")) query = linear;
        if (linear && linear->name == "o_proj") output = linear;
    }
    if (!latent || !query || !output) return N(0);
    const N heads = as<N>(latent->heads.heads) / devices, rank = as<N>(latent->latent), rope = as<N>(latent->rope);
    if (kept == StepRules::Latents::absorbed)
        return heads * (as<N>(query->in) * (rank + rope) + rank * as<N>(output->out));
    return heads * rank * (as<N>(latent->key_width) - rope + as<N>(latent->heads.head_dim));
}

/// The rows of both, where there are any.
template <class N>
std::vector<Row<N>> paged_buffers(const Model& model, const InferenceInputs& inputs, const Shard<N>& shard,
                                  size_t phases) {
    std::vector<Row<N>> rows;
    // releases differ in how many positions they tabulate, in what type, and in which products they keep
    const auto add = [&](RowId::Known id, const Bytes<N>& bytes) {
        if (value_of(bytes) == 0) return;
        rows.push_back({id, Basis::modelled, std::vector<Cell<N>>(phases)});
        always(rows.back(), estimated<N>({"weights.", rows.back().id.text()}, bytes));
    };
    // a stage has its part of the layers
    const N stages = N(inputs.request.pipeline);
    add(RowId::block_rounding, Bytes<N>{input<N>("left_over_in_blocks", rounded_down(inputs.loaded.left_over),
                                                 "PyTorch CUDACachingAllocator, should_split") /
                                        stages});
    N products{0};
    for (size_t kind = 0; kind < model.kinds.size(); ++kind)
        if (shard.layers[kind] > 0)
            products += layers_here<N>(model, shard, kind) *
                        latent_products<N>(model.kinds[kind].block, shard.tensor, inputs.step.latents);
    add(RowId::rotary_tables, rotary_tables_once<N>(model, inputs));
    add(RowId::latent_products, products * bytes_of<N>(inputs.compute));
    return rows;
}

}  // namespace plimsoll
