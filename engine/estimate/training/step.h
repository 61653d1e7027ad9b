/// One training step over time. Each phase is shown at its fullest moment; the backward pass has these:
///
///     at the loss       everything saved, and what the loss's backward pass makes of the logits
///     at the head       everything saved, the gradient of the logits and of the vocabulary matrix
///     in a layer        what the layers below have saved, this layer's saved tensors and gradients in flight, and the
///                       parameters' gradients of all that lies above; of each kind, its last and its first layer
///     at the embedding  the gradients of all parameters; where the head is the embedding matrix, a second one of it
///
/// With gradients set to None between steps, saved tensors go as gradients come; with a buffer that stays, or from the
/// second micro-batch of an accumulation on, all gradients are there throughout, and one that arrives besides.
#pragma once

#include <algorithm>

#include "estimate/training/loss.h"
#include "estimate/training/states.h"

namespace plimsoll {

/// `gradients`, `activations` and `logits` at one moment.
template <class N>
struct Moment {
    Bytes<N> gradients{N(0)};
    Groups<N> activations, logits;
    double total() const { return value_of(gradients) + activations.value() + logits.value(); }
};

template <class N>
class Step {
public:
    Step(const Model& model, const TrainingInputs& inputs, const N& trainable)
        : model_(model),
          request_(inputs.request),
          pass_(training_pass<N>(inputs)),
          costs_(step_costs<N>(model, inputs)),
          element_(gradient_element<N>(inputs)),
          all_(trainable * element_),
          loss_(loss_moments(model, inputs, pass_, trains_head())) {
        if (!model.vocab_size || !model.hidden_size) return;
        const N elements = as<N>(*model.vocab_size) * as<N>(*model.hidden_size);
        const Bytes<N> matrix = elements * matrix_gradient_element<N>(inputs);
        if (trains_head()) head_ = matrix;
        if (trains_embedding()) embedding_ = matrix;
        if (request_.lora && request_.lora->saves_modules())
            all_ = adapter_parameters<N>(model, *request_.lora) * element_ + head_ + embedding_;
    }

    /// `present`: all gradients are there before the pass begins.
    Moment<N> forward(bool present) const {
        Moment<N> most{before(present), kept(model_.order.size(), true), loss_.forward};
        add_previous(most, true);
        add_casts(most);
        if (value_of(costs_.head_written_out) > 0) {
            Moment<N> head{before(present), kept(model_.order.size(), true), loss_.at_forward_head};
            head.activations.add("in_flight", costs_.head_written_out);
            add_previous(head, true);
            if (head.total() > most.total()) most = std::move(head);
        }
        for (size_t kind = 0; kind < costs_.layers.size(); ++kind) {  // the last layer of each kind while it runs
            Moment<N> running{before(present), kept(last_of(kind) + 1, false), {}};
            running.activations.add("in_flight", costs_.layers[kind].forward);
            if (running.total() > most.total()) most = std::move(running);
        }
        return most;
    }
    Moment<N> loss(bool present) const {
        Moment<N> moment = at_loss(present, loss_.loss);
        add_previous(moment, false);
        add_casts(moment);
        return moment;
    }
    Moment<N> backward(bool present) const {
        Moment<N> most = at_loss(present, loss_.backward);
        const auto consider = [&most](Moment<N> other) {
            if (other.total() > most.total()) most = std::move(other);
        };
        consider(at_head(present));
        for (size_t kind = 0; kind < costs_.layers.size(); ++kind) {
            consider(in_layer(last_of(kind), present));
            consider(in_layer(first_of(kind), present));
        }
        consider(at_embedding(present));
        return most;
    }
    Bytes<N> all_gradients() const { return all_; }
    bool has_layers() const { return !costs_.layers.empty(); }
    /// What the first `layers` layers have kept on the device, and with `head` what lies above them.
    Groups<N> kept(size_t layers, bool head) const;
    /// What all layers have kept on the host.
    Groups<N> on_host() const {
        Groups<N> groups;
        if (request_.checkpoints_on_host) add_layers(groups, model_.order.size());
        return groups;
    }

private:
    bool trains_all() const { return !request_.lora && costs_.first_trained == 0; }
    bool trains_head() const { return request_.lora ? request_.lora->saves_head : trains_all(); }
    bool trains_embedding() const { return request_.lora ? request_.lora->saves_embedding : trains_all(); }
    Bytes<N> before(bool present) const { return present ? all_ : Bytes<N>{N(0)}; }
    Bytes<N> hidden_gradient() const {
        return pass_.tokens * as<N>(*model_.hidden_size) * bytes_of<N>(residual_type(pass_));
    }
    size_t kind_at(size_t position) const { return model_.order[position]; }
    /// The first layer of a kind among those that are trained, and the last; beyond the end where there is none.
    size_t first_of(size_t kind) const {
        size_t position = costs_.first_trained;
        while (position < model_.order.size() && kind_at(position) != kind) ++position;
        return position;
    }
    size_t last_of(size_t kind) const {
        size_t position = model_.order.size();
        while (position > 0 && kind_at(position - 1) != kind) --position;
        return position - 1;
    }
    /// Trained layers of a kind in a range of positions, as a number that explains itself.
    N layers_between(size_t from, size_t to, size_t kind, std::string_view what) const {
        double count = 0;
        for (size_t position = std::max(from, costs_.first_trained); position < to; ++position)
            count += kind_at(position) == kind;
        const LayerKind& each = model_.kinds[kind];
        if (count == each.count.value()) return as<N>(each.count);
        if (count <= 1) return N(count);
        return input<N>({what, each.name, "s"}, count, "layers at the fullest moment of the backward pass");
    }

