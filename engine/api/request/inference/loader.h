/// What a request says of the runtime's release, and what its loader makes of the weights.
#pragma once

#include "api/request/request.h"

namespace plimsoll {

/// `inference.release`: "4.38.2" as 4038; 0 where it is not said.
double read_release(Fields& fields, Reading& reading);

/// What follows from the tensors' sizes alone; nothing where they are not known.
Loaded loaded_of(const Model& model, const InferenceInputs& inputs);

}  // namespace plimsoll
