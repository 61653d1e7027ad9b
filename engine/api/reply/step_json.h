/// A training step moment by moment, as a request with `timeline` asks for it.
#pragma once

#include "api/reply/json_object.h"
#include "estimate/ledger/step_record.h"

namespace plimsoll {

/// `tensors`: each class of equal tensors with its row, its group in that row and the bytes of one. `moments`: in the
/// order in which they come, with the classes that are there and how many of each.
JsonObject step_json(const StepRecord& record);

}  // namespace plimsoll
