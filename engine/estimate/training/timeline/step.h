/// One training step over time. Each phase is shown at its fullest moment; the backward pass has these:
///
///     at the loss       everything saved, and what the loss's backward pass makes of the logits
///     at the head       everything saved, the gradient of the logits and of the vocabulary matrix
///     in a layer        what the layers below have saved, this layer's saved tensors and gradients in flight, and the
///                       parameters' gradients of all that lies above; of each kind, its last and its first layer
///     at the embedding  the gradients of all parameters; where the head is the embedding matrix, a second one of it
///
/// Of micro-batches that a pipeline's schedule has under way at once, each but the one that runs keeps all of its own:
/// what layers keep, and where all go forward first, what the loss does between its passes.
///
/// With gradients set to None between steps, saved tensors go as gradients come; with a buffer that stays, or from the
/// second micro-batch of an accumulation on, all gradients are there throughout, and one that arrives besides.
/// The backward pass's moments are in step_backward.h.
#pragma once

#include <algorithm>

#include "estimate/training/forward/frozen_pass.h"
#include "estimate/training/forward/recomputed_layers.h"
#include "estimate/training/loss/loss.h"
#include "estimate/training/optimizer/gradients.h"

namespace plimsoll {

template <class N>
class Step {
public:
    Step(const Model& model, const TrainingInputs& inputs, const N& trainable)
        : model_(model),
          request_(inputs.request),
          in_flight_(inputs.place.in_flight),
          place_(inputs.place),
          pass_(training_pass<N>(inputs)),
          costs_(step_costs<N>(model, inputs)),
          layers_(model, costs_.first_trained),
          recomputed_(model, inputs.request, layers_, costs_.first_trained),
          communication_(model, inputs, trainable),
          gradients_(model, inputs, gradient_parameters(model, inputs, trainable), trains_head(), trains_embedding()),
          loss_(inputs.place.last ? loss_moments(model, inputs, pass_, trains_head()) : LossMoments<N>{}) {
        pieces_ = inputs.layout.pipeline > 1 ? inputs.layout.virtual_stages : 1;
        losses_wait_ = inputs.layout.schedule == Schedule::all_forward;  // else each goes backward at once
        if (request_.gradients.released) temporaries_ = step_temporaries<N>(model, inputs);
        if (generates(request_.objective.kind)) return;  // what others say was asked before
        for (const HeldModel& held : inputs.models)
            run_beside(loss_, FrozenPass<N>(held.model ? *held.model : model, inputs_of(inputs, held)));
    }

