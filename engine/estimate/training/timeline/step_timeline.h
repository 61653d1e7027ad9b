/// One training step over time, as its rows see it: the schedule's turns are played over the classes of tensors, and
/// each phase is shown at its fullest moment. The turns are in step_turns.h; who takes a step includes that file.
///
/// With gradients set to None between steps, saved tensors go as gradients come; with a buffer that stays, or from the
/// second micro-batch of an accumulation on, all gradients are there throughout, and one that arrives besides.
///
/// Between two layers that have alike ones on either side, what there is changes by the same from layer to layer, so that
/// the fullest moment is at an end of such a stretch: its layers are passed over, and so are passes beside which others
/// are fuller. A step that is written down has all moments.
#pragma once

#include "estimate/training/forward/frozen_pass.h"
#include "estimate/training/timeline/fullest_passes.h"
#include "estimate/training/timeline/step_classes.h"

namespace plimsoll {

template <class N>
class StepTimeline {
public:
    /// `record`: where each moment is written down; null: nowhere.
    StepTimeline(const Model& model, const TrainingInputs& inputs, const N& trainable, StepRecord* record = nullptr);

    /// A phase at its fullest moment.
    Moment<N> at(Phase phase) const { return timeline_.fullest(phase); }
    /// Vectors are made before the first step, and stay.
    Moment<N> loaded() const {
        Moment<N> moment;
        moment.communication = facts_.communication.standing();
        if (is_regression(facts_.model)) moment.activations = facts_.costs.batch;
        return moment;
    }
    /// While answers are generated or scored, or another model is trained.
    Moment<N> idle() const {
        Moment<N> moment;
        if (stays_) moment.gradients = facts_.gradients.all;
        moment.communication = facts_.communication.standing();
        return moment;
    }
    /// What the script still refers to while the optimizer steps.
    Moment<N> step() const;
    /// What streams beside the main one take of the driver; `kept`: of the gradients, unless they go to the host.
    Bytes<N> stream_pools(bool kept) const {
        return facts_.communication.stream_pools(kept ? facts_.gradients.all : Bytes<N>{N(0)});
    }
    /// Of the gradients, what stays from micro-batch to micro-batch.
    const Bytes<N>& kept_gradients() const { return facts_.gradients.all; }
    /// What another model's pass has in the loss.
    const Group<N>& other() const { return facts_.loss.other; }
    bool has_layers() const { return !facts_.costs.layers.empty(); }
    /// What all micro-batches under way have kept on the host.
    Groups<N> on_host() const;

private:
    using Bundle = typename Timeline<N>::Bundle;
    using Layer = typename StepClasses<N>::Layer;

    size_t layers() const { return plan_.size(); }
    const Layer& layer_at(size_t position) const { return classes_.layers[plan_[position].kind]; }
    /// Whether a turn's piece has the model's end.
    bool ends(const Turn& turn) const { return facts_.inputs.place.last && turn.piece + 1 == pieces_; }
    bool gradient_is_there(size_t position) const { return all_are_there_ || is_there_[position]; }

    void play_step(bool all);
    void play(const Turn& turn);
    void pass_over(const PiecePass& pass, const std::vector<size_t>& begins);
    void pass_over(const Turn& turn);
    std::vector<bool> alike_layers(const std::vector<size_t>& begins) const;
    void begin(const Turn& turn);
    void embedding(const Turn& turn);
    void layer(const Turn& turn);
    void head(const Turn& turn);
    void loss(const Turn& turn);
    void loss_backward(const Turn& turn);
    void head_backward(const Turn& turn);
    void recompute(const Turn& turn);
    void layer_backward(const Turn& turn);
    void embedding_backward(const Turn& turn);
    void end(const Turn& turn);

    void moment(const Turn& turn);
    void moment_of_forward(const Turn& turn, size_t position, size_t in_flight);
    void moment_of_backward(const Turn& turn, size_t position);
    void wait();
    void during_loss(const Bundle& bundle, const Turn& turn) {
        if (ends(turn)) timeline_.during(bundle);
    }
    void hold_layer(size_t position, bool is_held);
    void layer_gradients_come(size_t position);
    void all_gradients_are_there();
    void during_previous(bool outputs);
    size_t outputs_held(size_t kept, size_t ran) const;
    void during_arriving_matrix();
    void during_outputs(size_t kept, size_t ran, size_t in_flight);
    void during_cache(size_t position, bool all);
    void during_from_host(size_t position);
    void during_whole(size_t count);

    StepFacts<N> facts_;
    size_t pieces_, towers_;
    std::vector<PlannedLayer> plan_;
    Timeline<N> timeline_;
    StepClasses<N> classes_;
    bool stays_;                  ///< gradients are there before a step begins
    bool steps_at_once_;          ///< the optimizer takes each gradient as it comes
    bool losses_wait_;            ///< all micro-batches go forward before one goes backward
    bool all_are_there_ = false;  ///< gradients of all parameters
    std::vector<bool> is_there_;  ///< by position: a layer's gradients, while not all are
    bool head_is_there_ = false;
};

template <class N>
StepTimeline<N>::StepTimeline(const Model& model, const TrainingInputs& inputs, const N& trainable, StepRecord* record)
    : facts_(model, inputs, trainable),
      pieces_(inputs.place.pieces()),
      towers_(tower_layers(model)),
      plan_(layer_plan(model, inputs.request, inputs.place.parts)),
      classes_(timeline_, facts_),
      stays_(inputs.gradients_stay() || inputs.request.gradients.zeroed),
      steps_at_once_(inputs.request.gradients.released && inputs.request.batch.accumulation == 1),
      losses_wait_(inputs.layout.schedule == Schedule::all_forward),
      is_there_(model.order.size(), false) {
    if (facts_.costs.layers.empty()) plan_.clear();
    if (record) timeline_.record(*record, is_regression(model) ? RowId::loss : RowId::logits);
    if (stays_) all_gradients_are_there();
    if (is_regression(model)) timeline_.hold(classes_.batch);
    play_step(record);
}

template <class N>
Moment<N> StepTimeline<N>::step() const {
    Moment<N> moment;
    const Gradients<N>& gradients = facts_.gradients;
    if (!facts_.request.gradients.released && !facts_.inputs.steps_on_host())
        moment.gradients = gradients.all + gradients.copies;
    if (is_regression(facts_.model)) moment.activations = facts_.costs.batch;
    moment.logits = facts_.loss.held;
    moment.communication = facts_.communication.standing();
    if (const size_t held = outputs_held(0, layers()); held > 0)
        moment.activations.add(
            RowId::held_outputs,
            input<N>("outputs_held", static_cast<double>(held), "request: training.holds") * facts_.hidden_gradient());
    return moment;
}

template <class N>
Groups<N> StepTimeline<N>::on_host() const {
    Groups<N> groups;
    if (!facts_.request.recompute.on_host) return groups;
    const double under_way = facts_.inputs.place.in_flight;
    for (size_t kind = 0; kind < facts_.costs.layers.size(); ++kind) {
        double count = 0;
        for (size_t position = 0; position < layers(); ++position)
            count += plan_[position].kind == kind && plan_[position].recomputed != Recomputed::nothing &&
                     plan_[position].begins_chunk(position);
        const LayerCost<N>& cost = facts_.costs.layers[kind];
        N number = number_of<N>({cost.kind, "recomputed_"}, count);
        if (under_way > 1) number = input<N>("micro_batches_under_way", under_way, "the pipeline's schedule") * number;
        groups.add(cost.checkpoint, number);
    }
    return groups;
}

}  // namespace plimsoll
