/// A pass of a model that is not trained, beside the one that is: what it has at the fullest of its moments.
#pragma once

#include "estimate/training/loss/distillation.h"
#include "estimate/training/parallel/communication.h"

namespace plimsoll {

/// The policy's inputs without what it alone has, spread as the other model is.
inline TrainingInputs spread_as(const TrainingInputs& policy, const AuxiliaryModel& held) {
    TrainingInputs own = policy;
    own.models.clear();
    own.generation.reset();
    if (!held.layout) return own;
    own.layout = *held.layout;
    if (const auto precision = precision_of(policy.request.precision.name))
        own.precision = divided_precision(*precision, own.layout);
    return own;
}

/// As the policy's inputs are: the same device, batch and precision.
inline TrainingInputs inputs_of(const TrainingInputs& policy, const AuxiliaryModel& held) {
    TrainingInputs own = spread_as(policy, held);
    own.request.method.adapter.reset();
    if (!held.model && !held.weights) return own;
    own.weights = held.weights;
    own.base = held.base;
    own.mix = held.mix;
    return own;
}

/// A critic's inputs: it is trained as the policy is, and with adapters its head is trained beside them.
inline TrainingInputs critic_inputs(const TrainingInputs& policy, const AuxiliaryModel& held) {
    TrainingInputs own = spread_as(policy, held);
    own.request.objective.kind = Objective::critic;
    if (own.request.method.adapter) {
        own.request.method.adapter->saves_embedding = false;
        own.request.method.adapter->saves_head = true;
    }
    own.weights = held.weights;
    own.base = held.base;
    own.mix = held.mix;
    return own;
}

/// A pass that keeps nothing.
template <class N>
struct FrozenPass {
    Bytes<N> widest{N(0)};    ///< in its widest layer, with what is gathered and dequantized for it
    Bytes<N> scored{N(0)};    ///< while its logits are made into what is asked of them
    Bytes<N> returned{N(0)};  ///< what stays of it until the loss is taken

    FrozenPass() = default;
    FrozenPass(const Model& model, const TrainingInputs& inputs) {
        if (!model.hidden_size || model.kinds.empty()) return;
        const N hidden = as<N>(*model.hidden_size);
        Pass<N> pass = training_pass<N>(inputs);
        pass.training = false;
        pass.options.dropout = 0;
        const Communication<N> communication(model, inputs, N(0));
        for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
            const LayerKind& layers = model.kinds[kind];
            const Block& block = layers.block;
            const Pass<N> own = pass_of(layers, inputs.request.batch.images, pass);
            const N width = as<N>(width_of(layers, *model.hidden_size));
            const Bytes<N> running = run<N>(block, own, width).forward_peak().alive + dequantized<N>(block, inputs) +
                                     communication.gathered(kind).total();
            if (value_of(running) > value_of(widest)) widest = running;
        }
        if (!inputs.place.last || !model.vocab_size) return;
        const PairLogits<N> logits = scored_logits(inputs, pass, as<N>(*model.vocab_size));
        const bool distills = inputs.request.objective.kind == Objective::distill;
        const bool states = distills && inputs.request.objective.divergence == Divergence::hidden_states;
        returned = states ? last_states(pass, hidden) : logits.made;
        scored = distills ? returned : logits.unsaved();
    }
};

/// The loss at its fullest moment, another model's pass among them.
template <class N>
void run_beside(LossMoments<N>& at, const FrozenPass<N>& pass) {
    at.other = {RowId::logits, pass.returned};
    double most = at.loss.value() + value_of(pass.returned);
    const auto consider = [&](RowId::Known row, const Bytes<N>& bytes) {
        if (at.beside.value() + value_of(bytes) <= most) return;
        most = at.beside.value() + value_of(bytes);
        at.loss = at.beside;
        at.other = {row, bytes};
    };
    consider(RowId::logits, pass.scored);
    consider(RowId::activations, pass.widest);
}

}  // namespace plimsoll
