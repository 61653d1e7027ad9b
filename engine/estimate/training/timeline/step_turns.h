/// What each turn of a step makes, holds and lets go of, and its moments.
///
///     at the loss       everything saved, and what the loss's backward pass makes of the logits
///     at the head       everything saved, the gradient of the logits and of the vocabulary matrix
///     in a layer        what the layers below have saved, this layer's saved tensors and gradients in flight, and the
///                       parameters' gradients of all that lies above
///     at the embedding  the gradients of all parameters; where the head is the embedding matrix, a second one of it
#pragma once

#include "estimate/training/timeline/step_timeline.h"

namespace plimsoll {

// ---- which turns are played --------------------------------------------------------------------------------------

template <class N>
void StepTimeline<N>::play_step(bool all) {
    const std::vector<PiecePass> passes = passes_of_step(facts_.inputs);
    const std::vector<bool> fullest = may_be_fullest(passes, pieces_);
    PassTurns turns(plan_, facts_.inputs.place);
    const std::vector<bool> alike = alike_layers(turns.begins());
    for (size_t pass = 0; pass < passes.size(); ++pass) {
        if (!all && !fullest[pass]) {
            pass_over(passes[pass], turns.begins());
            continue;
        }
        for (const Turn& turn : turns.of(passes[pass])) {
            if (!all && turn.is_of_layer() && alike[turn.position])
                pass_over(turn);
            else
                play(turn);
        }
    }
}

// By position: whether the layers around it in its piece are planned as it is, as far as its moments look.
template <class N>
std::vector<bool> StepTimeline<N>::alike_layers(const std::vector<size_t>& begins) const {
    const size_t reach = facts_.gradients.by_unit || facts_.request.recompute.on_host ? 2 : 1;
    std::vector<bool> alike(layers(), false);
    for (size_t piece = 0; piece < pieces_; ++piece) {
        size_t begin = begins[piece];  // of layers that are planned alike
        for (size_t position = begin; position < begins[piece + 1]; ++position) {
            if (!plan_[position].is_planned_as(plan_[begin])) begin = position;
            if (position >= begin + 2 * reach) alike[position - reach] = true;
        }
    }
    return alike;
}

// What a pass leaves held or lets go of, but for gradients: none come in such a pass.
template <class N>
void StepTimeline<N>::pass_over(const PiecePass& pass, const std::vector<size_t>& begins) {
    const double count = pass.is_forward ? 1 : -1;
    if (pass.piece == 0 && !is_regression(facts_.model)) timeline_.hold(classes_.batch, count);
    if (pass.piece == 0 && facts_.inputs.place.first) timeline_.hold(classes_.embedding, count);
    for (size_t position = begins[pass.piece]; position < begins[pass.piece + 1]; ++position)
        hold_layer(position, pass.is_forward);
    if (!facts_.inputs.place.last || pass.piece + 1 != pieces_) return;
    timeline_.hold(classes_.head, count);
    if (losses_wait_) timeline_.hold(classes_.loss.waiting, count);
}

// What a layer's turn leaves held or lets go of.
template <class N>
void StepTimeline<N>::pass_over(const Turn& turn) {
    if (turn.work == Work::recompute) return;
    if (turn.is_forward() && plan_[turn.position].recomputed != Recomputed::nothing)
        timeline_.hold(layer_at(turn.position).casts);
    hold_layer(turn.position, turn.is_forward());
    if (!turn.is_forward()) layer_gradients_come(turn.position);
}

template <class N>
void StepTimeline<N>::play(const Turn& turn) {
    switch (turn.work) {
        case Work::begin: return begin(turn);
        case Work::embedding: return embedding(turn);
        case Work::layer: return layer(turn);
        case Work::head: return head(turn);
        case Work::loss: return loss(turn);
        case Work::loss_backward: return loss_backward(turn);
        case Work::head_backward: return head_backward(turn);
        case Work::recompute: return recompute(turn);
        case Work::layer_backward: return layer_backward(turn);
        case Work::embedding_backward: return embedding_backward(turn);
        case Work::end: return end(turn);
    }
}

// ---- forward -----------------------------------------------------------------------------------------------------

template <class N>
void StepTimeline<N>::begin(const Turn& turn) {
    if (turn.piece == 0 && !is_regression(facts_.model)) timeline_.hold(classes_.batch);
    timeline_.during(classes_.loss.before);
    moment(turn);
}

// What it gives waits for the first layer's weights.
template <class N>
void StepTimeline<N>::embedding(const Turn& turn) {
    timeline_.hold(classes_.embedding);
    if (classes_.first_layer_comes.empty()) return;
    timeline_.during(classes_.hidden_gradient);
    timeline_.during(classes_.first_layer_comes);
    moment(turn);
}

template <class N>
void StepTimeline<N>::layer(const Turn& turn) {
    const size_t position = turn.position;
    const PlannedLayer& planned = plan_[position];
    const Layer& layer = layer_at(position);
    const bool recomputes = recomputes_layers(facts_.request.recompute.checkpointing);
    const bool keeps = recomputes && planned.trained && planned.recomputed == Recomputed::nothing;
    if (planned.recomputed != Recomputed::nothing) timeline_.hold(layer.casts);
    timeline_.during(keeps ? layer.recomputed : layer.forward);
    timeline_.during(layer.beside);
    timeline_.during(layer.inside_forward);
    during_from_host(position);
    moment_of_forward(turn, position, 1);
    hold_layer(position, true);
}

template <class N>
void StepTimeline<N>::head(const Turn& turn) {
    if (ends(turn)) {
        timeline_.during(classes_.before_head);
        timeline_.during(classes_.outside_forward);
        during_from_host(layers());
        moment_of_forward(turn, layers(), 1);
        timeline_.hold(classes_.head);
    }
    if (ends(turn) && !classes_.head_dequantized.empty()) {
        timeline_.during(classes_.loss.at_forward_head);
        timeline_.during(classes_.head_dequantized);
        timeline_.during(classes_.outside_forward);
        moment_of_forward(turn, layers(), 0);
    }
    during_loss(classes_.loss.forward, turn);
    timeline_.during(classes_.outside_forward);
    moment_of_forward(turn, layers(), 0);
}

template <class N>
void StepTimeline<N>::loss(const Turn& turn) {
    during_loss(classes_.loss.loss, turn);
    timeline_.during(classes_.at_loss_forward);
    during_outputs(layers(), layers(), 0);
    during_cache(layers(), facts_.request.loss.logits_kept);
    during_previous(false);
    if (ends(turn) && facts_.loss.matrix_gradient_in_loss) during_arriving_matrix();
    moment(turn);
    for (const Layer& layer : classes_.layers) timeline_.release_all(layer.casts);
    if (losses_wait_ && ends(turn)) timeline_.hold(classes_.loss.waiting);
}

// ---- backward ----------------------------------------------------------------------------------------------------

template <class N>
void StepTimeline<N>::loss_backward(const Turn& turn) {
    if (losses_wait_ && ends(turn)) timeline_.release(classes_.loss.waiting);
    during_loss(classes_.loss.backward, turn);
    timeline_.during(classes_.at_loss_backward);
    during_outputs(layers(), layers(), 0);
    if (facts_.request.loss.logits_kept) during_cache(layers(), true);
    if (ends(turn) && facts_.loss.matrix_gradient_in_loss) during_arriving_matrix();
    moment(turn);
}

template <class N>
void StepTimeline<N>::head_backward(const Turn& turn) {
    during_loss(classes_.loss.head, turn);
    if (ends(turn)) {
        during_arriving_matrix();
        timeline_.during(classes_.temporaries);
        timeline_.during(classes_.head_dequantized);
    }
    if (facts_.model.head.given_flows) timeline_.during(classes_.hidden_gradient);
    timeline_.during(classes_.outside_backward);
    during_outputs(layers(), layers(), 0);
    if (facts_.request.loss.logits_kept) during_cache(layers(), true);
    moment(turn);
    if (!ends(turn)) return;
    if (!classes_.head_handed_over.empty()) {
        during_arriving_matrix();
        timeline_.during(classes_.hidden_gradient);
        timeline_.during(classes_.head_handed_over);
        timeline_.during(classes_.standing);
        moment_of_backward(turn, layers());
    }
    timeline_.release(classes_.head);
    if (!all_are_there_ && !head_is_there_ && !steps_at_once_) timeline_.hold(classes_.head_gradients);
    head_is_there_ = true;
    timeline_.during(classes_.after_head);
    if (all_are_there_) timeline_.during(classes_.norm_gradients);  // which are added
    timeline_.during(classes_.outside_backward);
    during_from_host(layers());
    moment_of_backward(turn, layers());
}

// A layer's second forward pass, with the gradient of what it gives waiting; so do the layers of its chunk below it.
template <class N>
void StepTimeline<N>::recompute(const Turn& turn) {
    const size_t position = turn.position;
    const PlannedLayer& planned = plan_[position];
    hold_layer(position, false);  // its input is among what it computes with
    timeline_.during(layer_at(position).recomputed);
    timeline_.during(layer_at(position).output_gradient);
    if (facts_.embedding_is_trained) timeline_.during(layer_at(position).beside);
    if (facts_.gradients.by_unit && planned.chunk_end < layers())
        timeline_.during(layer_at(planned.chunk_end).handed_over);
    timeline_.during(layer_at(position).inside_backward);
    during_whole(position + 1);
    during_from_host(position);
    moment_of_backward(turn, position);
    hold_layer(position, true);
    if (!planned.ends_chunk(position)) timeline_.hold(layer_at(position).kept);
}

template <class N>
void StepTimeline<N>::layer_backward(const Turn& turn) {
    const size_t position = turn.position;
    const PlannedLayer& planned = plan_[position];
    const Layer& layer = layer_at(position);
    hold_layer(position, false);
    if (planned.recomputed == Recomputed::layer && !planned.ends_chunk(position)) timeline_.release(layer.kept);
    const bool passing = gradient_is_there(position) || facts_.gradients.passing;
    timeline_.during(passing ? layer.passing : layer.staying);
    timeline_.during(passing ? layer.made_passing : layer.made_staying);
    timeline_.during(classes_.temporaries);
    const bool own_input = planned.recomputed == Recomputed::layer && planned.begins_chunk(position);
    if (own_input && !facts_.costs.layers[planned.kind].keeps_input) timeline_.during(layer.kept_input);
    if (facts_.embedding_is_trained) timeline_.during(layer.beside);
    if (facts_.gradients.by_unit && position + 1 < layers()) timeline_.during(layer_at(position + 1).handed_over);
    timeline_.during(layer.inside_backward);
    during_whole(position + 1);
    during_from_host(position);
    moment_of_backward(turn, position);
    if (facts_.gradients.joined) {  // all gradients of a layer have come, and are copied into one piece to be reduced
        timeline_.during(layer.output_gradient);
        timeline_.during(layer.unreduced);
        timeline_.during(layer.handed_over);
        timeline_.during(layer.while_joining);
        during_whole(position);
        during_from_host(position);
        moment_of_backward(turn, position);
    }
    layer_gradients_come(position);
}

template <class N>
void StepTimeline<N>::embedding_backward(const Turn& turn) {
    const bool besides = all_are_there_;
    const bool shares_come_last = facts_.gradients.by_unit && !besides;  // when those of the ends have been reduced
    if (!shares_come_last) all_gradients_are_there();
    if (shares_come_last && !facts_.gradients.head_apart) timeline_.release_all(classes_.head_gradients);
    timeline_.during(classes_.at_embedding_backward);
    timeline_.during(classes_.temporaries);
    if (facts_.gradients.by_unit && layers() > 0) timeline_.during(layer_at(0).handed_over);
    if (facts_.embedding_is_trained && facts_.model.hidden_size) {
        timeline_.during(classes_.hidden_gradient);
        timeline_.during(besides ? classes_.at_embedding_besides : classes_.at_embedding);
    }
    moment_of_backward(turn, 0);
    if (!classes_.ends_handed_over.empty()) {  // the gradients of both ends, or the embedding's, and one piece of them
        timeline_.during(besides ? classes_.at_embedding_besides : classes_.at_embedding);
        timeline_.during(classes_.ends_handed_over);
        timeline_.during(classes_.standing);
        moment_of_backward(turn, 0);
    }
    all_gradients_are_there();
    timeline_.release(classes_.embedding);
}

template <class N>
void StepTimeline<N>::end(const Turn& turn) {
    if (turn.piece > 0) return;
    all_gradients_are_there();
    timeline_.during(classes_.at_embedding_backward);
    moment_of_backward(turn, 0);
    if (!is_regression(facts_.model)) timeline_.release(classes_.batch);
    if (!turn.later && facts_.request.batch.accumulation > 1) wait();
}

// ---- moments -----------------------------------------------------------------------------------------------------

template <class N>
void StepTimeline<N>::moment(const Turn& turn) {
    const bool later = turn.later && facts_.request.batch.accumulation > 1;
    Phase phase = later ? Phase::backward_2 : Phase::backward;
    if (turn.is_forward()) phase = later ? Phase::forward_2 : Phase::forward;
    if (turn.work == Work::loss) phase = later ? Phase::loss_2 : Phase::loss;
    timeline_.moment(phase,
                     {text_of(turn.work), turn.is_of_layer() ? static_cast<double>(turn.position) : -1,
                      static_cast<double>(turn.micro_batch)},
                     turn.is_forward());
}

// `in_flight`: of the layers' outputs that the script refers to, so many are there anyway.
template <class N>
void StepTimeline<N>::moment_of_forward(const Turn& turn, size_t position, size_t in_flight) {
    during_outputs(position, position, in_flight);
    during_cache(position, false);
    during_previous(true);
    moment(turn);
}

template <class N>
void StepTimeline<N>::moment_of_backward(const Turn& turn, size_t position) {
    timeline_.during(classes_.loss.held);
    during_outputs(position, layers(), 0);
    if (facts_.request.loss.logits_kept) during_cache(position, true);
    moment(turn);
}

// One micro-batch has gone backward, and no other one may come.
template <class N>
void StepTimeline<N>::wait() {
    for (const Phase phase : {Phase::forward_2, Phase::loss_2}) {
        timeline_.during(classes_.standing);
        timeline_.during(classes_.loss.held);
        timeline_.moment(phase, {"wait", -1, 0});
    }
}

// ---- what is held ------------------------------------------------------------------------------------------------

template <class N>
void StepTimeline<N>::hold_layer(size_t position, bool is_held) {
    const PlannedLayer& planned = plan_[position];
    const double count = is_held ? 1 : -1;
    if (!planned.trained) return;
    if (planned.recomputed == Recomputed::nothing) return timeline_.hold(layer_at(position).kept, count);
    if (planned.begins_chunk(position) && !facts_.request.recompute.on_host)
        timeline_.hold(layer_at(position).checkpoint, count);
}

template <class N>
void StepTimeline<N>::layer_gradients_come(size_t position) {
    if (gradient_is_there(position)) return;
    is_there_[position] = true;
    if (!steps_at_once_) timeline_.hold(layer_at(position).gradients);
}

template <class N>
void StepTimeline<N>::all_gradients_are_there() {
    if (all_are_there_) return;
    for (const Layer& layer : classes_.layers) timeline_.release_all(layer.gradients);
    timeline_.release_all(classes_.head_gradients);
    if (steps_at_once_ && !stays_) return;
    timeline_.hold(classes_.all_gradients);
    all_are_there_ = true;
}

template <class N>
void StepTimeline<N>::during_previous(bool outputs) {
    timeline_.during(classes_.previous);
    if (outputs || facts_.request.loss.in_model) timeline_.during(classes_.previous_outputs);
}

// The vocabulary matrix's gradient as it comes.
template <class N>
void StepTimeline<N>::during_arriving_matrix() {
    timeline_.during(all_are_there_ ? classes_.head_arriving_besides : classes_.head_arriving);
}

// Layers' outputs that the script refers to, of `ran` layers, but for those that the first `kept` have kept as well.
template <class N>
size_t StepTimeline<N>::outputs_held(size_t kept, size_t ran) const {
    if (layers() == 0) return 0;
    kept -= std::min(kept, towers_), ran -= std::min(ran, towers_);  // the decoder's alone
    if (facts_.request.holds.layer_outputs)
        return ran - (facts_.costs.layers[plan_.back().kind].keeps_stream ? kept : 0);
    return facts_.request.holds.output && !facts_.model.vocab_size && kept < ran ? 1 : 0;
}

// `in_flight`: so many of them are there anyway.
template <class N>
void StepTimeline<N>::during_outputs(size_t kept, size_t ran, size_t in_flight) {
    const size_t held = outputs_held(kept, ran);
    if (held > in_flight) timeline_.during(classes_.outputs, static_cast<double>(held - in_flight));
}

// Keys and values that the model returns, of layers that have run: those that are not among what the layers below
// `position` keep. `all`: every layer has run, and the outputs are still held.
template <class N>
void StepTimeline<N>::during_cache(size_t position, bool all) {
    if (!facts_.request.kernels.use_cache) return;
    for (size_t at = 0; at < layers(); ++at) {
        if (!plan_[at].trained) continue;
        if (at < position)
            timeline_.during(layer_at(at).cached_alone);
        else if (all)
            timeline_.during(layer_at(at).cached);
    }
}

// Where checkpoints lie on the host, that of the layer below comes back while the layer at a position runs.
template <class N>
void StepTimeline<N>::during_from_host(size_t position) {
    if (!facts_.request.recompute.on_host || position == 0) return;
    if (plan_[position - 1].recomputed != Recomputed::nothing) timeline_.during(layer_at(position - 1).from_host);
}

// Of the first layers, which have not run backward.
template <class N>
void StepTimeline<N>::during_whole(size_t count) {
    if (facts_.inputs.layout.reshard_after_forward) return;
    for (size_t position = 0; position < count; ++position) timeline_.during(layer_at(position).whole);
}

}  // namespace plimsoll
