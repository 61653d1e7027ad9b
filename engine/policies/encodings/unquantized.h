/// Which weights a quantised format packs and which it leaves in 16 bits, by the habits of the loaders.
#pragma once

#include "model/core/profile.h"
#include "policies/encodings/weight_mix.h"

namespace plimsoll {

/// Whether the rule packs a weight; `experts`: the model has routed ones.
bool packs(Wide wide, const LayeredWeight<double>& weight, bool experts = false);

/// The mix of a format whose `wide` is a rule over the kinds of weights.
WeightMix mix_with_unquantized(const Model& model, const Encoding& encoding, const Encodings& encodings);

}  // namespace plimsoll
