#include "estimate/training.h"

#ifndef PLIMSOLL_FIRST_ENGINE
#include "estimate/training/ledger.h"
#endif

namespace plimsoll {

#ifdef PLIMSOLL_FIRST_ENGINE
bool knows_training() { return false; }

double trainable_parameters(const Model&, const TrainingInputs&) { return 0; }

template <class N>
Placed<N> training_ledgers(const Model&, const TrainingInputs&) {
    return on_one_device<N>({});  // never asked: a request for training is refused when it is read
}
#else
bool knows_training() { return true; }

double trainable_parameters(const Model& model, const TrainingInputs& inputs) {
    return trainable_parameters<double>(inputs.built ? *inputs.built : model, inputs.request);
}

template <class N>
Placed<N> training_ledgers(const Model& model, const TrainingInputs& inputs) {
    return training_on_devices<N>(inputs.built ? *inputs.built : model, inputs);
}
#endif

template Placed<double> training_ledgers<double>(const Model&, const TrainingInputs&);
template Placed<Traced> training_ledgers<Traced>(const Model&, const TrainingInputs&);

}  // namespace plimsoll
