/// Which layers the backward pass computes anew, and what is kept for it.
///
///     every     each k-th layer runs anew from its input; the layers between keep what they make
///     uniform   all layers, so many at once: the input of each such piece is kept, and all of a piece runs anew
///     block     the first layers of a stage run anew, each from its input; the others keep what they make
///
/// Source: Megatron-LM, core/transformer/transformer_block.py (_checkpointed_forward: recompute_method,
/// recompute_num_layers); torchtitan, distributed/activation_checkpoint.py (every k-th).
#pragma once

#include "estimate/training/timeline/moment.h"
#include "inputs/training/training.h"

namespace plimsoll {

template <class N>
class RecomputedLayers {
public:
    RecomputedLayers(const Model& model, const TrainingRequest& request, const TrainedLayers<N>& layers, size_t first)
        : model_(model), request_(request), layers_(layers), first_(first), end_(model.order.size()) {}

    /// Of the first `layers` layers, those of a kind that run anew.
    N of_kind(size_t kind, size_t layers) const {
        if (request_.recompute.checkpointing == Checkpointing::none) return N(0);
        if (request_.recompute.method == RecomputeMethod::block)
            return layers_.between(0, std::min(layers, first_ + at_once()), kind, "recomputed_");
        N count = layers_.between(0, layers, kind, "waiting_");
        if (request_.recompute.every == 1) return count;
        return rounded_down(
            count / input<N>("checkpoint_every", request_.recompute.every, "request: training.checkpoint_every"));
    }
    /// Of the first `layers` layers, those of a kind that begin a piece, whose input is kept.
    N checkpoints(size_t kind, size_t layers) const {
        if (!in_pieces()) return of_kind(kind, layers);
        double count = 0;
        for (size_t position = first_; position < layers; position += at_once())
            count += layers_.kind_at(position) == kind;
        if (count <= 1) return N(count);
        return input<N>({"pieces_from_", model_.kinds[kind].name, "s"}, count,
                        "request: training.recompute_num_layers");
    }
    /// Whether the layer at a position runs anew, from an input of its own that is kept.
    bool from_own_input(size_t position) const {
        if (!recomputes_layers(request_.recompute.checkpointing)) return false;
        if (request_.recompute.method == RecomputeMethod::block) return position < first_ + at_once();
        return !in_pieces() || piece_of(position) == position;
    }
    /// Whether a second forward pass ends with the layer at a position.
    bool ends_second_pass(size_t position) const {
        if (!recomputes_layers(request_.recompute.checkpointing) || position >= end_) return false;
        if (in_pieces()) return position + 1 == end_ || piece_of(position + 1) == position + 1;
        return from_own_input(position);
    }
    /// What layers below, in the same piece, keep while the layer at a position runs backward: of a kind, how many.
    N below_in_piece(size_t kind, size_t position) const {
        return in_pieces() ? layers_.between(piece_of(position), position, kind, "anew_below_") : N(0);
    }
    /// Where a backward pass may be at its fullest: the last and the first layer of each kind, and where pieces end.
    std::vector<size_t> fullest() const {
        std::vector<size_t> positions;
        for (size_t kind = 0; kind < model_.kinds.size(); ++kind)
            positions.insert(positions.end(), {layers_.last_of(kind), layers_.first_of(kind)});
        if (request_.recompute.method == RecomputeMethod::block && first_ + at_once() < end_)
            positions.push_back(first_ + at_once() - 1);
        if (!in_pieces() || first_ + at_once() >= end_) return positions;
        positions.insert(positions.end(), {piece_of(end_ - 1) - 1, first_ + at_once() - 1});
        return positions;
    }

private:
    bool in_pieces() const { return request_.recompute.method == RecomputeMethod::uniform && at_once() > 1; }
    size_t at_once() const { return static_cast<size_t>(request_.recompute.num_layers); }
    size_t piece_of(size_t position) const { return position - (position - first_) % at_once(); }

    const Model& model_;
    const TrainingRequest& request_;
    const TrainedLayers<N>& layers_;
    size_t first_, end_;
};

}  // namespace plimsoll
