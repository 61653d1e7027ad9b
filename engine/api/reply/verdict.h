/// Whether what was asked for runs on the device, as its runtime decides it.
#pragma once

#include <optional>
#include <string>

#include "api/request/request.h"
#include "estimate/ledger/placed.h"

namespace plimsoll {

/// The process against what each device has for it: `fits`, all of the band does; `too_large`, none of it.
struct Room {
    bool fits, too_large;
};

struct Verdict {
    const char* text;  ///< `fits`, `tight`, `too large`, `waits`, `does not start`
    std::string why = {};
    std::string says = {};                 ///< in the runtime's own words
    std::optional<double> sequences = {};  ///< that a cache which holds fewer than asked holds at once
};

/// Bytes of a process that are not needed for it to start: of a runtime that claims a share of the device, what its cache
/// takes for the sequences asked for.
double spared(const Request& request, const Placed<double>& placed, const Ledger<double>& ledger);

/// Bytes that the sequences asked for take of the cache, on one device of a class.
double asked_of_the_cache(const Ledger<double>& ledger);

/// For a runtime that claims a share of the device the verdict is about what its cache then holds.
Verdict verdict_of(const Request& request, const Placed<double>& placed, const Room& room);

}  // namespace plimsoll
