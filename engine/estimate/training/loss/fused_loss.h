/// Liger-Kernel's fused product and cross-entropy: the vocabulary matrix and the loss together, chunk by chunk. Logits
/// and their gradient exist of one chunk; the gradients of the hidden states and of the matrix are made in the forward
/// pass already.
///
///     hidden states [chunk, hidden] ──× matrix──▶ logits ──▶ loss of each token, and the logits become their gradient
///                                                       └──▶ gradient of the hidden states, of the matrix
///
///     apart   0.6.2 and later: the product that is a chunk's gradient of the matrix is made by itself, and upcast
///     inside  0.5.3 to 0.6.1: it is added where the gradient lies (addmm with out=)
///     upcast  to 0.4.2: besides, the logits of a chunk are upcast before the loss and cast back behind it, and scaled
///             into a tensor of their own
///
/// The variables of one chunk's turn of the loop are there until the next turn has made its own.
/// Source: Liger-Kernel, ops/fused_linear_cross_entropy.py (fused_linear_cross_entropy_forward).
#pragma once

#include "estimate/training/loss/objectives.h"
#include "estimate/training/timeline/block_events.h"

namespace plimsoll {

/// Tokens whose loss is taken: where the last one of each sequence is cut off, the others are copied out.
template <class N>
N loss_tokens(const TrainingInputs& inputs, const Pass<N>& pass) {
    return inputs.request.loss.logits_cut ? named("predicted_tokens", pass.batch * (pass.sequence - N(1)))
                                          : pass.tokens;
}

/// Tokens of one chunk: the batch in about vocabulary / hidden_size parts, so that a chunk's logits take about as much
/// as the hidden states; a power of two.
inline double fused_chunk(double tokens, double vocabulary, double hidden) {
    const double parts = ceiling(vocabulary / hidden);
    double chunk = 1;
    while (chunk < ceiling(tokens / parts)) chunk *= 2;
    return chunk < tokens ? chunk : tokens;
}

/// What one chunk's turn is made of.
template <class N>
struct FusedChunk {
    N tokens;              ///< of a chunk
    double turns;          ///< chunks
    Bytes<N> logits;       ///< of a chunk, in the type that products compute in
    Bytes<N> upcast;       ///< the same in fp32; 0: they are
    Bytes<N> hidden;       ///< gradient of a chunk's hidden states
    Bytes<N> matrix;       ///< a chunk's gradient of the matrix, as the product gives it; 0: it is frozen
    Bytes<N> matrix_fp32;  ///< upcast; 0: it is fp32
};

template <class N>
FusedChunk<N> chunk_of_fused_loss(const TrainingInputs& inputs, const Pass<N>& pass, const N& vocabulary,
                                  const N& hidden, bool trains_matrix) {
    const Dtype compute = pass.options.numerics.compute;
    const bool narrow = compute != Dtype::float32;
    const Bytes<N> own = bytes_of<N>(compute), wide = bytes_of<N>(Dtype::float32);
    const double predicted = value_of(loss_tokens(inputs, pass));
    const N tokens = input<N>("tokens_of_a_chunk", fused_chunk(predicted, value_of(vocabulary), value_of(hidden)),
                              "Liger-Kernel: batch / ceil(vocabulary / hidden_size), to the next power of two");
    const N elements = named("logits_of_a_chunk", tokens * vocabulary), matrix = vocabulary * hidden;
    const Bytes<N> none{N(0)};
    return {tokens,
            ceiling(predicted / value_of(tokens)),
            elements * own,
            narrow ? elements * wide : none,
            tokens * hidden * own,
            trains_matrix ? matrix * own : none,
            trains_matrix && narrow ? matrix * wide : none};
}

/// The fullest moment of a turn.
template <class N>
void add_fullest_turn(Groups<N>& at, const FusedChunk<N>& chunk, FusedLoss version) {
    const bool upcasts = version == FusedLoss::upcast;
    if (upcasts && value_of(chunk.upcast) > 0) {
        at.add(RowId::logits, chunk.logits);
        at.add(RowId::logits_fp32, chunk.upcast);
        if (chunk.turns > 1) at.add(RowId::logits_gradient, chunk.logits);  // of the turn before
        return;
    }
    const N tensors(upcasts ? 2 : 1), made = chunk.turns > 1 ? tensors + N(1) : tensors;  // and of the turn before
    const Bytes<N> at_logits = made * chunk.logits;
    Bytes<N> product{N(0)};
    if (version == FusedLoss::apart) product = chunk.matrix + chunk.matrix_fp32;
    const bool in_matrix = value_of(product) > value_of(chunk.hidden);
    const Bytes<N> beside = in_matrix ? product : chunk.hidden;
    if (value_of(at_logits) >= value_of(tensors * chunk.logits + beside)) return at.add(RowId::logits, at_logits);
    at.add(RowId::logits, tensors * chunk.logits);
    at.add(in_matrix ? RowId::matrix_gradient_of_a_chunk : RowId::hidden_gradient_of_a_chunk, beside);
}

template <class N>
LossMoments<N> fused_loss(const TrainingInputs& inputs, const Pass<N>& pass, const N& vocabulary, const N& hidden,
                          bool trains_matrix) {
    LossMoments<N> at;
    const FusedLoss version = inputs.request.loss.version;
    const N predicted = loss_tokens(inputs, pass);
    at.matrix_gradient_in_loss = trains_matrix;
    add_fullest_turn(at.loss, chunk_of_fused_loss(inputs, pass, vocabulary, hidden, trains_matrix), version);
    // a head that is not trained keeps nothing of what the loss is given
    const Adapter* adapter = pass.options.adapter;
    if (!pass.trainable && !(adapter && adapter->saves_head))
        at.loss.add(RowId::last_hidden_state, pass.tokens * hidden * bytes_of<N>(residual_type(pass)));
    const Bytes<N> gradient = predicted * hidden * bytes_of<N>(pass.options.numerics.compute);
    at.loss.add(RowId::hidden_gradient, gradient);
    at.loss.add(RowId::token_losses, predicted * bytes_of<N>(Dtype::float32));
    // how many tokens count, and in older versions a chunk's share of them, which scales its loss
    if (version == FusedLoss::upcast)
        at.loss.add(RowId::scalars, bytes_of<N>(Dtype::int64) + bytes_of<N>(Dtype::float32));
    else
        at.loss.add(RowId::valid_tokens, predicted * bytes_of<N>(Dtype::boolean));
    at.backward.add(RowId::hidden_gradient, gradient);
    return at;
}

/// The turns of the loop as an allocator sees them; beside what stays from turn to turn.
struct FusedLossEvents {
    std::vector<MemoryEvent> events;
    size_t slots = 0;
};
FusedLossEvents events_of_turns(const FusedChunk<double>& chunk, FusedLoss version);

}  // namespace plimsoll
