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
    Bytes<N> temporaries{N(0)};  ///< of the optimizer, where it steps parameters in the backward pass
    double total() const { return value_of(gradients) + activations.value() + logits.value() + value_of(temporaries); }
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
          arriving_(
              bytes_of<N>(inputs.request.lora ? inputs.request.lora->dtype : inputs.precision.numerics.parameter)),
          all_(trainable * element_),
          passes_(inputs.gradients_pass()),
          loss_(loss_moments(model, inputs, pass_, trains_head())) {
        if (request_.gradients_released) temporaries_ = step_temporaries<N>(model, inputs);
        if (!model.vocab_size || !model.hidden_size) return;
        const N elements = as<N>(*model.vocab_size) * as<N>(*model.hidden_size);
        const Bytes<N> matrix = elements * matrix_gradient_element<N>(inputs);
        if (trains_head()) head_ = matrix;
        if (trains_embedding()) embedding_ = matrix;
        matrix_arriving_ = request_.lora ? matrix : elements * arriving_;
        if (request_.lora && request_.lora->saves_modules())
            all_ = adapter_parameters<N>(model, *request_.lora) * element_ + head_ + embedding_;
    }

    /// `present`: all gradients are there before the pass begins.
    Moment<N> forward(bool present) const {
        Moment<N> most{before(present), kept(model_.order.size(), true), loss_.forward};
        hold_outputs(most, model_.order.size());
        add_previous(most, true);
        add_casts(most);
        if (value_of(costs_.head_written_out) > 0) {
            Moment<N> head{before(present), kept(model_.order.size(), true), loss_.at_forward_head};
            head.activations.add("in_flight", costs_.head_written_out);
            add_previous(head, true);
            if (head.total() > most.total()) most = std::move(head);
        }
        const auto consider = [&](size_t layers, const Bytes<N>& in_flight) {
            Moment<N> running{before(present), kept(layers, false), {}};
            running.activations.add("in_flight", in_flight);
            hold_outputs(running, layers, 1);
            add_casts(running);
            if (running.total() > most.total()) most = std::move(running);
        };
        for (size_t kind = 0; kind < costs_.layers.size(); ++kind)  // the last layer of each kind while it runs
            consider(last_of(kind), costs_.layers[kind].forward);
        consider(model_.order.size(), costs_.before_head);
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
        consider(at_final_norm(present));
        for (size_t kind = 0; kind < costs_.layers.size(); ++kind) {
            consider(in_layer(last_of(kind), present));
            consider(in_layer(first_of(kind), present));
            consider(recomputing(last_of(kind), present));
            consider(recomputing(first_of(kind), present));
        }
        consider(at_embedding(present));
        return most;
    }
    /// Vectors are made before the first step, and stay.
    Moment<N> loaded() const { return {Bytes<N>{N(0)}, costs_.batch, {}}; }
    /// What the script still refers to while the optimizer steps.
    Moment<N> step() const {
        Moment<N> moment{request_.gradients_released ? Bytes<N>{N(0)} : all_, {}, loss_.held};
        if (is_regression(model_)) moment.activations = costs_.batch;
        hold_outputs(moment, 0);
        return moment;
    }
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

    /// Gradients of what lies above the layers; of an embedding that is the head, too.
    Bytes<N> gradients_of_head() const {
        if (request_.gradients_released) return {N(0)};
        const bool apart = model_.tied || request_.lora;  // the head's own parameters are without the matrix
        return apart ? head_ + costs_.head_trained * element_ : costs_.head_trained * element_;
    }
    /// The vocabulary matrix's, when it comes.
    Bytes<N> head_arriving(bool present) const { return present && value_of(head_) > 0 ? matrix_arriving_ : head_; }
    Bytes<N> gradients_above(size_t position) const {
        if (request_.gradients_released) return {N(0)};
        Bytes<N> sum = gradients_of_head();
        for (size_t kind = 0; kind < costs_.layers.size(); ++kind)
            sum += layers_between(position + 1, model_.order.size(), kind, "finished_") *
                   (costs_.layers[kind].trained * element_);
        return sum;
    }
    /// Everything is saved, and `logits` are what the loss holds of them.
    Moment<N> at_loss(bool present, const Groups<N>& logits) const {
        Moment<N> moment{before(present), kept(model_.order.size(), true), logits};
        hold_outputs(moment, model_.order.size());
        if (loss_.matrix_gradient_in_loss) moment.gradients += head_arriving(present);
        return moment;
    }
    Moment<N> at_head(bool present) const {
        Moment<N> moment{before(present), kept(model_.order.size(), true), loss_.head};
        hold_outputs(moment, model_.order.size());
        moment.gradients += head_arriving(present);
        moment.temporaries = temporaries_;
        if (model_.hidden_size) moment.activations.add("in_flight", hidden_gradient() + costs_.head_written_out);
        return moment;
    }
    Moment<N> at_final_norm(bool present) const {
        Moment<N> moment{present ? all_ : gradients_of_head(), kept(model_.order.size(), false), loss_.held};
        hold_outputs(moment, model_.order.size());
        moment.activations.add("in_flight", costs_.after_head.alive);
        return moment;
    }
    Moment<N> in_layer(size_t position, bool present) const {
        if (position >= model_.order.size()) return {};
        const LayerCost<N>& layer = costs_.layers[kind_at(position)];
        Moment<N> moment{present ? all_ : gradients_above(position), kept(position, false), loss_.held};
        hold_outputs(moment, position);
        const bool passing = present || passes_;
        const Backward<N>& running = passing ? layer.passing : layer.staying;
        moment.activations.add("in_flight", running.alive);
        if (request_.checkpointing == Checkpointing::full && !layer.keeps_input)
            moment.activations.add("saved.checkpoints", layer.checkpoint.total());
        const bool as_made = passing || value_of(element_) == value_of(arriving_);
        moment.gradients +=
            as_made ? running.parameters : Bytes<N>{named("gradients_of_a_layer", (layer.trained * element_).n)};
        moment.temporaries = temporaries_;
        return moment;
    }
    /// A checkpointed layer's second forward pass, with the gradient of its output waiting.
    Moment<N> recomputing(size_t position, bool present) const {
        if (request_.checkpointing != Checkpointing::full || position >= model_.order.size()) return {};
        Moment<N> moment{present ? all_ : gradients_above(position), kept(position, false), loss_.held};
        hold_outputs(moment, position);
        moment.activations.add("in_flight", costs_.layers[kind_at(position)].recomputed + hidden_gradient());
        return moment;
    }
    Moment<N> at_embedding(bool present) const {
        Moment<N> moment{request_.gradients_released && !present ? Bytes<N>{N(0)} : all_, costs_.batch, loss_.held};
        moment.activations.add(costs_.embedding, N(1));
        moment.temporaries = temporaries_;
        hold_outputs(moment, 0);
        if (!trains_embedding() || !model_.hidden_size) return moment;
        moment.activations.add("in_flight", hidden_gradient());
        if ((model_.tied && !request_.lora) || present || passes_) moment.gradients += matrix_arriving_;
        return moment;
    }

    /// How many of so many layers are checkpointed.
    N checkpointed(const N& layers) const {
        if (request_.checkpointing == Checkpointing::none) return N(0);
        if (request_.checkpoint_every == 1) return layers;
        return rounded_down(
            layers / input<N>("checkpoint_every", request_.checkpoint_every, "request: training.checkpoint_every"));
    }
    /// Layers' outputs that the script refers to, but for those that the first `layers` layers have kept as well.
    /// `in_flight`: so many of them are there anyway.
    void hold_outputs(Moment<N>& moment, size_t layers, size_t in_flight = 0) const {
        const size_t all = model_.order.size(),
                     kept = costs_.layers.empty() || !costs_.layers[0].keeps_stream ? 0 : layers;
        const size_t last = request_.holds_output && !model_.vocab_size && layers < all ? 1 : 0;
        size_t held = request_.holds_layer_outputs ? all - kept : last;
        held = held > in_flight ? held - in_flight : 0;
        if (held == 0 || costs_.layers.empty()) return;
        const N outputs = input<N>("outputs_held", static_cast<double>(held), "request: training.holds");
        moment.activations.add("held_outputs", outputs * hidden_gradient());
    }
    /// Checkpoints of the first `layers` layers, and all that is kept by those between two of them.
    void add_layers(Groups<N>& groups, size_t layers) const;

    const Model& model_;
    const TrainingRequest& request_;
    Pass<N> pass_;
    StepCosts<N> costs_;
    Bytes<N> element_, arriving_, all_, temporaries_{N(0)};
    bool passes_;
    LossMoments<N> loss_;
    Bytes<N> head_{N(0)}, embedding_{N(0)};  ///< gradients of the vocabulary matrix and of the embedding
    Bytes<N> matrix_arriving_{N(0)};         ///< of either, as the backward pass makes it
};

template <class N>
Groups<N> Step<N>::kept(size_t layers, bool head) const {
    Groups<N> groups = costs_.batch;
    groups.add(costs_.embedding, N(1));
    if (!request_.checkpoints_on_host)
        add_layers(groups, layers);
    else if (layers > 0 && !head)  // one comes back from the host while the layer above it runs
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