    /// The same once a micro-batch has gone backward: of those that are left, as many may be under way.
    Step after_a_backward() const {
        Step later = *this;
        later.in_flight_ = minimum(in_flight_, request_.batch.accumulation - 1 / pieces_);
        return later;
    }
    /// Whether another one goes forward then.
    bool goes_on() const { return in_flight_ < request_.batch.accumulation; }
    /// What there is where none does.
    Moment<N> waiting() const {
        Moment<N> moment{gradients_.all, {}, loss_.held};
        moment.communication = communication_.standing();
        add_others(moment, in_flight_);
        return moment;
    }
    /// `present`: all gradients are there before the pass begins.
    Moment<N> forward(bool present) const {
        Moment<N> most{before(present), of_one(model_.order.size(), true), loss_.forward};
        most.communication = communication_.outside(false);
        hold_outputs(most, model_.order.size());
        hold_cache(most, model_.order.size(), false);
        add_previous(most, true);
        add_casts(most);
        if (value_of(costs_.head_written_out) > 0) {
            Moment<N> head{before(present), of_one(model_.order.size(), true), loss_.at_forward_head};
            head.activations.add(RowId::in_flight, costs_.head_written_out);
            head.communication = communication_.outside(false);
            add_previous(head, true);
            if (head.total() > most.total()) most = std::move(head);
        }
        if (Moment<N> other{before(present), costs_.batch, loss_.before}; other.total() > most.total())
            most = std::move(other);
        const auto consider = [&](size_t layers, const Bytes<N>& in_flight, Groups<N> gathered) {
            Moment<N> running{before(present), of_one(layers, false), {}};
            running.activations.add(RowId::in_flight, in_flight);
            running.communication = std::move(gathered);
            hold_outputs(running, layers, 1);
            hold_cache(running, layers, false);
            add_previous(running, true);
            add_casts(running);
            if (running.total() > most.total()) most = std::move(running);
        };
        for (size_t kind = 0; kind < costs_.layers.size(); ++kind)  // the last layer of each kind while it runs
            consider(layers_.last_of(kind), forward_of(layers_.last_of(kind)), communication_.inside(kind, false));
        consider(model_.order.size(), costs_.before_head, communication_.outside(false));
        add_others(most, in_flight_ - 1);
        return most;
    }
    Moment<N> loss(bool present) const {
        Moment<N> moment = at_loss(present, loss_.loss, false);
        if (!request_.loss.logits_kept) hold_cache(moment, model_.order.size(), false);
        add_previous(moment, false);
        add_casts(moment);
        add_others(moment, in_flight_ - 1);
        return moment;
    }
    Moment<N> backward(bool present) const {
        Moment<N> most = at_loss(present, loss_.backward, true);
        const auto consider = [&most](Moment<N> other) {
            if (other.total() > most.total()) most = std::move(other);
        };
        consider(at_head(present));
        consider(at_final_norm(present));
        std::vector<size_t> positions;
        for (const size_t position : recomputed_.fullest())
            if (position >= costs_.first_trained) positions.push_back(position);
        for (const size_t position : positions) consider(in_layer(position, present));
        for (const size_t position : positions) consider(recomputing(position, present));
        for (const size_t position : positions)
            if (gradients_.joined) consider(reducing(position, present));
        consider(at_embedding(present));
        add_others(most, in_flight_ - 1);
        return most;
    }
    /// Vectors are made before the first step, and stay.
    Moment<N> loaded() const {
        return {Bytes<N>{N(0)},
                is_regression(model_) ? costs_.batch : Groups<N>{},
                {},
                Bytes<N>{N(0)},
                communication_.standing()};
    }
    /// While answers are generated or scored, or another model is trained. `present`: gradients stay.
    Moment<N> idle(bool present) const {
        Moment<N> moment{before(present), {}, {}};
        moment.communication = communication_.standing();
        return moment;
    }
    /// What the script still refers to while the optimizer steps.
    Moment<N> step() const {
        Moment<N> moment{
            request_.gradients.released ? Bytes<N>{N(0)} : gradients_.all + gradients_.copies, {}, loss_.held};
        moment.communication = communication_.standing();
        if (is_regression(model_)) moment.activations = costs_.batch;
        hold_outputs(moment, 0);
        return moment;
    }
    /// What streams beside the main one take of the driver; `kept`: of the gradients, unless they go to the host.
    Bytes<N> stream_pools(bool kept) const {
        return communication_.stream_pools(kept ? gradients_.all : Bytes<N>{N(0)});
    }
    /// What another model's pass has in the loss.
    const Group<N>& other() const { return loss_.other; }
    bool has_layers() const { return !costs_.layers.empty(); }
    /// What all layers have kept on the host.
    Groups<N> on_host() const {
        Groups<N> groups;
        if (request_.recompute.on_host) add_layers(groups, model_.order.size());
        return groups;
    }

private:
    bool trains_head() const {
        return place_.last && (request_.method.adapter ? request_.method.adapter->saves_head
                                                       : plimsoll::trains_head(model_, request_));
    }
    bool trains_embedding() const {
        return place_.first && (request_.method.adapter ? request_.method.adapter->saves_embedding
                                                        : plimsoll::trains_embedding(model_, request_));
    }
    Bytes<N> before(bool present) const { return present ? gradients_.all : Bytes<N>{N(0)}; }
    Bytes<N> hidden_gradient() const {
        return pass_.stream_tokens() * as<N>(*model_.hidden_size) * bytes_of<N>(residual_type(pass_));
    }
    /// Casts of the weights of checkpointed layers, which lie in autocast's cache.
    void add_casts(Moment<N>& moment) const {
        for (size_t kind = 0; kind < costs_.layers.size(); ++kind)
            moment.activations.add(RowId::weight_cast_cache,
                                   recomputed_.of_kind(kind, model_.order.size()) * costs_.layers[kind].casts);
    }
    /// What the loop still holds of the micro-batch before: its loss, and with that the graph and what kernels keep in
    /// it, until the next loss is there; and the model's outputs, until the next are: before the loss is taken
    /// (`outputs`), or where the model itself takes it, with it.
    void add_previous(Moment<N>& moment, bool outputs) const {
        if (request_.batch.previous_tokens == 0) return;
        const N share =
            input<N>("previous_tokens", request_.batch.previous_tokens, "request: training.previous_tokens") /
            pass_.sequence;
        for (const LayerCost<N>& layer : costs_.layers)
            if (request_.recompute.checkpointing == Checkpointing::none)
                moment.activations.add(RowId::held_by_graph, as<N>(layer.kind->count) * layer.held * share);
        if (!outputs && !request_.loss.in_model) return;
        moment.logits.add(RowId::logits_kept, share * loss_.returned);
        for (const LayerCost<N>& layer : costs_.layers)
            moment.activations.add(RowId::cached_keys_and_values, as<N>(layer.kind->count) * layer.cached * share);
    }

    /// Gradients of what lies above the layers.
    Bytes<N> gradients_of_head() const {
        return request_.gradients.released ? Bytes<N>{N(0)} : gradients_.of_head(costs_.head_trained);
    }
    Bytes<N> gradients_above(size_t position) const {
        if (request_.gradients.released) return {N(0)};
        Bytes<N> sum = gradients_of_head();
        for (size_t kind = 0; kind < costs_.layers.size(); ++kind)
            sum += layers_.between(position + 1, model_.order.size(), kind, "finished_") *
                   (costs_.layers[kind].trained * gradients_.element);
        return sum;
    }
    /// Everything is saved, and `logits` are what the loss holds of them.
    Moment<N> at_loss(bool present, const Groups<N>& logits, bool backward) const;
    Moment<N> at_head(bool present) const;
    Moment<N> at_final_norm(bool present) const;
    /// What is there while the layer at a position runs backward, whatever it does.
    Moment<N> at_layer(size_t position, bool present) const;
    /// While the layer at a position runs backward, and the one above it has handed its gradients over.
    Moment<N> in_layers(size_t position, bool present) const;
    Moment<N> in_layer(size_t position, bool present) const;
    /// A checkpointed layer's second forward pass, with the gradient of its output waiting.
    Moment<N> recomputing(size_t position, bool present) const;
    /// All gradients of a layer have come, and are copied into one piece to be reduced.
    Moment<N> reducing(size_t position, bool present) const;
    Moment<N> at_embedding(bool present) const;

