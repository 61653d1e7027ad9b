/// `weights.sparsity`: zeros that a format leaves out, or parts that are taken out of the model itself.
#pragma once

#include "api/request/request.h"
#include "model/transform/pruning.h"

namespace plimsoll {

/// Structured pruning that the request asks for, whose model is read with it; `nothing` for the other kinds.
Pruning read_pruning(const Json& request, Reading& reading);

/// The other kinds: notes what saves nothing, and has linear layers stored as 2:4.
void read_sparsity(const Fields& weights, const ModelChoice& model, InferenceInputs& inputs, Reading& reading);

/// Training keeps weights that are zero; a model with parts taken out trains like any other.
void refuse_sparse_training(const Fields& weights, Reading& reading);

}  // namespace plimsoll
