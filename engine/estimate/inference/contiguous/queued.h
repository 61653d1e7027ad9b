/// What MLX has in flight while it computes a prompt: results are asked for lazily, chunk by chunk, and what an
/// operation has read is given back when the command buffer completes in which it ran. So many buffers may be queued,
/// each of which is closed once its operations read so many elements.
///
///     layers in flight    queued buffers · elements of each / (elements that a layer reads, its stored weights among
///     them) bytes               layers in flight · what a layer makes that nothing overwrites
///
/// Source: MLX, mlx/transforms.cpp (MAX_ACTIVE_TASKS), mlx/backend/metal/device.cpp (max_mb_per_buffer, counted in
/// elements), eval.cpp; mlx-lm, generate.py (prefill_step_size), models/cache.py.
#pragma once

#include "estimate/inference/inference_inputs.h"
#include "estimate/ledger/ledger.h"
#include "inputs/capabilities.h"
#include "model/core/profile.h"

namespace plimsoll {

/// Tokens of a prompt that are computed at once.
template <class N>
N prompt_at_once(const InferenceInputs& inputs, const N& prompt) {
    if (!capabilities.runtimes || inputs.runtime->batch_tokens == 0) return prompt;
    return minimum(prompt, input<N>("prefill_chunk", inputs.runtime->batch_tokens, inputs.runtime->queued.source));
}

/// Elements of one token that a layer's operations make anew; sums, products and activations take an argument's place.
template <class N>
N made_of_a_token(const Block& block, const N& hidden) {
    N made{0};
    for (const Op& op : block.ops) {
        if (const Linear* linear = op.as<Linear>()) made += as<N>(linear->out);
        if (const Norm* norm = op.as<Norm>(); norm && !norm->heads) made += hidden;
        if (const Attention* attention = op.as<Attention>())  // rotated queries and keys, and what it gives
            made += (N(2) * as<N>(attention->heads) + as<N>(attention->kv_heads)) * as<N>(attention->head_dim);
        if (const Experts* experts = op.as<Experts>())  // inputs and results in the experts' order, and back
            made += as<N>(experts->active) * (N(2) * as<N>(experts->intermediate) + N(3) * as<N>(experts->width));
    }
    return made;
}

/// Elements of a layer's weights as they lie in memory: packed into words of 32 bits, with a scale and a bias for each
/// group.
template <class N>
N stored_elements(const Block& block, const Encoding& encoding) {
    N elements{0};
    for (const Weight<N>& weight : weights_of<N>(block)) elements += weight.elements();
    constexpr double word = 32, scale_bits = 16;
    if (encoding.bits >= scale_bits) return elements;
    const double beside = encoding.group ? 2 / encoding.group->elements : 0;
    return elements * input<N>("words_of_a_weight", encoding.bits / word + beside, "MLX, mlx.core.quantize");
}

/// Bytes of a chunk's tensors that wait for their command buffers.
template <class N>
Bytes<N> queued_work(const Model& model, const InferenceInputs& inputs, const N& tokens, const N& hidden) {
    const QueuedWork& queued = inputs.runtime->queued;
    if (!capabilities.runtimes || queued.buffers == 0) return {N(0)};
    Bytes<N> most{N(0)};
    for (const LayerKind& kind : model.kinds) {
        const N made = named("made_by_a_layer", tokens * made_of_a_token<N>(kind.block, hidden));
        const N residual = N(3) * tokens * hidden;  // read by norms and sums once more
        const N read = named("read_by_a_layer", made + residual + stored_elements<N>(kind.block, *inputs.weights));
        const N elements = input<N>("elements_queued", queued.buffers * queued.elements, queued.source);
        const N layers = minimum(as<N>(kind.count), elements / read);
        const Bytes<N> bytes{ceiling((layers * made * bytes_of<N>(inputs.compute)).n)};
        if (value_of(bytes) > value_of(most)) most = bytes;
    }
    return most;
}

/// Whether attention over a prompt is computed in steps: there is no faster kernel for heads of this width
/// (scaled_dot_product_attention.cpp: use_fallback).
inline bool attends_in_steps(const Model& model) {
    if (!capabilities.runtimes) return false;
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops) {
            const Attention* attention = op.as<Attention>();
            const LatentAttention* latent = op.as<LatentAttention>();
            double width = attention ? attention->head_dim.value() : 0;
            if (latent) width = latent->key_width.value();
            if (width == 192 || width == 256) return true;
        }
    return false;
}

}  // namespace plimsoll
