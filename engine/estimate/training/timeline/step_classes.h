/// The classes of tensors that a training step is made of, declared once: what a micro-batch holds, what each kind of
/// layer keeps and makes, gradients as they come and as they stay, and what other devices have to do with them.
#pragma once

#include "estimate/training/loss/loss.h"
#include "estimate/training/optimizer/gradients.h"
#include "estimate/training/timeline/timeline.h"

namespace plimsoll {

/// What a step is computed from; one for each stage of a pipeline.
template <class N>
struct StepFacts {
    StepFacts(const Model& model, const TrainingInputs& inputs, const N& trainable);

    /// Bytes of a layer's input, of its output, and of the gradient of either.
    Bytes<N> hidden_gradient() const {
        return pass.stream_tokens() * as<N>(*model.hidden_size) * bytes_of<N>(residual_type(pass));
    }

    /// The same of a tower's layer.
    Bytes<N> hidden_gradient(const LayerKind& kind) const {
        return pass_of(kind, request.batch.images, pass).tokens * as<N>(width_of(kind, *model.hidden_size)) *
               bytes_of<N>(residual_type(pass));
    }

    const Model& model;
    const TrainingInputs& inputs;
    const TrainingRequest& request;
    bool head_is_trained, embedding_is_trained;
    Pass<N> pass;
    StepCosts<N> costs;
    Communication<N> communication;
    Gradients<N> gradients;
    LossMoments<N> loss;
};

template <class N>
StepFacts<N>::StepFacts(const Model& of, const TrainingInputs& with, const N& trainable)
    : model(of),
      inputs(with),
      request(with.request),
      head_is_trained(with.place.last &&
                      (request.method.adapter ? request.method.adapter->saves_head : trains_head(model, request))),
      embedding_is_trained(with.place.first && (request.method.adapter ? request.method.adapter->saves_embedding
                                                                       : trains_embedding(model, request))),
      pass(training_pass<N>(inputs)),
      costs(step_costs<N>(model, inputs)),
      communication(model, inputs, trainable),
      gradients(model, inputs, gradient_parameters(model, inputs, trainable), head_is_trained, embedding_is_trained),
      loss(with.place.last ? loss_moments(model, inputs, pass, head_is_trained) : LossMoments<N>{}) {
    if (generates(request.objective.kind)) return;  // what others say was asked before
    for (const AuxiliaryModel& held : inputs.models)
        run_beside(loss, FrozenPass<N>(held.model ? *held.model : model, inputs_of(inputs, held)));
}

template <class N>
struct StepClasses {
    using Bundle = typename Timeline<N>::Bundle;

    /// Of one layer of a kind.
    struct Layer {
        Bundle kept, checkpoint, casts;          ///< until its backward pass; casts until the forward pass has ended
        Bundle from_host;                        ///< a checkpoint on its way back
        Bundle forward, recomputed;              ///< while it runs forward, and forward once more
        Bundle passing, staying;                 ///< while it runs backward: gradients are used at once, or stay
        Bundle gradients;                        ///< of its parameters, as they are kept
        Bundle made_passing, made_staying;       ///< and as they come
        Bundle unreduced, handed_over;           ///< all of a layer that come, and in one piece to be reduced
        Bundle cached, cached_alone;             ///< keys and values that the model returns
        Bundle inside_forward, inside_backward;  ///< of other devices' shares
        Bundle while_joining;                    ///< the same, while its gradients are put into one piece
        Bundle whole;                            ///< its weights, gathered until it has run backward
        Bundle kept_input, output_gradient;  ///< its input, where nothing else keeps it; what its output's gradient is
        Bundle beside;                       ///< while a tower runs: the text's embeddings, or their gradient
    };
    struct Loss {
        Bundle before, forward, at_forward_head, loss, backward, head, held;
        Bundle waiting;  ///< between its passes, where all micro-batches go forward first
    };

    Bundle batch, embedding, head;
    Bundle before_head, after_head, head_dequantized, hidden_gradient, outputs;
    Bundle all_gradients, head_gradients, head_arriving, head_arriving_besides, norm_gradients;
    Bundle at_embedding, at_embedding_besides, head_handed_over, ends_handed_over;
    Bundle temporaries, previous, previous_outputs;
    Bundle standing, outside_forward, outside_backward, at_embedding_backward;
    Bundle at_loss_forward, at_loss_backward, first_layer_comes;
    Loss loss;
    std::vector<Layer> layers;  ///< by kind

