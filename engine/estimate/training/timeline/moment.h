/// A moment of a training step, and which layers have run by then.
#pragma once

#include <algorithm>

#include "estimate/training/timeline/groups.h"
#include "model/core/model.h"

namespace plimsoll {

/// `gradients`, `activations`, `logits` and `communication` at one moment.
template <class N>
struct Moment {
    Bytes<N> gradients{N(0)};
    Groups<N> activations, logits;
    Bytes<N> temporaries{N(0)};  ///< of the optimizer, where it steps parameters in the backward pass
    Groups<N> communication = {};
    double total() const {
        return value_of(gradients) + activations.value() + logits.value() + value_of(temporaries) +
               communication.value();
    }
};

/// A model's layers in the order in which they run; those before `first` are frozen.
template <class N>
class TrainedLayers {
public:
    TrainedLayers(const Model& model, size_t first) : model_(model), first_(first) {}

    size_t kind_at(size_t position) const { return model_.order[position]; }
    /// The first layer of a kind among those that are trained, and the last; beyond the end where there is none.
    size_t first_of(size_t kind) const {
        size_t position = first_;
        while (position < model_.order.size() && kind_at(position) != kind) ++position;
        return position;
    }
    size_t last_of(size_t kind) const {
        size_t position = model_.order.size();
        while (position > 0 && kind_at(position - 1) != kind) --position;
        return position - 1;
    }
    /// Trained layers of a kind in a range of positions, as a number that explains itself.
    N between(size_t from, size_t to, size_t kind, std::string_view what) const {
        double count = 0;
        for (size_t position = std::max(from, first_); position < to; ++position) count += kind_at(position) == kind;
        const LayerKind& each = model_.kinds[kind];
        if (count == each.count.value()) return as<N>(each.count);
        if (count <= 1) return N(count);
        return input<N>({what, each.name, "s"}, count, "layers at the fullest moment of the backward pass");
    }

private:
    const Model& model_;
    size_t first_;
};

}  // namespace plimsoll
