/// How long an optimizer's step takes: what it reads and writes of what a device steps, over the memory's bandwidth.
///
///     bytes = trained × ( (2 + between) × parameter + gradient + 16-bit copy ) + 2 × states
///
/// `between`: values that an unfused step reads and writes again (a kernel for each operation). The roof has none of them,
/// and no state but those with an element a parameter: others are not renewed in each step.
///
/// Source: the optimizers' step functions, named in each preset. Their kernels' share of the bandwidth was measured; in
/// printed speeds of trainings the optimizer takes at most a fiftieth, so that these say nothing of it.
#pragma once

#include "estimate/time/pass_time.h"
#include "estimate/training/inputs.h"

namespace plimsoll {

/// What the optimizer reads and writes between a step's first and last kernel, in elements of each parameter; negative:
/// nobody has counted it.
inline double values_between(const TrainingInputs& inputs) {
    return inputs.optimizer->values_between[static_cast<size_t>(inputs.request.optimizer.step)];
}

/// Seconds of the optimizer's step on a device, the mean over all: at the memory's peak rate with each tensor moved once
/// (the roof), or as its kernels reach it.
template <class N>
Seconds<N> optimizer_time(const Model& model, const TrainingInputs& inputs, bool reached);

}  // namespace plimsoll
