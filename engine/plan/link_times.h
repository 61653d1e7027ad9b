/// How long passes take on several devices: what each computes, and what links take and do not hide.
///
///     seconds = max( computing + waiting,  bytes / link rate ), of the links within nodes and of those between
///
/// A server's devices wait for every sum; in a training what is exchanged within a node is hidden in the shares of the
/// peaks, which were found from steps that have it there.
#pragma once

#include "estimate/time/training_time.h"
#include "inputs/links.h"

namespace plimsoll {

/// Passes of a request with what links add. Where a server's devices exchange something over links of which no rate is
/// known, the roof alone, without them (`Untimed::links_unknown`).
template <class N>
TimeAnswer<N> linked_time(const Model& model, const InferenceInputs& inputs, const Speed* speed,
                          const LinkRates& links);
template <class N>
TimeAnswer<N> linked_time(const Model& model, const TrainingInputs& inputs, const Speed* speed, const LinkRates& links);

/// Seconds of one pass as a search compares them.
struct PassSeconds {
    double roof = 0;  ///< 0: not even that is known
    Told told;        ///< 0: nothing but the roof is known
    Untimed untimed = Untimed::no;

    bool is_told() const { return told.seconds > 0; }
    /// What layouts are ranked by.
    double compared() const { return is_told() ? told.seconds : roof; }
};

/// Of a training step.
PassSeconds step_seconds(const Model& model, const TrainingInputs& inputs, const Speed* speed, const LinkRates& links);

/// Of a step that computes one token of each sequence.
PassSeconds token_seconds(const Model& model, const InferenceInputs& inputs, const Speed* speed,
                          const LinkRates& links);

}  // namespace plimsoll
