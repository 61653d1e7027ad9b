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

/// How far the seconds of a pass may be off; not known where no such passes were printed. `sequences`: of a token's step;
/// `spread`: over several devices.
template <class N>
TimeFactors factors_of(const Reached& reached, const TimedPass<N>& pass, double sequences, bool spread) {
    const std::string_view phase = pass.phase;
    if (phase == "prefill") return spread ? TimeFactors{} : reached.prefill;
    if (phase != "step" && spread) return reached.spread;
    if (phase != "step") return sequences > 1 ? reached.batch : reached.token;
    for (const OperationTime<N>& each : pass.time.operations)
        if (each.part == Part::experts) return reached.mixture_step;
    return reached.step;
}

/// Seconds of a pass, and the range that they may lie in.
struct Told {
    double seconds = 0, low = 0, high = 0;
};

/// Nothing is faster than the roof.
template <class N>
Told told_within(const PassTime<N>& pass, const PassTime<N>& roof, const TimeFactors& factors) {
    const double seconds = value_of(pass.seconds()), slowest = value_of(pass.slowest), least = value_of(roof.seconds());
    const auto at = [&](double times) { return maximum(maximum(seconds * times, slowest), least); };
    return {at(1), at(factors.low), at(factors.high)};
}

/// Why no more than the roof is told, or nothing at all.
enum class Untimed : unsigned char {
    no,
    not_fitted,         ///< no printed speeds of this runtime on this class of devices
    several_devices,    ///< none of such passes over several devices
    optimizer_unknown,  ///< how much its step moves beside its roof
    links_unknown,      ///< the roof leaves out what devices exchange
    sharing_unknown,    ///< which of them does what
    off_loaded,         ///< weights or cache are read from the host
    no_bandwidth,
    no_rate,   ///< arithmetic decides, and what the device computes in a second is not known
    no_shapes  ///< a number of parameters alone
};

/// Whether a device's peaks tell at least how long it takes at best.
inline bool has_roof(Untimed untimed) { return untimed < Untimed::sharing_unknown; }

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
