/// `weights` where one device holds the model, however its types are known.
#pragma once

#include "estimate/inference/inference_inputs.h"
#include "estimate/ledger/shared_rows.h"
#include "inputs/capabilities.h"

namespace plimsoll {

/// Whether only sums are known of the weights, not which matrix has what: of a checkpoint's tensors, or typed by hand.
inline bool only_sums_known(const Model& model, const InferenceInputs& inputs) {
    return inputs.weights_as_stored || model.declared_parameters.has_value();
}

/// The row `weights` of `copies` models; a share of one where several devices divide it.
template <class N>
void add_whole_weights(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs, const N& copies) {
    if (capabilities.altered_models && inputs.weights_as_stored)
        add_stored_weights<N>(ledger, model, copies);
    else if (!inputs.mix.empty())
        add_mixed_weights<N>(ledger, model, inputs.mix, copies);
    else if (inputs.mean_bits.bits > 0)
        add_mean_weights<N>(ledger, model, inputs.mean_bits, copies);
    else
        add_weights<N>(ledger, model, *inputs.weights, copies);
}

}  // namespace plimsoll
