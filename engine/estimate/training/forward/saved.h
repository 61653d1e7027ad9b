/// What one step costs, layer by layer: what the forward pass keeps for the backward pass, and what is alive while a
/// layer runs.
#pragma once

#include <optional>

#include "estimate/training/forward/image_pass.h"
#include "estimate/training/forward/kept.h"
#include "estimate/training/forward/reached.h"
#include "estimate/training/parameters/trained.h"
#include "policies/encodings/unquantized.h"

namespace plimsoll {

/// A block's backward pass at its fullest moment.
template <class N>
struct Backward {
    Bytes<N> alive{N(0)};       ///< saved tensors, and gradients in flight
    Bytes<N> parameters{N(0)};  ///< gradients of the parameters
};

template <class N>
struct LayerCost {
    const LayerKind* kind = nullptr;
    Groups<N> kept;          ///< by one layer that keeps its tensors
    Groups<N> checkpoint;    ///< by one that keeps what checkpointing leaves it
    Bytes<N> forward{N(0)};  ///< alive in the layer at the fullest moment of its forward pass
    Backward<N> staying, passing;
    Bytes<N> held{N(0)};    ///< kept by kernels beside what autograd saves: it goes with the graph, not as layers do
    Bytes<N> casts{N(0)};   ///< of trained weights under autocast, in its cache until the forward pass has ended
    N trained{0};           ///< parameters of one layer that get gradients
    Bytes<N> cached{N(0)};  ///< keys and values of a layer, as the model returns them
    Bytes<N> cached_alone{N(0)};  ///< those of them that a layer that keeps its tensors does not keep
    Bytes<N> recomputed{N(0)};    ///< alive at the fullest moment of a checkpointed layer's second forward pass
    bool keeps_input = false;     ///< a layer's input is among what it keeps
    bool keeps_stream = false;    ///< the input or the output, or the checkpoint, which is the input
};

template <class N>
struct StepCosts {
    Groups<N> batch;      ///< there from the beginning of a micro-batch to its end
    Groups<N> embedding;  ///< kept by the embedding, and by the final norm and vocabulary head
    Groups<N> head;
    Bytes<N> before_head{N(0)};        ///< alive between the last layer and the vocabulary head at the fullest moment
    Backward<N> after_head;            ///< on the way back
    N head_trained{0};                 ///< parameters of final norm and vocabulary head
    Bytes<N> head_dequantized{N(0)};   ///< the vocabulary matrix, where it is packed
    std::vector<LayerCost<N>> layers;  ///< one per kind
    size_t first_trained = 0;          ///< first layer of the model that gets gradients; those below keep nothing
};

template <class N>
Pass<N> training_pass(const TrainingInputs& inputs) {
    N batch = input<N>("micro_batch", inputs.request.batch.micro_batch, inputs.micro_batch_source);
    if (takes_pairs(inputs.request.objective.kind)) batch = N(2) * batch;  // chosen and rejected, in one pass
    N sequence = input<N>("sequence", inputs.request.batch.sequence, inputs.sequence_source), keys = sequence;
    if (inputs.request.method.adapter && inputs.request.method.adapter->virtual_tokens.count > 0) {
        const VirtualTokens& tokens = inputs.request.method.adapter->virtual_tokens;
        keys = named("tokens_attended_to", sequence + virtual_tokens<N>(tokens));
        if (!tokens.in_layers) sequence = keys;
    }
    if (inputs.layout.context > 1) {
        const N context = input<N>("context_parallel", inputs.layout.context, "request: parallel.context");
        sequence = named("tokens_of_a_sequence_here", ceiling(sequence / context));
        keys = sequence;  // those of the other devices come and go part by part
    }
    PassOptions options = inputs.request.kernels.pass;
    options.numerics = inputs.precision.numerics;
    options.adapter = inputs.request.method.adapter ? &*inputs.request.method.adapter : nullptr;
    options.frozen_packed = inputs.weights != nullptr;
    if (inputs.weights && inputs.weights->keeps_input) options.frozen_keeps_input = true;
    if (inputs.weights) options.product = inputs.weights->product;
    if (inputs.request.recompute.checkpointing != Checkpointing::selective) options.recomputed = {};
    Pass<N> pass{
        batch, sequence, keys, named("tokens", batch * sequence), options, true, !inputs.request.method.adapter};
    if (inputs.layout.sequence_parallel && inputs.layout.tensor > 1)
        pass.stream_shares = input<N>("tensor_parallel", inputs.layout.tensor, "request: parallel.tensor");
    return pass;
}

/// Whether the model is given vectors and asked for vectors: it has layers, and no vocabulary.
inline bool is_regression(const Model& model) {
    return model.hidden_size && !model.vocab_size && !model.declared_parameters && model.missing.empty();
}

/// Of images: their pixels, as the processor makes them, and where a tower rotates, its tables. Both are in fp32.
/// (transformers, models/qwen2_5_vl/modeling_qwen2_5_vl.py: pixel_values; apply_rotary_pos_emb_vision)
template <class N>
void add_images(Groups<N>& groups, const Model& model, const TrainingImages& images, const Pass<N>& pass) {
    if (tower_layers(model) == 0) return;
    const LayerKind& first = model.kinds[model.order.front()];
    const N patches = pass_of(first, images, pass).tokens, values = as<N>(width_of(first, *model.hidden_size));
    groups.add(RowId::inputs, Bytes<N>{named("pixels", patches * values * bytes_of<N>(Dtype::float32).n)});
    for (const LayerKind& kind : model.kinds) {
        const Attention* attention = kind.stream == Stream::patches_of_layer ? attention_of(kind.block) : nullptr;
        if (attention && attention->q == "q_rotated")
            groups.add(RowId::saved_rotary_tables,
                       Bytes<N>{N(2) * patches * as<N>(attention->head_dim) * bytes_of<N>(Dtype::float32).n});
    }
}

/// Batch tensors that every step holds: masks, labels, positions, pixels, and the rotary tables that all layers share.
template <class N>
Groups<N> batch_tensors(const Model& model, const TrainingImages& images, const Pass<N>& pass) {
    Groups<N> groups;
    if (is_regression(model)) {
        const Bytes<N> vectors = pass.tokens * as<N>(*model.hidden_size) * bytes_of<N>(pass.options.numerics.parameter);
        groups.add(RowId::inputs, vectors);
        groups.add(RowId::targets, vectors);
        return groups;
    }
    const Bytes<N> ids = bytes_of<N>(Dtype::int64);
    groups.add(RowId::inputs, Bytes<N>{named("attention_mask_and_labels", N(2) * pass.tokens * ids.n)} +
                                  Bytes<N>{named("position_ids", pass.sequence * ids.n)});
    if (pass.options.mask != AttentionMask::none) {
        const bool added = pass.options.mask == AttentionMask::additive;
        groups.add(RowId::attention_mask,
                   pass.tokens * pass.keys * bytes_of<N>(added ? pass.options.numerics.compute : Dtype::boolean));
    }
    add_images(groups, model, images, pass);
    for (const Op& op : model.kinds[model.order[tower_layers(model)]].block.ops) {
        const Attention* attention = op.as<Attention>();
        // each head's slopes and the causal mask in one, for all layers (transformers, FalconModel.forward)
        if (attention && model.alibi_in_mask)
            groups.add(RowId::attention_mask,
                       as<N>(attention->heads) * pass.tokens * pass.keys * bytes_of<N>(pass.options.numerics.compute));
        if (attention && attention->q == "q_rotated")
            groups.add(RowId::saved_rotary_tables, Bytes<N>{N(2) * pass.sequence * as<N>(attention->head_dim) *
                                                            bytes_of<N>(pass.options.numerics.compute).n});
    }
    return groups;
}

template <class N>
Dtype residual_type(const Pass<N>& pass) {
    return pass.options.numerics.parameter;
}

/// Whether a frozen base keeps a weight in its encoding.
template <class N>
bool is_packed(const Weight<N>& weight, const TrainingInputs& inputs) {
    if (!inputs.weights) return false;
    const LayeredWeight<double> one{{weight.name, weight.part, 1, 1, 1, weight.vector}, 1};
    return packs(inputs.weights->wide, one, weight.part == Part::experts);
}

/// A packed matrix is dequantized to 16 bits while its product runs, and again while its backward pass does: the
/// largest of the block. Where the product is one of plain operations, autograd keeps what was dequantized, for it is
/// no parameter: all of the block. (bitsandbytes MatMul4Bit; AutoGPTQ qlinear_cuda_old.py)
template <class N>
Bytes<N> dequantized(const Block& block, const TrainingInputs& inputs) {
    if (!inputs.weights) return {N(0)};
    N largest{0}, all{0};
    for (const Weight<N>& weight : weights_of<N>(block)) {
        if (!is_packed(weight, inputs)) continue;
        const N elements = weight.rows * weight.cols;
        all += named(weight.name, weight.elements());
        if (value_of(elements) > value_of(largest)) largest = named(weight.name, elements);
    }
    Bytes<N> matrix = largest * bytes_of<N>(Dtype::sixteen_bit);
    if (inputs.request.kernels.dequantized_kept) return all * bytes_of<N>(Dtype::sixteen_bit);
    if (inputs.request.kernels.dequantized_copies == 1) return matrix;
    return input<N>("dequantised_copies", inputs.request.kernels.dequantized_copies,
                    "request: training.dequantised_copies") *
           matrix;
}

/// The inputs of a block's frozen packed layers, each once.
template <class N>
Bytes<N> frozen_inputs(const Block& block, Tape<N> tape) {
    Bytes<N> bytes{N(0)};
    if (!tape.options().frozen_keeps_input) return bytes;
    std::vector<size_t> seen;
    for (const Op& op : block.ops) {
        const Linear* linear = op.as<Linear>();
        if (!linear) continue;
        const auto given = tape.at(linear->from);
        bool known = false;
        for (const size_t storage : seen) known = known || storage == given.storage;
        if (known) continue;
        seen.push_back(given.storage);
        bytes += Bytes<N>{named({linear->name, "_input"}, (given.elements * bytes_of<N>(given.dtype)).n)};
    }
    return bytes;
}

/// What packed matrices are dequantized to, beside a pass.
template <class N>
struct Dequantized {
    Bytes<N> bytes{N(0)};
    bool stays = false;  ///< autograd keeps it; else it is there while a product runs

