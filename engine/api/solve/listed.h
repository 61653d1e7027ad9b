/// The values of a list that is looked through, entry by entry.
#pragma once

#include "api/solve/sought.h"

namespace plimsoll {

/// The legal values of a list, tried, in the order in which they are looked through: devices by their memory, models by
/// their parameters, all else by what it takes.
std::vector<std::int64_t> in_order(const Sought& sought, Fitting& fitting, const Point& point);

/// The last entry before the first that does not fit; and that.
Found last_that_fits(const std::vector<std::int64_t>& order, Fitting& fitting);

/// The first entry that fits; and the one before it.
Found first_that_fits(const std::vector<std::int64_t>& order, Fitting& fitting);

}  // namespace plimsoll
