/// How servers lay out what a layer keeps of a token, where that is not one element after the other.
///
///     index      the indexer's key in 8 bits, and one fp32 scale for each 128 elements: 132 bytes of 128, whole on each
///                device; whatever the cache's encoding is
///     latents    beside an indexer, in 8 bits: the same scales, and rotated elements in 16 bits: 512 + 16 + 128 bytes
///     entries    of SGLang's pools: 8 bits with a scale of one byte for each 64, a byte of padding, and rotated elements
///                in 16 bits: 448 + 8 + 128 bytes
///     borrowed   layers that read another's keys and values have their place in SGLang's pools all the same
///     source     of SGLang's pools: layers that attend to an encoder's tokens hold all tokens, and the encoder's too
///
/// Source: SGLang, mem_cache/memory_pool.py (NSATokenToKVPool), model_runner_kv_cache_mixin.py
/// (calculate_mla_kv_cache_dim), memory_profiler.py (DSv4MemoryCalculator); vLLM, flashmla_sparse.py (fp8_ds_mla),
/// deepseek_v2.py (DeepseekV32IndexerCache).
#pragma once

#include "estimate/inference/paged/shard.h"

namespace plimsoll {

/// Attention to a source of fixed length; null: the model has none.
inline const CrossAttention* fixed_source(const Model& model) {
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops)
            if (const CrossAttention* cross = op.as<CrossAttention>();
                cross && cross->source == CrossAttention::Source::fixed)
                return cross;
    return nullptr;
}

/// What a layer has a place for.
template <class N>
std::vector<Kept<N>> held_by(const Block& block, const InferenceInputs& inputs) {
    std::vector<Kept<N>> list = kept_by<N>(block);
    if (!inputs.pools.used) return list;
    for (const Op& op : block.ops)
        if (const CrossAttention* cross = op.as<CrossAttention>();
            cross && cross->source == CrossAttention::Source::none)
            cross->attention.keeps(list);
    return list;
}

/// Whether bytes of what is kept follow from its layout rather than from an encoding.
template <class N>
bool has_layout(const Kept<N>& kept, const Encoding& encoding, const InferenceInputs& inputs) {
    using Sparse = typename Kept<N>::Sparse;
    constexpr double eight = 8;
    if (kept.sparse == Sparse::entries) return inputs.pools.used;
    if (kept.sparse == Sparse::latents) return inputs.runtime->scaled_latents && encoding.bits == eight;
    return kept.sparse == Sparse::index;
}

/// Bytes of one token in one layer, by that layout.
template <class N>
Bytes<N> layout_bytes(const Kept<N>& kept) {
    using Sparse = typename Kept<N>::Sparse;
    const char* source = "SGLang: memory_pool.py, memory_profiler.py";
    const N narrow = kept.elements_per_token - N(kept.rotated), rotated = N(2 * kept.rotated);
    const N scales = kept.sparse == Sparse::entries ? N(8 * kept.entries_per_token)
                                                    : narrow / input<N>("scaled_together", 128, source) * N(4);
    return {named("bytes_of_a_token", narrow + scales + rotated)};
}

/// What a device of the group has of one token in one layer, in the request's encoding or by its layout.
template <class N>
Bytes<N> token_bytes(const Kept<N>& kept, const InferenceInputs& inputs, const Shard<N>& shard, const Block& block) {
    const Encoding& encoding = kept.name == "values" ? *inputs.values : *inputs.keys;
    if (has_layout(kept, encoding, inputs)) return layout_bytes(kept);
    return encoding.bytes(kept_here(kept, kept.elements_per_token, shard, block));
}

}  // namespace plimsoll
