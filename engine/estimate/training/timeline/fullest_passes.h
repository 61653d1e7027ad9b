/// Which passes of a step may have the fullest moment of a phase; the rows need no others.
///
/// What runs in a pass is the same for all passes one way through one piece; what differs is how many micro-batches each
/// piece of the stage has under way, and which pieces' gradients have come: those of the pieces that have gone backward.
/// Of passes that agree in the latter, one is no fuller than another before which each piece has at least as many.
///
/// Of equally full moments a phase shows the last one forward, the first one backward (Timeline::moment), and so do these.
#pragma once

#include "estimate/training/timeline/schedule.h"

namespace plimsoll {

/// By pass. `pieces`: of the stage.
std::vector<bool> may_be_fullest(const std::vector<PiecePass>& passes, size_t pieces);

}  // namespace plimsoll
