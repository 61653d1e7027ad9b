/// How long a prompt and a token take.
#pragma once

#include <optional>

#include "estimate/inference/inference_inputs.h"
#include "estimate/time/device_rates.h"

namespace plimsoll {

/// Passes of a run; of inference `prefill` and `token`, of a training step `step`.
template <class N>
struct TimedPass {
    const char* phase;
    PassTime<N> time;
    double tokens;  ///< that the pass computes
};

/// How far the seconds of a pass may be off; not known where no such passes were printed. `sequences`: of a token's step.
template <class N>
TimeFactors factors_of(const Reached& reached, const TimedPass<N>& pass, double sequences) {
    const std::string_view phase = pass.phase;
    if (phase == "prefill") return reached.prefill;
    if (phase != "step") return sequences > 1 ? reached.batch : reached.token;
    for (const OperationTime<N>& each : pass.time.operations)
        if (each.part == Part::experts) return reached.mixture_step;
    return reached.step;
}

/// Why no more than the roof is told, or nothing at all.
enum class Untimed : unsigned char {
    no,
    not_fitted,       ///< no printed speeds of this runtime on this class of devices
    several_devices,  ///< what devices exchange is not known
    off_loaded,       ///< weights or cache are read from the host
    no_bandwidth,
    no_rate,   ///< arithmetic decides, and what the device computes in a second is not known
    no_shapes  ///< a number of parameters alone
};

template <class N>
struct TimeAnswer {
    Untimed untimed = Untimed::no;
    const Reached* reached = nullptr;  ///< null: `passes` are the roof
    std::vector<TimedPass<N>> passes, roof;
};

/// Whether a pass can be timed at all, and whether more than the roof is known.
Untimed untimed_inference(const Model& model, const InferenceInputs& inputs, const Speed* speed);

/// One prefill over all prompts, and one step that computes the next token of each sequence, at the middle between
/// prompt and context.
template <class N>
TimeAnswer<N> inference_time(const Model& model, const InferenceInputs& inputs, const Speed* speed);

}  // namespace plimsoll
