/// The steps of an answer on parsed JSON, for the functions of api.h and for sweeps.
#pragma once

#include "api/request/request.h"
#include "estimate/ledger/bands.h"

namespace plimsoll {

/// Computes and writes the answer to a request whose model has been read.
Json answer(const Json& request, const Library& library, const ModelChoice& model);

/// The ledgers of a request that has been read, or why there are none.
struct Computed {
    std::optional<Error> error;
    Placed<double> placed;
    bool beyond_all = false;  ///< the error is that no memory there is would hold it
};
Computed computed(Request& request, const ModelChoice& model);

/// The bands of an answer to such a request.
Banding banding_of(const Request& request, const Library& library);

/// What one point of a sweep needs of an answer: the fullest device's rows, and the phase at which they are most.
struct SweepPoint {
    std::optional<Error> error;
    Ledger<double> ledger;
    size_t peak = 0;
};
SweepPoint sweep_point(Request& request, const ModelChoice& model);

/// Runs `{"request", "over"}`; see Engine::sweep.
Json sweep(const Json& request, const Library& library);

/// The last value of a field that fits; see Engine::solve.
Json solve(const Json& question, const Library& library);

/// Every layout of a cluster; see Engine::plan.
Json plan(const Json& question, const Library& library);

/// What files hold; see Engine::inspect.
Json inspect(const Json& request, std::string_view bytes);

}  // namespace plimsoll
