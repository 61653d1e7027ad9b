/// The vocabulary's tensors where the objective is not the next token's cross-entropy, as TRL computes it.
///
///     dpo       one pass over chosen and rejected sequences. Of 16-bit logits the log-softmax is kept, made sequence
///     by
///               sequence; of fp32 ones (also where autocast's outputs are widened) the logits themselves. The
///               reference's logits are made while the policy's are still held. Backward: the gradients of what was
///               gathered, and of the logits without each sequence's last token, are copied into whole ones.
///     reward    one number for each token; of each sequence the last one's is used
///
/// Source: TRL, trainer/dpo_trainer.py (_compute_loss), trainer/utils.py (selective_log_softmax),
/// trainer/reward_trainer.py; the moments are those of tests/measured/training_objectives.jsonl.
#pragma once

#include "estimate/companions.h"
#include "estimate/training/saved.h"

namespace plimsoll {

/// What lies in the vocabulary's tensors at the moments of a step.
template <class N>
struct LossMoments {
    Groups<N> forward, loss, backward, head;
    Groups<N> held;                        ///< what the caller refers to until the step has ended
    Groups<N> at_forward_head;             ///< while the vocabulary product runs
    Bytes<N> returned{N(0)};               ///< outputs that the caller holds
    bool matrix_gradient_in_loss = false;  ///< of the vocabulary matrix, before the backward pass begins
};

/// Logits of which the objective makes something: all but each sequence's last token's.
template <class N>
struct PairLogits {
    Dtype dtype;
    bool narrow;  ///< of 16 bits
    Bytes<N> made, scored, of_a_sequence;

    PairLogits(const Pass<N>& pass, const N& vocabulary)
        : dtype(pass.options.numerics.autocast ? Dtype::float32 : pass.options.numerics.compute),
          narrow(dtype == Dtype::sixteen_bit),
          made(named("logits_elements", pass.tokens * vocabulary) * bytes_of<N>(dtype)),
          scored(named("scored_logits", pass.batch * (pass.sequence - N(1)) * vocabulary) * bytes_of<N>(dtype)),
          of_a_sequence((pass.sequence - N(1)) * vocabulary * bytes_of<N>(dtype)) {}

    /// Of a model that keeps nothing: sequence by sequence, the one before still being held by its name.
    Bytes<N> unsaved() const { return narrow ? made + N(2) * of_a_sequence : made; }
};

template <class N>
LossMoments<N> pair_loss(const Pass<N>& pass, const N& vocabulary) {
    const PairLogits<N> logits(pass, vocabulary);
    LossMoments<N> at;
    at.forward.add("logits", logits.made);
    at.loss.add("logits", logits.made);
    if (logits.narrow) {
        at.loss.add("log_softmax", logits.scored);
        at.backward.add("loss_gradient", logits.scored);
    } else {
        at.backward.add("logits", logits.made);
        at.backward.add("loss_gradient", N(2) * logits.scored);
    }
    at.backward.add("logits_gradient", logits.narrow ? logits.made : logits.scored);
    at.head.add("logits_gradient", logits.made);
    return at;
}

/// A head of one output for each token.
template <class N>
LossMoments<N> score_loss(const Pass<N>& pass) {
    const Bytes<N> scores = pass.tokens * bytes_of<N>(pass.options.numerics.compute);
    LossMoments<N> at;
    at.forward.add("logits", scores);
    at.loss.add("logits", scores);
    at.backward.add("logits_gradient", scores);
    at.head.add("logits_gradient", scores);
    return at;
}

/// A pass of a frozen model over the same tokens, which keeps nothing.
template <class N>
Pass<N> frozen_pass(const TrainingInputs& inputs) {
    Pass<N> pass = training_pass<N>(inputs);
    pass.training = false;
    pass.options.adapter = nullptr;
    pass.options.dropout = 0;
    return pass;
}

/// `reference`: a frozen copy of the policy, or none where the policy is an adapter that can be switched off; and its
/// pass while the policy's logits are held, at the fuller of two moments: in its widest layer, or at its logits.
template <class N>
void add_reference(Ledger<N>& ledger, const Model& model, const TrainingInputs& inputs, Ledger<N> held) {
    if (!model.hidden_size || !model.vocab_size || model.kinds.empty()) return;
    const Pass<N> pass = frozen_pass<N>(inputs);
    Bytes<N> widest{N(0)};
    for (const LayerKind& kind : model.kinds)
        if (const Bytes<N> peak = run<N>(kind.block, pass, as<N>(*model.hidden_size)).forward_peak();
            value_of(peak) > value_of(widest))
            widest = peak;
    const Bytes<N> made = PairLogits<N>(pass, as<N>(*model.vocab_size)).unsaved();
    const bool at_logits = value_of(made) > value_of(widest);
    Row<N>& row = held.add(at_logits ? "logits" : "activations", Basis::modelled);
    for (size_t phase = 0; phase < held.phases.size(); ++phase)
        if (std::string_view(held.phases[phase]).substr(0, 4) == "loss")
            row.cells[phase] = estimated<N>(row.id, at_logits ? made : widest);
    add_nested<N>(ledger, "reference", std::move(held.rows), [](std::string_view) { return true; });
}

}  // namespace plimsoll
