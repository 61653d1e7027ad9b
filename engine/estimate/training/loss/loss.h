/// The vocabulary logits over time: as the forward pass leaves them, in the loss, and in the loss's backward pass.
///
///     full      logits ──fp32──▶ log-softmax ──▶ loss          backward: log-softmax, and the gradients of the
///                                                               loss and of log-softmax, each as large as the logits
///     chunked   the same with fp32 copies and gradients of one chunk of tokens at a time; log-softmax stays of all
///     fused     vocabulary matrix and loss together, chunk by chunk (fused_loss.h)
///     cut       the same block by block within a kernel: no logits at all. Of each token its log-sum-exp stays, of
///               each word the mean of its logits; backward makes the gradients of hidden states and matrix
///     megatron  the fp32 copy is exponentiated and divided where it lies; backward, it becomes the gradient
///     divided   DTensor's loss_parallel, full or chunked, over the device's part of the vocabulary: of Python operations, so
///               that the logits less their largest are there beside the exponents or log-softmax; backward, log-softmax,
///               what it becomes at the targets, the exponents, and their sum
///     compiled  upcast and loss in one kernel, chunked or not: logits and their gradient alone, both in fp32 where the
///               model upcasts its logits before
///
/// A model without a vocabulary has the mean squared distance to its targets.
///
/// Source: transformers loss_utils.ForCausalLMLoss; PyTorch log_softmax and nll_loss; torchtune
/// CEWithChunkedOutputLoss; ml-cross-entropy (arXiv:2411.09009) cce.py, cce_lse_forward.py, cce_backward.py; Megatron-LM core/tensor_parallel/cross_entropy.py
/// (VocabParallelCrossEntropy); PyTorch distributed/tensor/parallel/loss.py (_log_softmax,
/// _nll_loss_and_log_softmax_backward).
#pragma once

#include "estimate/training/loss/answer_loss.h"
#include "estimate/training/loss/distillation.h"
#include "estimate/training/loss/fused_loss.h"

