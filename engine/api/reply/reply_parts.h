/// Parts of a reply that one value says whole; what depends on device, phase and peak is in reply.cpp.
#pragma once

#include "api/reply/json_object.h"
#include "api/reply/reply.h"
#include "number/explain.h"

namespace plimsoll {

/// A formula as typed tokens, which page and terminal lay out.
Json tokens_json(const Formula& formula);

/// With what the band rests on, where there is one.
JsonObject banded_json(const BandedTotal& total);

/// Name, architecture and parameters of what was asked for, and the types that a mixed format stores.
JsonObject model_json(const Request& request, const ModelChoice& choice);

/// What PyTorch's counters show at each phase, of a first step and a later one.
JsonObject allocator_json(const Phases& phases, const Replay& replay);

Json notes_json(const std::vector<Note>& notes);

/// The names in a reply's formulas, with value and source.
JsonObject symbols_json(const Explainer& explainer);

}  // namespace plimsoll