    [[gnu::noinline]] Bytes<N> beside(const Name& name, const typename Tape<N>::Peak& peak) const {
        const Bytes<N> alive{named(name, peak.alive.n)};
        return value_of(bytes) > 0 && (stays || peak.product) ? alive + bytes : alive;
    }
};

/// A block's backward pass, with what `matrix` has at its fullest moment.
template <class N>
Backward<N> backward_of(const Tape<N>& tape, std::string_view name, typename Tape<N>::Gradients gradients,
                        const Dequantized<N>& matrix) {
    Backward<N> backward;
    const auto peak = tape.backward_peak(gradients, value_of(matrix.bytes), &backward.parameters);
    backward.alive = matrix.beside({name, "_in_backward"}, peak);
    backward.parameters = {named("gradients_of_a_layer", backward.parameters.n)};
    return backward;
}

/// What torchtitan's checkpointing of operations keeps beside a layer's input: what attention gives, and what the
/// first, third, … matrix product does. (torchtitan, distributed/activation_checkpoint.py)
struct KeptProduct {
    Part part;
    Label name;
};

inline std::vector<KeptProduct> kept_products(const Block& block) {
    std::vector<KeptProduct> kept;
    size_t products = 0;
    for (const Op& op : block.ops) {
        const Linear* linear = op.as<Linear>();
        if (linear && ++products % 2 == 1) kept.push_back({linear->part, linear->to});
        if (const Attention* attention = op.as<Attention>()) kept.push_back({attention->part, attention->to});
        if (const LatentAttention* latent = op.as<LatentAttention>()) kept.push_back({latent->part, latent->heads.to});
    }
    return kept;
}

template <class N>
void add_kept_products(Groups<N>& checkpoint, const Block& block, Tape<N> tape) {
    for (const KeptProduct& each : kept_products(block)) {
        const auto made = tape.at(each.name);
        checkpoint.add(saved_row_of(each.part),
                       Bytes<N>{named({"kept_", each.name}, made.elements * bytes_of<N>(made.dtype).n)});
    }
}

/// What a tower's layer keeps, under one name, but for autocast's cache.
template <class N>
Groups<N> saved_by_tower(const Groups<N>& kept) {
    Groups<N> groups;
    for (const Group<N>& group : kept.list())
        groups.add(group.id == RowId::weight_cast_cache ? group.id : RowId::saved_vision, group.bytes);
    return groups;
}

/// A layer that checkpointing leaves nothing of but its input, and what else it keeps: forward as one that keeps nothing.
template <class N>
typename Tape<N>::Peak cost_of_recomputing(LayerCost<N>& cost, const Tape<N>& tape, const TrainingInputs& inputs,
                                           const N& hidden, const Dequantized<N>& matrix) {
    const Pass<N>& pass = tape.pass();
    // the cache outlives what is recomputed (at::autocast, cached_cast: of leaves that require a gradient)
    if (pass.options.numerics.autocast && pass.trainable)
        cost.casts =
            named("weight_elements", tape.cast_matrices() + tape.cast_vectors()) * bytes_of<N>(Dtype::sixteen_bit);
    cost.checkpoint.add(RowId::saved_checkpoints, pass.stream_tokens() * hidden * bytes_of<N>(residual_type(pass)));
    if (inputs.request.recompute.checkpointing == Checkpointing::selective_op)
        add_kept_products(cost.checkpoint, cost.kind->block, tape);
    cost.recomputed = matrix.beside({cost.kind->name, "_recomputed"}, tape.keeping_peak(value_of(matrix.bytes)));
    Pass<N> keeps_nothing = pass;
    keeps_nothing.training = false;
    const Tape<N> first = run<N>(cost.kind->block, keeps_nothing, hidden);
    return first.forward_peak(value_of(matrix.bytes));
}

template <class N>
LayerCost<N> layer_cost(const LayerKind& kind, const TrainingInputs& inputs, const Pass<N>& of_decoder,
                        const Traced& of_hidden) {
    LayerCost<N> cost;
    cost.kind = &kind;
    const Pass<N> pass = pass_of(kind, inputs.request.batch.images, of_decoder);
    const N hidden = as<N>(width_of(kind, of_hidden));
    const bool of_tower = kind.stream != Stream::hidden_states;
    const bool whole_layers = recomputes_layers(inputs.request.recompute.checkpointing) && is_checkpointed(kind);
    const bool selective = inputs.request.recompute.checkpointing == Checkpointing::selective;
    Pass<N> keeps_all = pass;
    keeps_all.options.recomputed = {};
    const Tape<N> whole = run<N>(kind.block, keeps_all, hidden);
    std::optional<Tape<N>> leaving;
    if (selective) leaving.emplace(run<N>(kind.block, pass, hidden));
    const Tape<N>& tape = selective ? *leaving : whole;
    cost.kept = of_tower ? saved_by_tower(saved_by(whole)) : saved_by(whole);
    cost.held = frozen_inputs(kind.block, whole);
    if (inputs.request.kernels.use_cache && !of_tower) {
        cost.cached = cached_by(kind.block, whole, false);
        cost.cached_alone = recomputes_layers(inputs.request.recompute.checkpointing)
                                ? cost.cached
                                : cached_by(kind.block, whole, true);
    }
    const Dequantized<N> matrix{dequantized<N>(kind.block, inputs), inputs.request.kernels.dequantized_kept};
    if (matrix.stays) cost.kept.add(RowId::saved_dequantized, matrix.bytes);
    if (!inputs.gradients_pass()) cost.staying = backward_of(tape, kind.name, Tape<N>::Gradients::stay, matrix);
    cost.passing = backward_of(tape, kind.name, Tape<N>::Gradients::pass, matrix);
    cost.keeps_input = saves(tape, 0);
    cost.keeps_stream = whole_layers || cost.keeps_input;
    cost.trained = named({"trained_in_", kind.name}, gradient_parameters<N>(kind.block, inputs));
    const auto running = whole_layers ? cost_of_recomputing(cost, tape, inputs, hidden, matrix)
                                      : tape.keeping_peak(value_of(matrix.bytes));
    cost.forward = matrix.beside({kind.name, "_in_forward"}, running);
    if (selective) {
        cost.checkpoint = saved_by(tape);
        if (pass.options.numerics.autocast && pass.trainable)
            cost.casts = named("recomputed_weight_elements", tape.recomputed_casts()) * bytes_of<N>(Dtype::sixteen_bit);
    }
    return cost;
}

template <class N>
StepCosts<N> step_costs(const Model& model, const TrainingInputs& inputs) {
    StepCosts<N> costs;
    if (!model.hidden_size || model.kinds.empty()) return costs;
    const N hidden = as<N>(*model.hidden_size);
    const Pass<N> pass = training_pass<N>(inputs);
    costs.batch = batch_tensors(model, inputs.request.batch.images, pass);
    costs.first_trained = first_trained(model, inputs.request);
    const bool reaches_all = costs.first_trained <= tower_layers(model);
    if (reaches_all && !inputs.request.method.adapter)
        costs.embedding = saved_by(run<N>(model.embedding, pass, hidden));
    Pass<N> of_layers = pass;
    of_layers.trainable = pass.trainable || inputs.joins_frozen();
    for (const LayerKind& kind : model.kinds)
        costs.layers.push_back(layer_cost(kind, inputs, of_layers, *model.hidden_size));
    const bool kept_by_loss = inputs.request.loss.kernel == LossKernel::cut;
    costs.head = saved_by(run<N>(head_of(model, inputs.request), pass, hidden));
    if (const Block between = before_head(model); !between.ops.empty()) {
        const Tape<N> norm = run<N>(between, pass, hidden);
        costs.before_head = {named("final_norm_in_forward", norm.keeping_peak().alive.n)};
        costs.after_head = backward_of(norm, "final_norm", Tape<N>::Gradients::pass, Dequantized<N>{});
    }
    if (reaches_all || inputs.request.method.parts)
        costs.head_trained = trained_parameters<N>(model.head, inputs.request);
    // a head's copy is trained, and needs what it reads
    if (pass.options.adapter && pass.options.adapter->saves_head && !kept_by_loss)
        costs.head.add(RowId::saved_head, pass.tokens * hidden * bytes_of<N>(pass.options.numerics.compute));
    costs.head_dequantized = dequantized<N>(model.head, inputs);
    return costs;
}

}  // namespace plimsoll
