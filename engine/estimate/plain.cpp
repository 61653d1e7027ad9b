#include "estimate/estimates.h"

namespace plimsoll {

template Ledger<double> training_ledger<double>(const Model&, const TrainingInputs&);
template Ledger<double> classic_ledger<double>(const ClassicInputs&);

}  // namespace plimsoll