    /// Casts of the weights of checkpointed layers, which lie in autocast's cache.
    void add_casts(Moment<N>& moment) const {
        for (const LayerCost<N>& layer : costs_.layers)
            moment.activations.add("weight_cast_cache", checkpointed(as<N>(layer.kind->count)) * layer.casts);
    }
    /// What the loop still holds of the micro-batch before: its loss, and with that the graph and what kernels keep in
    /// it, until the next loss is there; `outputs`: and the model's outputs, until the next are.
    void add_previous(Moment<N>& moment, bool outputs) const {
        if (request_.previous_tokens == 0) return;
        const N share =
            input<N>("previous_tokens", request_.previous_tokens, "request: training.previous_tokens") / pass_.sequence;
        for (const LayerCost<N>& layer : costs_.layers)
            if (request_.checkpointing == Checkpointing::none)
                moment.activations.add("held_by_graph", as<N>(layer.kind->count) * layer.held * share);
        if (outputs) moment.logits.add("logits_kept", share * loss_.returned);
    }

    Bytes<N> gradients_above(size_t position) const {
        if (request_.gradients_released) return {N(0)};
        Bytes<N> sum = head_;
        for (size_t kind = 0; kind < costs_.layers.size(); ++kind)
            sum += layers_between(position + 1, model_.order.size(), kind, "finished_") *
                   (costs_.layers[kind].trained * element_);
        return sum;
    }
    /// Everything is saved, and `logits` are what the loss holds of them.
    Moment<N> at_loss(bool present, const Groups<N>& logits) const {
        Moment<N> moment{before(present), kept(model_.order.size(), true), logits};
        if (loss_.matrix_gradient_in_loss) moment.gradients += head_;
        return moment;
    }
    Moment<N> at_head(bool present) const {
        Moment<N> moment{before(present), kept(model_.order.size(), true), loss_.head};
        moment.gradients += head_;
        if (model_.hidden_size) moment.activations.add("in_flight", hidden_gradient() + costs_.head_written_out);
        return moment;
    }
    Moment<N> in_layer(size_t position, bool present) const {
        if (position >= model_.order.size()) return {};
        const LayerCost<N>& layer = costs_.layers[kind_at(position)];
        Moment<N> moment{present ? all_ : gradients_above(position), kept(position, false), {}};
        moment.activations.add("in_flight", layer.backward);
        if (request_.checkpointing == Checkpointing::full)
            moment.activations.add("saved.checkpoints", layer.checkpoint.total());
        moment.gradients += Bytes<N>{named("gradients_of_a_layer", (layer.trained * element_).n)};
        return moment;
    }
    Moment<N> at_embedding(bool present) const {
        Moment<N> moment{request_.gradients_released && !present ? Bytes<N>{N(0)} : all_, costs_.batch, {}};
        if (!trains_embedding() || !model_.hidden_size) return moment;
        moment.activations.add("in_flight", hidden_gradient());
        if ((model_.tied && !request_.lora) || present) moment.gradients += embedding_;
        return moment;
    }

    /// How many of so many layers are checkpointed.
    N checkpointed(const N& layers) const {
        if (request_.checkpointing == Checkpointing::none) return N(0);
        if (request_.checkpoint_every == 1) return layers;
        return rounded_down(
            layers / input<N>("checkpoint_every", request_.checkpoint_every, "request: training.checkpoint_every"));
    }
    /// Checkpoints of the first `layers` layers, and all that is kept by those between two of them.
    void add_layers(Groups<N>& groups, size_t layers) const;

    const Model& model_;
    const TrainingRequest& request_;
    Pass<N> pass_;
    StepCosts<N> costs_;
    Bytes<N> element_, all_;
    LossMoments<N> loss_;
    Bytes<N> head_{N(0)}, embedding_{N(0)};  ///< gradients of the vocabulary matrix and of the embedding
};

template <class N>
Groups<N> Step<N>::kept(size_t layers, bool head) const {
    Groups<N> groups = costs_.batch;
    groups.add(costs_.embedding, N(1));
    if (!request_.checkpoints_on_host)
        add_layers(groups, layers);
    else if (layers > 0)  // one comes back from the host while the layer above it runs
        groups.add(costs_.layers[kind_at(layers - 1)].checkpoint, N(1));
    if (head) groups.add(costs_.head, N(1));
    return groups;
}

template <class N>
void Step<N>::add_layers(Groups<N>& groups, size_t layers) const {
    for (size_t kind = 0; kind < costs_.layers.size(); ++kind) {
        const LayerCost<N>& cost = costs_.layers[kind];
        const N count = layers_between(0, layers, kind, "waiting_");
        const N recomputed = checkpointed(count);
        groups.add(cost.checkpoint, recomputed);
        groups.add(cost.kept, count - recomputed);
    }
}

}  // namespace plimsoll