    StepClasses(Timeline<N>& timeline, const StepFacts<N>& of);

private:
    void declare_kept(Timeline<N>& timeline, const StepCosts<N>& costs);
    void declare_running(Timeline<N>& timeline, const StepFacts<N>& of);
    void declare_stream(Timeline<N>& timeline, const StepFacts<N>& of, size_t kind, const Bundle& kept_input);
    void declare_layer(Timeline<N>& timeline, const StepFacts<N>& of, size_t kind);
    void declare_gradients(Timeline<N>& timeline, const StepFacts<N>& of);
    void declare_loss(Timeline<N>& timeline, const LossMoments<N>& moments);
    void declare_previous(Timeline<N>& timeline, const StepFacts<N>& of);
};

template <class N>
StepClasses<N>::StepClasses(Timeline<N>& timeline, const StepFacts<N>& of) {
    declare_kept(timeline, of.costs);
    declare_running(timeline, of);
    declare_gradients(timeline, of);
    for (size_t kind = 0; kind < of.costs.layers.size(); ++kind) declare_layer(timeline, of, kind);
    declare_loss(timeline, of.loss);
    if (of.request.batch.previous_tokens > 0) declare_previous(timeline, of);
    const Communication<N>& communication = of.communication;
    standing = timeline.declare(StepRow::communication, communication.standing());
    outside_forward = timeline.declare(StepRow::communication, communication.outside(false));
    outside_backward = timeline.declare(StepRow::communication, communication.outside(true));
    at_embedding_backward = timeline.declare(StepRow::communication, communication.at_embedding());
    at_loss_forward = timeline.declare(StepRow::communication, communication.at_loss(false));
    at_loss_backward = timeline.declare(StepRow::communication, communication.at_loss(true));
    first_layer_comes = timeline.declare(StepRow::communication, communication.first_layer_comes());
    if (!of.gradients.by_unit) return;
    head_handed_over =
        timeline.declare(StepRow::communication, RowId::reduce_scatter_input, communication.head_handed_over());
    ends_handed_over =
        timeline.declare(StepRow::communication, RowId::reduce_scatter_input, communication.ends_handed_over());
}

// In the order in which a forward pass comes to them: so rows list what they hold.
template <class N>
void StepClasses<N>::declare_kept(Timeline<N>& timeline, const StepCosts<N>& costs) {
    batch = timeline.declare(StepRow::activations, costs.batch);
    embedding = timeline.declare(StepRow::activations, costs.embedding);
    for (const LayerCost<N>& cost : costs.layers) {
        Layer layer;
        layer.checkpoint = timeline.declare(StepRow::activations, cost.checkpoint, {cost.kind, "recomputed_"});
        layer.kept = timeline.declare(StepRow::activations, cost.kept, {cost.kind, "waiting_"});
        layers.push_back(std::move(layer));
    }
    head = timeline.declare(StepRow::activations, costs.head);
}

template <class N>
void StepClasses<N>::declare_running(Timeline<N>& timeline, const StepFacts<N>& of) {
    const StepCosts<N>& costs = of.costs;
    const auto in_flight = [&timeline](const Bytes<N>& bytes) {
        return timeline.declare(StepRow::activations, RowId::in_flight, bytes);
    };
    before_head = in_flight(costs.before_head);
    after_head = in_flight(costs.after_head.alive);
    head_dequantized = in_flight(costs.head_dequantized);
    if (!of.model.hidden_size) return;
    hidden_gradient = in_flight(of.hidden_gradient());
    const Bundle kept_input = timeline.declare(StepRow::activations, RowId::saved_checkpoints, of.hidden_gradient());
    for (size_t kind = 0; kind < layers.size(); ++kind) declare_stream(timeline, of, kind, kept_input);
    outputs = timeline.declare(StepRow::activations, RowId::held_outputs, of.hidden_gradient(),
                               {nullptr, "outputs_held", "request: training.holds"});
}

// What goes from layer to layer: the decoder's hidden states, or a tower's own vectors.
template <class N>
void StepClasses<N>::declare_stream(Timeline<N>& timeline, const StepFacts<N>& of, size_t kind,
                                    const Bundle& kept_input) {
    Layer& layer = layers[kind];
    layer.kept_input = kept_input;
    layer.output_gradient = hidden_gradient;
    const LayerKind& of_tower = *of.costs.layers[kind].kind;
    if (of_tower.stream == Stream::hidden_states) return;
    const Bytes<N> vectors = of.hidden_gradient(of_tower);
    layer.kept_input = timeline.declare(StepRow::activations, RowId::saved_checkpoints, vectors);
    layer.output_gradient = timeline.declare(StepRow::activations, RowId::in_flight, vectors);
    layer.beside = hidden_gradient;
}

template <class N>
void StepClasses<N>::declare_layer(Timeline<N>& timeline, const StepFacts<N>& of, size_t kind) {
    const LayerCost<N>& cost = of.costs.layers[kind];
    const Gradients<N>& made = of.gradients;
    Layer& layer = layers[kind];
    const auto activation = [&](RowId::Known id, const Bytes<N>& bytes, const char* what) {
        return timeline.declare(StepRow::activations, id, bytes, {cost.kind, what});
    };
    const auto gradient = [&](const Bytes<N>& bytes, const char* what = "") {
        return timeline.declare(StepRow::gradients, RowId::gradients, bytes, {cost.kind, what});
    };
    layer.from_host = timeline.declare(StepRow::activations, cost.checkpoint);
    layer.casts = activation(RowId::weight_cast_cache, cost.casts, "cast_");
    layer.forward = activation(RowId::in_flight, cost.forward, "");
    layer.recomputed = activation(RowId::in_flight, cost.recomputed, "");
    layer.passing = activation(RowId::in_flight, cost.passing.alive, "");
    layer.staying = activation(RowId::in_flight, cost.staying.alive, "");
    layer.cached_alone = activation(RowId::cached_keys_and_values, cost.cached_alone, "cached_");
    layer.cached = activation(RowId::cached_keys_and_values, cost.cached, "behind_");
    const Bytes<N> kept_gradients = cost.trained * made.element;
    layer.gradients = gradient(kept_gradients, "finished_");
    layer.made_passing = gradient(cost.passing.parameters);
    layer.made_staying = gradient(made.stay_as_made() ? cost.staying.parameters
                                                      : Bytes<N>{named("gradients_of_a_layer", kept_gradients.n)});
    if (made.joined) layer.unreduced = gradient(cost.trained * made.arriving);
    const Communication<N>& others = of.communication;
    layer.handed_over = timeline.declare(StepRow::communication, RowId::reduce_scatter_input, others.handed_over(kind));
    layer.inside_forward = timeline.declare(StepRow::communication, others.inside(kind, false));
    layer.inside_backward = timeline.declare(StepRow::communication, others.inside(kind, true));
    layer.whole = timeline.declare(StepRow::communication, RowId::gathered_units, others.whole(kind));
    layer.while_joining = timeline.declare(StepRow::communication, others.while_joining(kind));
}

template <class N>
void StepClasses<N>::declare_gradients(Timeline<N>& timeline, const StepFacts<N>& of) {
    const Gradients<N>& made = of.gradients;
    const auto gradient = [&timeline](const Bytes<N>& bytes) {
        return timeline.declare(StepRow::gradients, RowId::gradients, bytes);
    };
    all_gradients = gradient(made.all);
    head_gradients = gradient(made.of_head(of.costs.head_trained));
    head_arriving = gradient(made.head_arriving(false));
    head_arriving_besides = gradient(made.head_arriving(true));
    norm_gradients = gradient(of.costs.after_head.parameters);
    at_embedding = gradient(made.at_embedding(false));
    at_embedding_besides = gradient(made.at_embedding(true));
    if (!of.request.gradients.released) return;
    temporaries =
        timeline.declare(StepRow::temporaries, RowId::step_temporaries, step_temporaries<N>(of.model, of.inputs));
}

template <class N>
void StepClasses<N>::declare_loss(Timeline<N>& timeline, const LossMoments<N>& moments) {
    const auto logits = [&timeline](const Groups<N>& groups) { return timeline.declare(StepRow::logits, groups); };
    Groups<N> between;
    for (const Group<N>& group : moments.loss.list())
        for (const Group<N>& later : moments.backward.list())
            if (group.id == later.id) between.add(group.id, group.bytes);
    loss = {logits(moments.before), logits(moments.forward),  logits(moments.at_forward_head),
            logits(moments.loss),   logits(moments.backward), logits(moments.head),
            logits(moments.held),   logits(between)};
}

// What the loop still holds of the micro-batch before: its loss, and with that the graph and what kernels keep in it,
// until the next loss is there; and the model's outputs, until the next are: before the loss is taken, or where the
// model itself takes it, with it.
template <class N>
void StepClasses<N>::declare_previous(Timeline<N>& timeline, const StepFacts<N>& of) {
    const N share = input<N>("previous_tokens", of.request.batch.previous_tokens, "request: training.previous_tokens") /
                    of.pass.sequence;
    const auto add = [&](Bundle& bundle, StepRow row, RowId::Known id, const Bytes<N>& bytes) {
        const Bundle one = timeline.declare(row, id, bytes);
        if (!one.empty()) bundle = {bundle.empty() ? one.begin : bundle.begin, one.end};
    };
    for (const LayerCost<N>& layer : of.costs.layers)
        if (of.request.recompute.checkpointing == Checkpointing::none)
            add(previous, StepRow::activations, RowId::held_by_graph, as<N>(layer.kind->count) * layer.held * share);
    add(previous_outputs, StepRow::logits, RowId::logits_kept, share * of.loss.returned);
    for (const LayerCost<N>& layer : of.costs.layers)
        add(previous_outputs, StepRow::activations, RowId::cached_keys_and_values,
            as<N>(layer.kind->count) * layer.cached * share);
}

}  // namespace plimsoll
