/// How long the request's passes take, as the reply says it.
#pragma once

#include "api/reply/json_object.h"
#include "api/request/request.h"
#include "number/explain.h"

namespace plimsoll {

/// Seconds with their band, what binds them, and each operation; the roof alone, with the reason, where no speeds of the
/// runtime on such devices were printed. `explainer`: where formulas are wanted; else null.
JsonObject time_json(const Request& request, const Model& model, Explainer* explainer);

}  // namespace plimsoll
