/// Why the hosted calculator's figures differ from ours: one note per shortcut that it takes on this request.
#pragma once

#include "api/request/request.h"

namespace plimsoll {

/// Adds the notes `classic.*` and `rule_of_thumb`.
void add_classic_notes(Request& request, const ModelChoice& model);

}  // namespace plimsoll
