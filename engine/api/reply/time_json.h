/// How long the request's passes take, as the reply says it.
#pragma once

#include "api/reply/json_object.h"
#include "api/request/request.h"
#include "estimate/time/inference_time.h"
#include "number/explain.h"

namespace plimsoll {

/// Why no more than the roof is told, or nothing; empty where nothing is missing.
const char* why_untimed(Untimed untimed);

/// Seconds with their band, what binds them, and each operation; the roof alone, with the reason, where no speeds of the
/// runtime on such devices were printed. `explainer`: where formulas are wanted; else null.
JsonObject time_json(const Request& request, const Model& model, Explainer* explainer);

}  // namespace plimsoll
