/// The vocabulary's tensors where a loss is taken of tokens' probabilities, sequence by sequence.
/// Source: TRL, trainer/utils.py (selective_log_softmax).
#pragma once

#include "estimate/training/forward/saved.h"

namespace plimsoll {

/// Logits of which the objective makes something: all but each sequence's last token's; of answers, those alone.
template <class N>
struct PairLogits {
    Dtype dtype;
    bool narrow;  ///< of 16 bits: their log-softmax is taken; of fp32 ones, their log-sum-exp
    bool single;  ///< of one sequence
    N predicted;  ///< tokens of a sequence that are scored
    Bytes<N> made, scored, of_a_sequence;

    PairLogits(const Pass<N>& pass, const N& vocabulary) : PairLogits(pass, vocabulary, pass.sequence - N(1), false) {}
    /// `widened`: what the model returns is upcast to fp32, whatever it computes in.
    PairLogits(const Pass<N>& pass, const N& vocabulary, const N& scored_tokens, bool widened)
        : dtype(pass.options.numerics.autocast || widened ? Dtype::float32 : pass.options.numerics.compute),
          narrow(dtype == Dtype::sixteen_bit),
          single(value_of(pass.batch) == 1),
          predicted(scored_tokens),
          made(named("logits_elements", pass.tokens * vocabulary) * bytes_of<N>(dtype)),
          scored(named("scored_logits", pass.batch * predicted * vocabulary) * bytes_of<N>(dtype)),
          of_a_sequence(predicted * vocabulary * bytes_of<N>(dtype)) {}

    /// Of a model that keeps nothing: sequence by sequence, the log-softmax of the one before still being held by its
    /// name; of a log-sum-exp, the exponentials that it sums.
    Bytes<N> unsaved() const { return narrow && !single ? made + N(2) * of_a_sequence : made + of_a_sequence; }
};

/// Those of an objective. GRPO's model gives logits of the answer and the token before it alone (transformers'
/// logits_to_keep); PPO's of all tokens, of which the answer's are scored. A trainer's autocast upcasts what a model
/// returns (accelerate, convert_outputs_to_fp32).
template <class N>
PairLogits<N> scored_logits(const TrainingInputs& inputs, const Pass<N>& pass, const N& vocabulary) {
    const Objective objective = inputs.request.objective.kind;
    if (!generates(objective) && objective != Objective::critic) return {pass, vocabulary};
    const N answer =
        input<N>("completion", inputs.request.objective.rollout.completion, "request: training.rollout.completion");
    const bool widened = objective != Objective::critic && inputs.request.loss.returned_in_fp32;
    if (objective != Objective::grpo) return {pass, vocabulary, answer, widened};
    Pass<N> cut = pass;
    cut.sequence = answer + N(1);
    cut.tokens = named("tokens_with_logits", pass.batch * cut.sequence);
    return {cut, vocabulary, answer, widened};
}

}  // namespace plimsoll
