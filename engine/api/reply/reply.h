/// Writes replies. All byte counts on the wire are whole.
#pragma once

#include "api/request/request.h"
#include "estimate/ledger/bands.h"

namespace plimsoll {

Json error_reply(const Error& error);
Json assumptions_to_json(const std::vector<Assumption>& assumptions);

/// The reply to a request. `traced`: the same ledger with its formulas, where explanations are wanted; else null.
Json write_reply(const Request& request, const ModelChoice& model, const Banding& banding, const Placed<double>& placed,
                 const Placed<Traced>* traced);

}  // namespace plimsoll
