/// The moments of a step's backward pass, at one of which it is at its fullest: what of the micro-batch, of gradients and
/// of other devices is there. Who takes a step includes this file.
#pragma once

#include "estimate/training/timeline/step.h"

namespace plimsoll {

template <class N>
Moment<N> Step<N>::at_loss(bool present, const Groups<N>& logits, bool backward) const {
    Moment<N> moment{before(present), of_one(model_.order.size(), true), logits};
    moment.communication = communication_.outside(backward);
    hold_outputs(moment, model_.order.size());
    if (request_.loss.logits_kept) hold_cache(moment, model_.order.size(), true);
    if (loss_.matrix_gradient_in_loss) moment.gradients += gradients_.head_arriving(present);
    return moment;
}

template <class N>
Moment<N> Step<N>::at_head(bool present) const {
    Moment<N> moment{before(present), of_one(model_.order.size(), true), loss_.head};
    moment.communication = communication_.outside(true);
    hold_outputs(moment, model_.order.size());
    if (request_.loss.logits_kept) hold_cache(moment, model_.order.size(), true);
    moment.gradients += gradients_.head_arriving(present);
    moment.temporaries = temporaries_;
    Bytes<N> in_flight = costs_.head_written_out;
    if (model_.hidden_size && model_.head.given_flows) in_flight = hidden_gradient() + in_flight;
    moment.activations.add(RowId::in_flight, in_flight);
    return moment;
}

template <class N>
Moment<N> Step<N>::at_final_norm(bool present) const {
    Moment<N> moment{present ? gradients_.all : gradients_of_head(), of_one(model_.order.size(), false), loss_.held};
    moment.communication = communication_.outside(true);
    hold_outputs(moment, model_.order.size());
    if (request_.loss.logits_kept) hold_cache(moment, model_.order.size(), true);
    moment.activations.add(RowId::in_flight, costs_.after_head.alive);
    if (present) moment.gradients += costs_.after_head.parameters;  // the norm's, which is added
    return moment;
}

template <class N>
Moment<N> Step<N>::at_layer(size_t position, bool present) const {
    Moment<N> moment{present ? gradients_.all : gradients_above(position), of_one(position, false), loss_.held};
    hold_outputs(moment, position);
    if (request_.loss.logits_kept) hold_cache(moment, position, true);
    moment.communication = communication_.inside(layers_.kind_at(position), true);
    for (size_t kind = 0; kind < costs_.layers.size(); ++kind)
        moment.activations.add(costs_.layers[kind].kept, recomputed_.below_in_piece(kind, position));
    return moment;
}

template <class N>
Moment<N> Step<N>::in_layers(size_t position, bool present) const {
    Moment<N> moment = at_layer(position, present);
    if (gradients_.by_unit && position + 1 < model_.order.size())
        moment.communication.add(RowId::reduce_scatter_input,
                                 communication_.handed_over(layers_.kind_at(position + 1)));
    return moment;
}

template <class N>
Moment<N> Step<N>::in_layer(size_t position, bool present) const {
    if (position >= model_.order.size()) return {};
    const LayerCost<N>& layer = costs_.layers[layers_.kind_at(position)];
    Moment<N> moment = in_layers(position, present);
    const bool passing = present || gradients_.passing;
    const Backward<N>& running = passing ? layer.passing : layer.staying;
    moment.activations.add(RowId::in_flight, running.alive);
    if (recomputed_.from_own_input(position) && !layer.keeps_input)
        moment.activations.add(RowId::saved_checkpoints, hidden_gradient());  // the input, which has its size
    const bool as_made = passing || gradients_.stay_as_made();
    moment.gradients +=
        as_made ? running.parameters : Bytes<N>{named("gradients_of_a_layer", (layer.trained * gradients_.element).n)};
    moment.temporaries = temporaries_;
    return moment;
}

template <class N>
Moment<N> Step<N>::recomputing(size_t position, bool present) const {
    if (!recomputed_.ends_second_pass(position)) return {};
    Moment<N> moment = in_layers(position, present);
    moment.activations.add(RowId::in_flight, costs_.layers[layers_.kind_at(position)].recomputed + hidden_gradient());
    return moment;
}

template <class N>
Moment<N> Step<N>::reducing(size_t position, bool present) const {
    if (position >= model_.order.size()) return {};
    const size_t kind = layers_.kind_at(position);
    Moment<N> moment = at_layer(position, present);
    moment.activations.add(RowId::in_flight, hidden_gradient());
    moment.gradients += costs_.layers[kind].trained * gradients_.arriving;
    moment.communication.add(RowId::reduce_scatter_input, communication_.handed_over(kind));
    return moment;
}

template <class N>
Moment<N> Step<N>::at_embedding(bool present) const {
    Moment<N> moment{request_.gradients.released && !present ? Bytes<N>{N(0)} : gradients_.all, costs_.batch,
                     loss_.held};
    moment.activations.add(costs_.embedding, N(1));
    moment.communication = communication_.outside(true);
    moment.temporaries = temporaries_;
    hold_outputs(moment, 0);
    if (request_.loss.logits_kept) hold_cache(moment, 0, true);
    if (!trains_embedding() || !model_.hidden_size) return moment;
    moment.activations.add(RowId::in_flight, hidden_gradient());
    moment.gradients += gradients_.at_embedding(present);
    return moment;
}

}  // namespace plimsoll
