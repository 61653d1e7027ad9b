/// The vocabulary's tensors where a policy learns of its own answers, and a critic's values, at the moments of a step.
///
///     grpo     logits of the answer and one token before it, divided by the temperature where they lie. Of 16-bit ones
///              the log-softmax is kept, of fp32 ones the logits themselves; entropies for the log are taken of a copy,
///              some tokens at a time. Backward, what was changed in place through a view has its whole tensor made
///              anew: a copy of its gradient, and one of the view's before and after the division
///              fused or in chunks: hidden states of the answers are multiplied with the vocabulary matrix some sequences at
///              a time, one or as many as a chunk has, in a function that is compiled with its backward pass: of a chunk
///              there are logits and their gradient, in the type of the product; of all, the gradient of the hidden states
///     ppo      logits of all tokens, of which the answer's are scored; no entropies
///     critic   one value for each token; the answer's, clipped about what they were, against the returns in fp32
///
/// Source: TRL, trainer/grpo_trainer.py (_get_per_token_logps_and_entropies, _compute_loss), trainer/utils.py
/// (selective_log_softmax, entropy_from_logits); Liger-Kernel, chunked_loss/fused_linear_ppo.py; Unsloth,
/// models/rl_replacements.py (UnslothEfficientGRPO); verl, workers/actor/dp_actor.py, trainer/ppo/core_algos.py
/// (compute_value_loss), utils/torch_functional.py (logprobs_from_logits_v2); PyTorch, autograd CopySlices. The moments
/// are those of tests/measured/training_objectives.jsonl.
#pragma once

#include "estimate/training/loss/objectives.h"

namespace plimsoll {

template <class N>
Bytes<N> larger(const Bytes<N>& one, const Bytes<N>& other) {
    return value_of(one) < value_of(other) ? other : one;
}

/// grpo. The ratio, its clipping and the divergence from a reference have a number for each token, no more.
template <class N>
LossMoments<N> group_loss(const PairLogits<N>& logits, const Pass<N>& pass, const N& vocabulary) {
    LossMoments<N> at;
    at.forward.add(RowId::logits, logits.made);
    at.loss.add(RowId::logits, logits.made);
    if (logits.narrow) at.loss.add(RowId::log_softmax, logits.scored);
    const Bytes<N> entropy = entropy_of_some(logits, pass, vocabulary);
    at.loss.add(RowId::logged_figures, logits.single ? entropy : logits.scored + entropy);
    at.backward.add(RowId::loss_gradient, N(2) * logits.scored);
    at.backward.add(RowId::logits_gradient, N(2) * logits.made);
    at.head.add(RowId::logits_gradient, logits.made);
    return at;
}

/// grpo, fused or in chunks of sequences.
template <class N>
LossMoments<N> group_loss_in_turns(const TrainingInputs& inputs, const Pass<N>& pass, const N& vocabulary,
                                   const N& hidden, bool trains_matrix) {
    const bool chunked = inputs.request.loss.kernel == LossKernel::chunked;
    const N answer =
        input<N>("completion", inputs.request.objective.rollout.completion, "request: training.rollout.completion");
    const double most = value_of(pass.batch);
    const double sequences = chunked ? ceiling(most / minimum(inputs.request.loss.chunks, most)) : 1;
    const N tokens = input<N>("sequences_at_once", sequences, "request: training.loss, training.loss_chunks") * answer;
    const Bytes<N> own = bytes_of<N>(pass.options.numerics.compute);
    const Bytes<N> logits = named("logits_of_a_chunk", tokens * vocabulary) * own;
    const Bytes<N> states = pass.batch * answer * hidden * own;
    LossMoments<N> at;
    at.forward.add(RowId::last_hidden_state, states);
    at.loss.add(RowId::last_hidden_state, states);
    at.loss.add(RowId::logits, logits);
    at.loss.add(RowId::logits_gradient, logits);
    at.loss.add(RowId::hidden_gradient, states);
    at.backward.add(RowId::hidden_gradient, states);
    at.matrix_gradient_in_loss = trains_matrix;
    return at;
}

/// ppo.
template <class N>
LossMoments<N> clipped_loss(const PairLogits<N>& logits) {
    LossMoments<N> at;
    at.forward.add(RowId::logits, logits.made);
    at.loss.add(RowId::logits, logits.made);
    at.loss.add(RowId::log_softmax, logits.narrow ? logits.scored : logits.of_a_sequence);
    const Bytes<N> of_two = N(2) * logits.of_a_sequence;
    const Bytes<N> scores = logits.narrow ? logits.scored + of_two : logits.scored + larger(logits.scored, of_two);
    const Bytes<N> widest = logits.narrow ? scores : logits.made + scores;
    if (value_of(widest) > value_of(N(2) * logits.made)) {
        if (!logits.narrow) at.backward.add(RowId::logits, logits.made);
        at.backward.add(RowId::loss_gradient, scores);
    } else {
        at.backward.add(RowId::logits_gradient, N(2) * logits.made);
    }
    at.head.add(RowId::logits_gradient, logits.made);
    return at;
}

/// A critic's. Of the answer's values in fp32: with the clipped ones, their distances, squares and the larger of these,
/// ten tensors; backward, eleven, and two masks of a byte each for every two comparisons.
template <class N>
LossMoments<N> value_loss(const PairLogits<N>& values, const Pass<N>& pass) {
    const Bytes<N> each{
        named("values_of_the_answers", (pass.batch * values.predicted * bytes_of<N>(Dtype::float32)).n)};
    LossMoments<N> at;
    at.forward.add(RowId::critic_values, values.made);
    at.loss.add(RowId::critic_values, values.made);
    at.loss.add(RowId::value_loss, N(10) * each);
    at.backward.add(RowId::critic_values, values.made);
    at.backward.add(RowId::value_loss, N(11.5) * each);
    at.head.add(RowId::logits_gradient, values.made);
    return at;
}

}  // namespace plimsoll
