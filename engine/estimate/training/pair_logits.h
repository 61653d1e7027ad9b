/// The vocabulary's tensors where a loss is taken of tokens' probabilities, sequence by sequence.
/// Source: TRL, trainer/utils.py (selective_log_softmax).
#pragma once

#include "estimate/training/saved.h"

namespace plimsoll {

/// Logits of which the objective makes something: all but each sequence's last token's.
template <class N>
struct PairLogits {
    Dtype dtype;
    bool narrow;  ///< of 16 bits: their log-softmax is taken; of fp32 ones, their log-sum-exp
    Bytes<N> made, scored, of_a_sequence;

    PairLogits(const Pass<N>& pass, const N& vocabulary)
        : dtype(pass.options.numerics.autocast ? Dtype::float32 : pass.options.numerics.compute),
          narrow(dtype == Dtype::sixteen_bit),
          made(named("logits_elements", pass.tokens * vocabulary) * bytes_of<N>(dtype)),
          scored(named("scored_logits", pass.batch * (pass.sequence - N(1)) * vocabulary) * bytes_of<N>(dtype)),
          of_a_sequence((pass.sequence - N(1)) * vocabulary * bytes_of<N>(dtype)) {}

    /// Of a model that keeps nothing: sequence by sequence, the log-softmax of the one before still being held by its
    /// name; of a log-sum-exp, the exponentials that it sums.
    Bytes<N> unsaved() const { return narrow ? made + N(2) * of_a_sequence : made + of_a_sequence; }
};

}  // namespace plimsoll
