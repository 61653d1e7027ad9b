/// Two fields at once: the edge of what fits, as a curve.
#pragma once

#include "api/solve/question.h"

namespace plimsoll {

/// Of each value of the second field, the last of the first that fits: `{"edge": [{field: value, field: value}, …]}`. The
/// second field's values lie close at first and farther apart as they grow, eight to a doubling.
Json edge(Point& point, const Question& question);

}  // namespace plimsoll
