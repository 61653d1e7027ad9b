/// What one step costs, layer by layer: what the forward pass keeps for the backward pass, and what is alive while a
/// layer runs.
#pragma once

#include "estimate/training/groups.h"
#include "estimate/training/trained.h"
#include "policies/kept_wide.h"

namespace plimsoll {

template <class N>
struct LayerCost {
    const LayerKind* kind = nullptr;
    Groups<N> kept;           ///< by one layer that keeps its tensors
    Groups<N> checkpoint;     ///< by one that keeps what checkpointing leaves it
    Bytes<N> forward{N(0)};   ///< alive in the layer at the fullest moment of a pass that keeps nothing
    Bytes<N> backward{N(0)};  ///< the layer's saved tensors and gradients at the fullest moment of its backward pass
    N trained{0};             ///< parameters of one layer that get gradients
};

template <class N>
struct StepCosts {
    Groups<N> batch;      ///< there from the beginning of a micro-batch to its end
    Groups<N> embedding;  ///< kept by the embedding, and by the final norm and vocabulary head
    Groups<N> head;
    Bytes<N> head_written_out{N(0)};   ///< the vocabulary matrix, where it is packed
    std::vector<LayerCost<N>> layers;  ///< one per kind
    size_t first_trained = 0;          ///< first layer of the model that gets gradients; those below keep nothing
};

template <class N>
Pass<N> training_pass(const TrainingInputs& inputs) {
    N batch = input<N>("micro_batch", inputs.request.micro_batch, inputs.micro_batch_source);
    if (takes_pairs(inputs.request.objective)) batch = N(2) * batch;  // chosen and rejected, in one pass
    N sequence = input<N>("sequence", inputs.request.sequence, inputs.sequence_source), keys = sequence;
    if (inputs.request.lora && inputs.request.lora->virtual_tokens.count > 0) {
        const VirtualTokens& tokens = inputs.request.lora->virtual_tokens;
        keys = named("tokens_attended_to", sequence + virtual_tokens<N>(tokens));
        if (!tokens.in_layers) sequence = keys;
    }
    PassOptions options = inputs.request.pass;
    options.numerics = inputs.precision.numerics;
    options.adapter = inputs.request.lora ? &*inputs.request.lora : nullptr;
    return {batch, sequence, keys, named("tokens", batch * sequence), options, true, !inputs.request.lora};
}

/// What attention makes between its inputs and its output, which selective checkpointing computes anew.
/// Source: Korthikanti et al., arXiv:2205.05198 §5; Megatron-LM, core_attention.
inline bool within_attention(Label name) {
    for (const char* each : {"scores_tanh", "scores_softmax", "scores_dropout_mask", "scores_used", "log_sum_exp"})
        if (name == each) return true;
    return false;
}

/// The tensors that a block saves, but for those that `recomputed` names; casts of its weights under autocast.
template <class N, class Recomputed>
Groups<N> saved_by(const Tape<N>& tape, Recomputed recomputed) {
    Groups<N> groups;
    for (const auto& tensor : tape.saved())
        if (!recomputed(tensor.name))
            groups.add(std::string("saved.") + part_name(tensor.part),
                       Bytes<N>{named({"kept_", tensor.name}, tensor.elements * bytes_of<N>(tensor.dtype).n)});
    if (tape.options().numerics.autocast) {
        const Bytes<N> half = bytes_of<N>(Dtype::sixteen_bit);
        groups.add("saved.weight_casts", named("matrix_elements", tape.cast_matrices()) * half);
        groups.add("weight_cast_cache", named("bias_elements", tape.cast_vectors()) * half);
    }
    return groups;
}

template <class N>
Groups<N> saved_by(const Tape<N>& tape) {
    return saved_by(tape, [](Label) { return false; });
}

/// Batch tensors that every step holds: masks, labels, positions, and the rotary tables that all layers share.
template <class N>
Groups<N> batch_tensors(const Model& model, const Pass<N>& pass) {
    Groups<N> groups;
    const Bytes<N> ids = bytes_of<N>(Dtype::int64);
    groups.add("inputs", Bytes<N>{named("attention_mask_and_labels", N(2) * pass.tokens * ids.n)} +
                             Bytes<N>{named("position_ids", pass.sequence * ids.n)});
    for (const Op& op : model.kinds.front().block.ops) {
        const Attention* attention = std::get_if<Attention>(&op);
        if (attention && attention->q == "q_rotated")
            groups.add("saved.rotary_tables", Bytes<N>{N(2) * pass.sequence * as<N>(attention->head_dim) *
                                                       bytes_of<N>(pass.options.numerics.compute).n});
    }
    return groups;
}

template <class N>
Dtype residual_type(const Pass<N>& pass) {
    return pass.options.numerics.autocast ? Dtype::float32 : pass.options.numerics.parameter;
}

/// A packed matrix is written out in 16 bits while its product runs, and again while its backward pass does: the
/// largest of the block. Where the product is one of plain operations, autograd keeps what was written out, for it is
/// no parameter: all of the block. (bitsandbytes MatMul4Bit; AutoGPTQ qlinear_cuda_old.py)
template <class N>
Bytes<N> written_out(const Block& block, const TrainingInputs& inputs) {
    if (!inputs.weights) return {N(0)};
    N largest{0}, all{0};
    for (const Weight<N>& weight : weights_of<N>(block)) {
        const LayeredWeight<double> one{{weight.name, weight.part, 1, 1, 1, weight.vector}, 1};
        if (!packs(inputs.weights->wide, one, weight.part == Part::experts)) continue;
        const N elements = weight.rows * weight.cols;
        all += named(weight.name, weight.elements());
        if (value_of(elements) > value_of(largest)) largest = named(weight.name, elements);
    }
    return (inputs.request.dequantised_kept ? all : largest) * bytes_of<N>(Dtype::sixteen_bit);
}

template <class N>
LayerCost<N> layer_cost(const LayerKind& kind, const TrainingInputs& inputs, const Pass<N>& pass, const N& hidden) {
    LayerCost<N> cost;
    cost.kind = &kind;
    const Tape<N> tape = run<N>(kind.block, pass, hidden);
    cost.kept = saved_by(tape);
    const Bytes<N> matrix = written_out<N>(kind.block, inputs);
    if (inputs.request.dequantised_kept) cost.kept.add("saved.dequantised", matrix);
    cost.backward = Bytes<N>{named({kind.name, "_in_backward"}, tape.backward_peak().n)} + matrix;
    cost.trained = named({"trained_in_", kind.name}, trained_parameters<N>(kind.block, inputs.request));
    if (inputs.request.checkpointing == Checkpointing::selective) cost.checkpoint = saved_by(tape, within_attention);
    if (inputs.request.checkpointing == Checkpointing::full) {
        cost.checkpoint.add("saved.checkpoints", pass.tokens * hidden * bytes_of<N>(residual_type(pass)));
        Pass<N> keeps_nothing = pass;
        keeps_nothing.training = false;
        const Bytes<N> running = run<N>(kind.block, keeps_nothing, hidden).forward_peak();
        cost.forward = Bytes<N>{named({kind.name, "_in_forward"}, running.n)} + matrix;
    }
    return cost;
}

/// The layers that get gradients are the last ones, as many as the trained share of the model's.
inline size_t first_trained(const Model& model, const TrainingRequest& request) {
    const double frozen = 1 - trained_share<double>(request);
    return static_cast<size_t>(rounded_down(frozen * static_cast<double>(model.order.size())));
}

template <class N>
StepCosts<N> step_costs(const Model& model, const TrainingInputs& inputs) {
    StepCosts<N> costs;
    if (!model.hidden_size || model.kinds.empty()) return costs;
    const N hidden = as<N>(*model.hidden_size);
    const Pass<N> pass = training_pass<N>(inputs);
    costs.batch = batch_tensors(model, pass);
    costs.first_trained = first_trained(model, inputs.request);
    if (costs.first_trained == 0) costs.embedding = saved_by(run<N>(model.embedding, pass, hidden));
    for (const LayerKind& kind : model.kinds) costs.layers.push_back(layer_cost(kind, inputs, pass, hidden));
    costs.head = saved_by(run<N>(model.head, pass, hidden));
    if (pass.options.adapter && pass.options.adapter->saves_head)  // its copy is trained, and needs what it reads
        costs.head.add("saved.head", pass.tokens * hidden * bytes_of<N>(pass.options.numerics.compute));
    costs.head_written_out = written_out<N>(model.head, inputs);
    return costs;
}

}  // namespace plimsoll
