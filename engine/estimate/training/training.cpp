// Memory of training, compiled once for either number.
#include "estimate/training/training.h"

#include "estimate/training/ledger.h"
#include "inputs/capabilities.h"

namespace plimsoll {

bool knows_training() { return capabilities.training; }

double trainable_parameters(const Model& model, const TrainingInputs& inputs) {
    if (!capabilities.training) return 0;
    return trainable_parameters<double>(inputs.built ? *inputs.built : model, inputs.request);
}

template <class N>
Placed<N> training_ledgers(const Model& model, const TrainingInputs& inputs) {
    if (!capabilities.training) return on_one_device<N>({});  // never asked: such a request is refused when it is read
    return training_on_devices<N>(inputs.built ? *inputs.built : model, inputs);
}

template Placed<double> training_ledgers<double>(const Model&, const TrainingInputs&);
template Placed<Traced> training_ledgers<Traced>(const Model&, const TrainingInputs&);

}  // namespace plimsoll
