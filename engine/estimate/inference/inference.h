/// Memory of inference, by the runtime that was asked for.
#pragma once

#include "estimate/inference/inference_inputs.h"
#include "estimate/ledger/placed.h"

namespace plimsoll {

/// Whether this build has the runtime's rules: the engine that a page fetches first has those of transformers alone.
bool knows(const Runtime& runtime);

template <class N>
Placed<N> inference_ledgers(const Model& model, const InferenceInputs& inputs);

}  // namespace plimsoll
