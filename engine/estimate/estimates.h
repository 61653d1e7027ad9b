/// The estimates, compiled once for each number: on doubles for speed, on traces for the explanation.
#pragma once

#include "estimate/classic/classic.h"
#include "estimate/inference/inference.h"
#include "estimate/training/training.h"

namespace plimsoll {

extern template Ledger<double> classic_ledger<double>(const ClassicInputs&);
extern template Ledger<Traced> classic_ledger<Traced>(const ClassicInputs&);

/// A traced answer's numbers alone.
Placed<double> values_of(const Placed<Traced>& placed);

}  // namespace plimsoll
