/// Memory of training.
#pragma once

#include "estimate/ledger/placed.h"
#include "estimate/training/inputs.h"

namespace plimsoll {

/// Whether this build estimates training: the engine that a page fetches first leaves it to the whole one.
bool knows_training();

template <class N>
Placed<N> training_ledgers(const Model& model, const TrainingInputs& inputs);

/// Parameters that get gradients.
double trainable_parameters(const Model& model, const TrainingInputs& inputs);

}  // namespace plimsoll
