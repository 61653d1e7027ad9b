/// A training step as it went, for a reply that shows it: every moment, and how many of each class of tensors it had.
#pragma once

#include <vector>

#include "estimate/ledger/phase.h"
#include "estimate/ledger/row_id.h"

namespace plimsoll {

/// What ran at a moment. `work` is a name of `Work` (estimate/training/timeline/schedule.h).
struct StepMoment {
    const char* work = "";
    double layer = -1;  ///< its position in the stage; −1: no layer
    double micro_batch = 0;
};

struct StepRecord {
    struct Tensors {
        RowId::Known row, group;
        double each;  ///< bytes of one
    };
    struct Recorded {
        StepMoment at;
        Phase phase;
        double bytes;                ///< of all tensors of the step's own
        std::vector<double> counts;  ///< by class of tensors
    };
    std::vector<Tensors> tensors;
    std::vector<Recorded> moments;
    bool empty() const { return moments.empty(); }
};

}  // namespace plimsoll
