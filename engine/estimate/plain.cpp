#include "estimate/estimates.h"

namespace plimsoll {

template Ledger<double> classic_ledger<double>(const ClassicInputs&);

}  // namespace plimsoll
