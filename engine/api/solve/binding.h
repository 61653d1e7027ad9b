/// What stands in the way of the next value.
#pragma once

#include "api/reply/json_object.h"
#include "api/solve/sought.h"

namespace plimsoll {

/// `{"device", "phase", "row"}` at the first value that does not fit: which device (or `host`) has too little, at which
/// phase, and which row has grown most since the last value that fits (the largest, where none does).
JsonObject binding(Point& point, const Sought& sought, const Limit& limit, const Found& found);

}  // namespace plimsoll
