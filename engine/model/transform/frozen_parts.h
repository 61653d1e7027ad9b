/// A model of which only named parts are trained. Its layers become kinds of their own by what a backward pass does
/// there, so that what each operation keeps follows from what is asked for:
///
///     frozen_…   below all that is trained: no gradient comes here, and nothing is kept
///     lowest_…   the lowest layer that is trained, where the embedding is not: nobody asks for its input's gradient
///     (as it was)   trained, and gradients flow on
///     passing_…  frozen, above what is trained: gradients flow through
///
/// Source: LLaMA-Factory, model/adapter.py (_setup_freeze_tuning); PyTorch, requires_grad.
#pragma once

#include "inputs/training/training.h"
#include "model/core/model.h"

namespace plimsoll {

/// The modules that a layer of the model has, by the names that Llama's layer gives them, and of what lies beside the
/// layers; in the order in which they run.
std::vector<std::string> modules_of_layers(const Model& model);
std::vector<std::string> modules_beside_layers(const Model& model);

/// Freezes all but these parts, which the model has.
void freeze_all_but(Model& model, const TrainedParts& parts);

}  // namespace plimsoll
