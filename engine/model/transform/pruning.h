/// Structured pruning: a model with fewer heads, narrower feed-forwards or fewer layers is a model of its own, and its
/// config.json says smaller numbers. So the facts are changed before the model is read.
#pragma once

#include "model/core/model.h"
#include "model/read/facts.h"
#include "number/result.h"

namespace plimsoll {

/// What is to be taken out of a model, and how much of it.
struct Pruning {
    enum class Of : unsigned char { nothing, heads, intermediate, layers } of = Of::nothing;
    double fraction = 0;
};

/// The model that is left, or why it cannot be told; `read` makes a model of facts.
///     heads         whole groups of query heads with the key-value head they share; heads keep their width
///     intermediate  the width inside every feed-forward, experts' too
///     layers        the last ones
/// What is left is rounded up, and at least 1. Towers beside the language model stay.
Result<Model> pruned(const Facts& facts, const Pruning& pruning, Result<Model> (*read)(const Facts&));

}  // namespace plimsoll