    /// Alive in the layer at a position while the forward pass runs it.
    Bytes<N> forward_of(size_t position) const {
        const LayerCost<N>& layer = costs_.layers[layers_.kind_at(position)];
        const bool keeps = request_.recompute.method == RecomputeMethod::block && !recomputed_.from_own_input(position);
        return keeps ? layer.recomputed : layer.forward;
    }
    /// Layers' outputs that the script refers to, but for those that the first `layers` layers have kept as well.
    /// `in_flight`: so many of them are there anyway.
    void hold_outputs(Moment<N>& moment, size_t layers, size_t in_flight = 0) const {
        const size_t all = model_.order.size(),
                     kept = costs_.layers.empty() || !costs_.layers[0].keeps_stream ? 0 : layers;
        const size_t last = request_.holds.output && !model_.vocab_size && layers < all ? 1 : 0;
        size_t held = request_.holds.layer_outputs ? all - kept : last;
        held = held > in_flight ? held - in_flight : 0;
        if (held == 0 || costs_.layers.empty()) return;
        const N outputs = input<N>("outputs_held", static_cast<double>(held), "request: training.holds");
        moment.activations.add(RowId::held_outputs, outputs * hidden_gradient());
    }
    /// Keys and values that the model returns, of layers that have run: those that are not among what the first `layers`
    /// layers keep. `all`: every layer has run, and the outputs are still held.
    void hold_cache(Moment<N>& moment, size_t layers, bool all) const {
        for (size_t kind = 0; request_.kernels.use_cache && kind < costs_.layers.size(); ++kind) {
            const LayerCost<N>& cost = costs_.layers[kind];
            const N below = layers_.between(0, layers, kind, "cached_");
            moment.activations.add(RowId::cached_keys_and_values, below * cost.cached_alone);
            if (!all) continue;
            const N above = layers_.between(layers, model_.order.size(), kind, "behind_");
            moment.activations.add(RowId::cached_keys_and_values, above * cost.cached);
        }
    }
    /// What the first `layers` layers have kept of one micro-batch on the device, and with `head` what lies above them.
    Groups<N> of_one(size_t layers, bool head) const;
    /// Of micro-batches that wait meanwhile, so many.
    void add_others(Moment<N>& moment, double count) const;
    /// Checkpoints of the first `layers` layers, and all that is kept by those between two of them.
    void add_layers(Groups<N>& groups, size_t layers) const;

    const Model& model_;
    const TrainingRequest& request_;
    bool losses_wait_ = false;
    double in_flight_, pieces_ = 1;  ///< micro-batches under way at once; pieces of the stage that they run through
    StagePlace place_;
    Pass<N> pass_;
    StepCosts<N> costs_;
    TrainedLayers<N> layers_;
    RecomputedLayers<N> recomputed_;
    Communication<N> communication_;
    Gradients<N> gradients_;
    Bytes<N> temporaries_{N(0)};
    LossMoments<N> loss_;
};

template <class N>
void Step<N>::add_others(Moment<N>& moment, double count) const {
    if (count <= 0) return;
    const N others = input<N>("micro_batches_waiting", count, "the pipeline's schedule");
    moment.activations.add(of_one(model_.order.size(), true), others);
    if (!losses_wait_) return;
    for (const Group<N>& group : loss_.loss.list())
        for (const Group<N>& later : loss_.backward.list())
            if (group.id == later.id) moment.logits.add(group.id, others * group.bytes);
}

template <class N>
Groups<N> Step<N>::of_one(size_t layers, bool head) const {
    Groups<N> groups = costs_.batch;
    if (place_.first) groups.add(costs_.embedding, N(1));
    if (!request_.recompute.on_host)
        add_layers(groups, layers);
    else if (layers > 0 && !head)  // one comes back from the host while the layer above it runs
        groups.add(costs_.layers[layers_.kind_at(layers - 1)].checkpoint, N(1));
    if (head) groups.add(costs_.head, N(1));
    return groups;
}

template <class N>
void Step<N>::add_layers(Groups<N>& groups, size_t layers) const {
    for (size_t kind = 0; kind < costs_.layers.size(); ++kind) {
        const LayerCost<N>& cost = costs_.layers[kind];
        groups.add(cost.checkpoint, recomputed_.checkpoints(kind, layers));
        groups.add(cost.kept, layers_.between(0, layers, kind, "waiting_") - recomputed_.of_kind(kind, layers));
    }
}

}  // namespace plimsoll