namespace plimsoll {

/// What the loss's backward pass has alive: what it kept, and the gradients of its chunk.
template <class N>
void add_loss_backward(Groups<N>& backward, const Bytes<N>& log_softmax, const Bytes<N>& scalar, const N& labels,
                       const Bytes<N>& chunk) {
    backward.add(RowId::log_softmax, log_softmax);
    backward.add(RowId::scalars, scalar);
    backward.add(RowId::gradient_of_the_loss, scalar);
    backward.add(RowId::targets, labels * bytes_of<N>(Dtype::int64));
    backward.add(RowId::loss_gradient, chunk);
    backward.add(RowId::logits_gradient, chunk);
}

/// DTensor's own backward pass has exponents of its share beside log-softmax. (PyTorch, distributed/tensor/parallel/loss.py)
template <class N>
void add_divided_softmax(LossMoments<N>& at, const Bytes<N>& chunk) {
    for (Groups<N>* moment : {&at.loss, &at.backward}) moment->add(RowId::divided_softmax, chunk);
}

template <class N>
LossMoments<N> at_once(const TrainingInputs& inputs, const Pass<N>& pass, const N& vocabulary, const N& hidden) {
    LossMoments<N> at;
    const Dtype compute = pass.options.numerics.compute;
    const bool upcast = compute != Dtype::float32 && inputs.request.loss.logits_in_fp32;
    const Bytes<N> own = bytes_of<N>(compute), wide = upcast ? bytes_of<N>(Dtype::float32) : own;
    const N elements = named("logits_elements", pass.tokens * vocabulary);
    const N predicted = loss_tokens(inputs, pass);
    const N scored = inputs.request.loss.logits_cut ? named("predicted_logits", predicted * vocabulary) : elements;
    const bool chunked = inputs.request.loss.kernel == LossKernel::chunked;
    Bytes<N> chunk = scored * wide;
    if (chunked) chunk = chunk / input<N>("loss_chunks", inputs.request.loss.chunks, "request: training.loss_chunks");
    at.forward.add(RowId::logits, elements * own);
    // where the model itself upcasts them, nothing refers to the 16-bit ones any longer
    const bool replaced = upcast && inputs.request.loss.logits_kept && inputs.request.loss.returned_in_fp32;
    if (!replaced) at.loss.add(RowId::logits, elements * own);
    // what the head is given lives in the model's output, whether or not the head keeps it for its backward pass
    const Adapter* adapter = pass.options.adapter;
    if ((!pass.trainable && !(adapter && adapter->saves_head)) || residual_type(pass) != pass.options.numerics.compute)
        for (Groups<N>* moment : {&at.forward, &at.loss})
            moment->add(RowId::last_hidden_state, pass.tokens * hidden * bytes_of<N>(residual_type(pass)));
    if (upcast) at.loss.add(RowId::logits_fp32, chunked ? chunk : elements * wide);
    // one sequence without its end lies in one piece already: nothing is copied, and all of its labels stay
    const bool copies = inputs.request.loss.logits_cut && inputs.request.batch.micro_batch > 1;
    const N labels = copies ? predicted : pass.tokens;
    if (copies) at.loss.add(RowId::logits_cut, scored * wide);
    at.loss.add(RowId::log_softmax, scored * wide);
    at.loss.add(RowId::targets, labels * bytes_of<N>(Dtype::int64));
    at.loss.add(RowId::scalars, wide);  // nll_loss's sum of weights
    add_loss_backward<N>(at.backward, scored * wide, wide, labels, chunk);
    if (inputs.layout.divides_vocabulary() && !inputs.layout.by_megatron()) add_divided_softmax(at, chunk);
    at.at_forward_head.add(RowId::logits, elements * own);
    // outputs that were upcast before the loss was cut into chunks have all their gradients before one of them goes on
    const bool upcast_before = chunked && replaced;
    at.head.add(RowId::logits_gradient, elements * (upcast_before ? wide : own));
    if (upcast_before) at.forward.add(RowId::logits_fp32, elements * wide);
    if (!inputs.request.loss.logits_kept) return at;
    at.returned = elements * (inputs.request.loss.returned_in_fp32 ? wide : own);
    for (Groups<N>* moment : {&at.backward, &at.head, &at.held}) moment->add(RowId::logits_kept, at.returned);
    return at;
}

/// 16-bit logits that the model's own code hands to the loss under autocast. Cross-entropy asks log-softmax for the
/// logits' own type, which autocast leaves as it is; the negative log-likelihood is taken in fp32, of a copy that it
/// keeps. What the model returns is upcast once the loss is there (accelerate's convert_outputs_to_fp32).
/// Source: PyTorch, LossNLL.cpp cross_entropy_loss; autocast_mode.h: nll_loss is fp32, log_softmax fp32_set_opt_dtype.
template <class N>
LossMoments<N> loss_under_autocast(const TrainingInputs& inputs, const Pass<N>& pass, const N& vocabulary) {
    LossMoments<N> at;
    const Bytes<N> own = bytes_of<N>(pass.options.numerics.compute), wide = bytes_of<N>(Dtype::float32);
    const N elements = named("logits_elements", pass.tokens * vocabulary);
    const N predicted = loss_tokens(inputs, pass);
    const N scored = inputs.request.loss.logits_cut ? named("predicted_logits", predicted * vocabulary) : elements;
    const bool copies = inputs.request.loss.logits_cut && inputs.request.batch.micro_batch > 1;
    const Bytes<N> targets = (copies ? predicted : pass.tokens) * bytes_of<N>(Dtype::int64);
    for (Groups<N>* moment : {&at.forward, &at.loss, &at.at_forward_head}) moment->add(RowId::logits, elements * own);
    if (copies) at.loss.add(RowId::logits_cut, scored * own);
    for (Groups<N>* moment : {&at.loss, &at.backward}) {
        moment->add(RowId::log_softmax, scored * own);
        moment->add(RowId::log_softmax_fp32, scored * wide);
        moment->add(RowId::targets, targets);
        moment->add(RowId::scalars, wide);
    }
    if (inputs.request.loss.returned_in_fp32) at.loss.add(RowId::logits_fp32, elements * wide);
    at.backward.add(RowId::loss_gradient, scored * wide);
    at.head.add(RowId::logits_gradient, elements * own);
    return at;
}

/// A compiler makes one kernel of the upcast and the loss, and one of their backward pass, which reads the logits
/// again: neither fp32 logits nor their softmax are ever stored. Where the model's own code upcasts its logits before,
/// the kernels read and make fp32 (torchtune/modules/transformer.py, unembed).
template <class N>
LossMoments<N> compiled_loss(const TrainingInputs& inputs, const Pass<N>& pass, const N& vocabulary) {
    LossMoments<N> at;
    const Dtype compute = pass.options.numerics.compute;
    const bool upcast_before = compute != Dtype::float32 && inputs.request.loss.returned_in_fp32;
    const N predicted = loss_tokens(inputs, pass);
    const N elements = named("logits_elements", pass.tokens * vocabulary);
    const Bytes<N> logits = elements * bytes_of<N>(compute);
    const Bytes<N> given = upcast_before ? elements * bytes_of<N>(Dtype::float32) : logits;
    Bytes<N> gradient = given;
    if (inputs.request.loss.kernel == LossKernel::chunked)
        gradient = gradient / input<N>("loss_chunks", inputs.request.loss.chunks, "request: training.loss_chunks");
    at.forward.add(RowId::logits, logits);
    for (Groups<N>* moment : {&at.loss, &at.backward}) {
        moment->add(upcast_before ? RowId::logits_fp32 : RowId::logits, given);
        moment->add(RowId::log_sum_exp, predicted * bytes_of<N>(Dtype::float32));
        moment->add(RowId::targets, predicted * bytes_of<N>(Dtype::int64));
    }
    at.backward.add(RowId::logits_gradient, gradient);
    at.head.add(RowId::logits_gradient, logits);
    if (!inputs.request.loss.logits_kept) return at;
    at.returned = given;
    for (Groups<N>* moment : {&at.head, &at.held}) moment->add(RowId::logits_kept, given);
    return at;
}

/// Megatron-LM's, over the device's part of the vocabulary: all happens in one fp32 copy of the logits.
template <class N>
LossMoments<N> in_place_loss(const Pass<N>& pass, const N& vocabulary) {
    LossMoments<N> at;
    const Dtype compute = pass.options.numerics.compute;
    const N elements = named("logits_elements", pass.tokens * vocabulary);
    const Bytes<N> logits = elements * bytes_of<N>(compute), wide = elements * bytes_of<N>(Dtype::float32);
    const Bytes<N> targets = pass.tokens * bytes_of<N>(Dtype::int64);
    at.forward.add(RowId::logits, logits);
    if (compute != Dtype::float32) at.loss.add(RowId::logits, logits);
    for (Groups<N>* moment : {&at.loss, &at.backward}) {
        moment->add(RowId::logits_fp32, wide);
        moment->add(RowId::targets, N(2) * targets);  // the labels, and where they lie in this part
    }
    if (compute != Dtype::float32) at.backward.add(RowId::logits_gradient, logits);
    at.at_forward_head.add(RowId::logits, logits);
    at.head.add(RowId::logits_gradient, logits);
    return at;
}

/// Cut cross-entropy. The hidden states are the head's to keep. Words are visited in the order of their mean logits, so
/// that blocks whose gradient is too small to count lie together; locks keep blocks from adding to one place at a time.
/// Under autocast gradients are made in 16 bits, and those are there while they are cast.
template <class N>
LossMoments<N> cut_loss(const Pass<N>& pass, const N& vocabulary, const N& hidden, bool trains_matrix) {
    LossMoments<N> at;
    const Bytes<N> wide = bytes_of<N>(Dtype::float32), index = bytes_of<N>(Dtype::int64);
    const N predicted = named("predicted_tokens", pass.batch * (pass.sequence - N(1)));
    for (Groups<N>* moment : {&at.loss, &at.backward, &at.head}) {
        moment->add(RowId::log_sum_exp, predicted * wide);
        moment->add(RowId::valid_tokens, predicted * index);
        moment->add(RowId::targets, pass.tokens * index);
        moment->add(RowId::mean_logits, vocabulary * wide);
    }
    at.loss.add(RowId::logits_of_targets, predicted * wide);
    at.head.add(RowId::order_of_words, vocabulary * wide);  // int32
    N locked = ceiling(predicted / N(128));
    if (trains_matrix) locked += ceiling(vocabulary / N(128));
    at.head.add(RowId::locks, ceiling(hidden / N(64)) * locked * wide);
    if (residual_type(pass) == pass.options.numerics.compute) return at;
    N cast = pass.tokens * hidden;
    if (trains_matrix) cast += vocabulary * hidden;
    at.head.add(RowId::gradients_before_cast, cast * bytes_of<N>(pass.options.numerics.compute));
    return at;
}

/// The mean squared distance of vectors: the mean owns the memory of the distances that it was taken of. Under autocast
/// it is taken in fp32. (PyTorch mse_loss)
template <class N>
LossMoments<N> squared_error(const Model& model, const TrainingInputs& inputs, const Pass<N>& pass) {
    LossMoments<N> at;
    const Bytes<N> bytes = pass.tokens * as<N>(*model.hidden_size) * bytes_of<N>(residual_type(pass));
    at.loss.add(RowId::loss, bytes);
    at.backward.add(RowId::loss, bytes);
    at.backward.add(RowId::output_gradient, bytes);
    at.head = at.backward;
    if (inputs.request.holds.loss) at.held = at.loss;
    return at;
}

template <class N>
LossMoments<N> next_token_loss(const TrainingInputs& inputs, const Pass<N>& pass, const N& vocabulary, const N& hidden,
                               bool trains_matrix) {
    if (inputs.request.loss.kernel == LossKernel::fused)
        return fused_loss(inputs, pass, vocabulary, hidden, trains_matrix);
    if (inputs.request.loss.kernel == LossKernel::cut) return cut_loss(pass, vocabulary, hidden, trains_matrix);
    if (inputs.request.loss.autocast && pass.options.numerics.compute == Dtype::sixteen_bit)
        return loss_under_autocast(inputs, pass, vocabulary);
    if (inputs.layout.by_megatron() && inputs.request.loss.kernel == LossKernel::full)
        return in_place_loss(pass, vocabulary);
    return inputs.request.loss.compiled ? compiled_loss(inputs, pass, vocabulary)
                                        : at_once(inputs, pass, vocabulary, hidden);
}

/// Whether the loss is the fused one of the next token.
inline bool takes_fused_loss(const Model& model, const TrainingRequest& request) {
    const bool next_token =
        request.objective.kind == Objective::sft ||
        (request.objective.kind == Objective::distill && request.objective.divergence == Divergence::hidden_states);
    return next_token && request.loss.kernel == LossKernel::fused && model.vocab_size && model.hidden_size;
}

template <class N>
LossMoments<N> loss_moments(const Model& model, const TrainingInputs& inputs, const Pass<N>& pass, bool trains_matrix) {
    if (is_regression(model)) return squared_error(model, inputs, pass);
    if (!model.vocab_size || !model.hidden_size) return {};
    const N vocabulary = as<N>(*model.vocab_size), hidden = as<N>(*model.hidden_size);
    if (inputs.request.method.parts && !trains_matrix && pass.trainable) {
        Pass<N> frozen = pass;
        frozen.trainable = false;
        return loss_moments(model, inputs, frozen, false);
    }
    const Objective objective = inputs.request.objective.kind;
    const Divergence divergence = inputs.request.objective.divergence;
    if (objective == Objective::dpo) return preference_loss(pass, vocabulary, false);
    if (objective == Objective::kto) return preference_loss(pass, vocabulary, true);
    if (objective == Objective::orpo) return odds_loss(pass, vocabulary);
    if (objective == Objective::reward) return score_loss(pass);
    const LossKernel kernel = inputs.request.loss.kernel;
    if (objective == Objective::grpo && (kernel == LossKernel::fused || kernel == LossKernel::chunked))
        return group_loss_in_turns(inputs, pass, vocabulary, hidden, trains_matrix);
    if (objective == Objective::grpo) return group_loss(scored_logits(inputs, pass, vocabulary), pass, vocabulary);
    if (objective == Objective::ppo) return clipped_loss(scored_logits(inputs, pass, vocabulary));
    if (objective == Objective::critic) return value_loss(scored_logits(inputs, pass, vocabulary), pass);
    if (objective == Objective::distill && divergence != Divergence::hidden_states)
        return teacher_loss(pass, vocabulary, divergence);
    LossMoments<N> at = next_token_loss(inputs, pass, vocabulary, hidden, trains_matrix);
    // the product and what it is multiplied to (transformers, GraniteForCausalLM and CohereForCausalLM.forward)
    Bytes<N> scaled{N(0)};
    for (const Group<N>& group : at.forward.list())
        if (group.id == RowId::logits && model.scaled_logits && !inputs.layout.by_megatron()) scaled = group.bytes;
    at.forward.add(RowId::scaled_logits, scaled);
    return objective == Objective::distill ? with_distance(std::move(at), last_states(pass, hidden)) : at;
}

}  // namespace plimsoll
