/// The vocabulary's tensors where a student learns what its teacher says of each token, as TRL computes it.
///
/// Both models' logits, without each sequence's last token, are divided by a temperature and made log-probabilities;
/// the teacher's are there, too, until the loss is taken. In elements of those (S):
///
///     forward         3 S: probabilities of the teacher, its distance, their product.       Backward: 4 S
///     reverse         4 S: the same of the student, and a copy of what counts.              Backward: 6 S
///     jensen_shannon  3 S of the mixture: both weighted, and their log-sum-exp; 8 S: two distances as above, weighted
///                     and added.                                                            Backward: 12 S
///     hidden_states   the next token's loss, and the mean squared distance of what both models' last layers give
///
/// Source: TRL, experimental/gkd/gkd_trainer.py (generalized_jsd_loss); PyTorch kl_div, logsumexp, mse_loss; the
/// moments are those of tests/measured/training_objectives.jsonl.
#pragma once

#include "estimate/training/loss/objectives.h"

namespace plimsoll {

template <class N>
LossMoments<N> teacher_loss(const Pass<N>& pass, const N& vocabulary, Divergence divergence) {
    const PairLogits<N> logits(pass, vocabulary);
    const bool mixes = divergence == Divergence::jensen_shannon, reverse = divergence == Divergence::reverse;
    const int one_way = reverse ? 3 : 2;
    const auto scored = [&logits](int times) { return N(times) * logits.scored; };
    LossMoments<N> at;
    at.forward.add(RowId::logits, logits.made);
    at.beside = at.forward;
    at.loss.add(RowId::logits, logits.made);
    at.loss.add(RowId::scaled_logits, scored(2));
    at.loss.add(RowId::log_softmax, scored(2));
    if (mixes) at.loss.add(RowId::mixture, scored(3));
    at.loss.add(RowId::divergence, scored(mixes ? 8 : one_way + 1));
    at.backward.add(RowId::log_softmax, scored(1));
    if (mixes) at.backward.add(RowId::mixture, scored(3));
    if (!mixes) at.backward.add(RowId::divergence, scored(reverse ? 2 : 1));
    at.backward.add(RowId::loss_gradient, scored(mixes ? 8 : one_way));
    at.head.add(RowId::logits_gradient, logits.made);
    return at;
}

/// What a model's last layer gives, behind its norm.
template <class N>
Bytes<N> last_states(const Pass<N>& pass, const N& hidden) {
    return pass.tokens * hidden * bytes_of<N>(residual_type(pass));
}

/// What the last layer gives is compared besides: the distance's mean owns the memory of the distances.
template <class N>
LossMoments<N> with_distance(LossMoments<N> at, const Bytes<N>& states) {
    at.beside = at.forward;
    at.loss.add(RowId::hidden_distance, states);
    at.backward.add(RowId::teacher_states, states);
    at.backward.add(RowId::hidden_distance, states);
    at.head.add(RowId::hidden_distance, states);  // its gradient, until that of the logits has come
    return at;
}

}  // namespace plimsoll
