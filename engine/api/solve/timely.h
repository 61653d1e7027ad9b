/// Limits of time beside those of memory.
#pragma once

#include "api/solve/sought.h"
#include "plan/link_times.h"

namespace plimsoll {

/// Seconds of a training's step, or of a token of each sequence, over such links.
PassSeconds seconds_of(const Request& request, const Model& model, const LinkRates& links);

/// Holds a request that was read against the limits of time: whether it is too slow, or the error that its time cannot be
/// told. What even the device's peaks do not allow is too slow, whatever else is known.
struct Timely {
    std::optional<Error> untold;
    const char* slow = nullptr;  ///< the name of the limit that is not kept
};
Timely timely(const Request& request, const ModelChoice& model, const Limit& limit);

/// Why a limit of time makes no sense beside what is looked for.
std::optional<Error> no_such_limit(const Sought& sought, const Request& request, const Limit& limit);

}  // namespace plimsoll
