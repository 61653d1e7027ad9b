/// The vocabulary's tensors where the objective is not the next token's cross-entropy, as TRL computes it.
///
///     dpo     one pass over chosen and rejected sequences. Of 16-bit logits the log-softmax is kept, of fp32 ones
///     (also
///             where autocast's outputs are widened) the logits themselves. The reference's logits are made while the
///             policy's are still held, and stay until figures for the log are taken of the policy's: its logits in one
///             list, and of some tokens at a time their log-softmax, probabilities and product.
///     kto     the same of single sequences; before, a pass that keeps nothing over answers to other prompts. For the
///             log, wanted and unwanted ones are copied apart, and the completions' tokens of one of them out of that
///     orpo    chosen and rejected, no reference; the cross-entropy of the chosen ones besides, whose gradient joins
///     that
///             of the odds
///     reward  one number for each token; of each sequence the last one's is used
/// Backward: the gradients of what was gathered, and of the logits without each sequence's last token, are copied into
/// whole ones.
///
/// Source: TRL, trainer/dpo_trainer.py and trainer/kto_trainer.py (_compute_loss), trainer/utils.py
/// (entropy_from_logits), experimental/orpo/orpo_trainer.py (concatenated_forward), trainer/reward_trainer.py; the
/// moments are those of tests/measured/training_objectives.jsonl.
#pragma once

#include "estimate/training/loss/pair_logits.h"

namespace plimsoll {

/// What lies in the vocabulary's tensors at the moments of a step.
template <class N>
struct LossMoments {
    Groups<N> before, forward, loss, backward, head;  ///< before: a pass that keeps nothing, ahead of the forward pass
    Groups<N> beside;                                 ///< while another model runs, before the loss is taken
    Group<N> other{RowId::logits, Bytes<N>{N(0)}};    ///< what that model has meanwhile
    Groups<N> held;                                   ///< what the caller refers to until the step has ended
    Groups<N> at_forward_head;                        ///< while the vocabulary product runs
    Bytes<N> returned{N(0)};                          ///< outputs that the caller holds
    bool matrix_gradient_in_loss = false;             ///< of the vocabulary matrix, before the backward pass begins
};

/// What the entropies of some tokens at a time make: log-softmax, probabilities and their product.
template <class N>
Bytes<N> entropy_of_some(const PairLogits<N>& logits, const Pass<N>& pass, const N& vocabulary) {
    const N at_once = input<N>("tokens_at_once", 128, "TRL, entropy_from_logits");
    const N predicted = named("predicted_tokens", pass.batch * logits.predicted);
    const N few = value_of(predicted) < 128 ? predicted : at_once;
    return {named("entropy_of_some", (N(3) * few * vocabulary * bytes_of<N>(logits.dtype)).n)};
}

/// Copies of the logits that figures for the log are taken of. `halves`: completions of one kind are copied out.
template <class N>
Bytes<N> logged_figures(const PairLogits<N>& logits, const Pass<N>& pass, const N& vocabulary, bool halves) {
    const Bytes<N> entropy = entropy_of_some(logits, pass, vocabulary);
    const Bytes<N> half = logits.scored / N(2);
    return logits.scored + (halves && value_of(half) > value_of(entropy) ? half : entropy);
}

/// dpo, kto.
template <class N>
LossMoments<N> preference_loss(const Pass<N>& pass, const N& vocabulary, bool single) {
    const PairLogits<N> logits(pass, vocabulary);
    LossMoments<N> at;
    if (single) at.before.add(RowId::logits, logits.unsaved());
    at.forward.add(RowId::logits, logits.made);
    at.beside.add(RowId::logits, logits.made);
    if (logits.narrow) at.beside.add(RowId::log_softmax, logits.scored);
    at.loss = at.beside;
    at.loss.add(RowId::logged_figures, logged_figures(logits, pass, vocabulary, single));
    if (logits.narrow) {
        at.backward.add(RowId::loss_gradient, logits.scored);
        at.backward.add(RowId::logits_gradient, logits.made);
    } else {
        at.backward.add(RowId::logits, logits.made);
        at.backward.add(RowId::loss_gradient, N(2) * logits.scored);
    }
    at.head.add(RowId::logits_gradient, logits.made);
    return at;
}

template <class N>
LossMoments<N> odds_loss(const Pass<N>& pass, const N& vocabulary) {
    const PairLogits<N> logits(pass, vocabulary);
    const Bytes<N> chosen = logits.scored / N(2);
    LossMoments<N> at;
    at.forward.add(RowId::logits, logits.made);
    at.loss.add(RowId::logits, logits.made);
    at.loss.add(RowId::cross_entropy,
                logits.narrow ? chosen : logits.scored);  // meanwhile another copy, or exponentials
    if (logits.narrow) at.loss.add(RowId::log_softmax, logits.scored);
    if (logits.narrow) {
        at.backward.add(RowId::logits_gradient, N(2) * logits.made);  // of the odds, and what is added to it
        at.backward.add(RowId::cross_entropy, logits.made / N(2));
    } else {
        at.backward.add(RowId::logits, logits.made);
        at.backward.add(RowId::cross_entropy, chosen);
        at.backward.add(RowId::loss_gradient, N(2) * logits.scored);
    }
    at.head.add(RowId::logits_gradient, logits.made);
    return at;
}

/// A head of one output for each token.
template <class N>
LossMoments<N> score_loss(const Pass<N>& pass) {
    const Bytes<N> scores = pass.tokens * bytes_of<N>(pass.options.numerics.compute);
    LossMoments<N> at;
    at.forward.add(RowId::logits, scores);
    at.loss.add(RowId::logits, scores);
    at.backward.add(RowId::logits_gradient, scores);
    at.head.add(RowId::logits_gradient, scores);
    return at;
}

}  // namespace plimsoll
