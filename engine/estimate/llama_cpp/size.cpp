#include "estimate/llama_cpp/size.h"

namespace plimsoll::llama_cpp {
namespace {

// Takes steps off until `stays` is true of the last one: it is so of none of them, and of a line then of all before.
template <class Stays>
void bound(double& steps, double crossing, Stays stays) {
    if (stays(steps)) return;
    if (crossing < steps) steps = std::ceil(crossing);
    while (steps > 0 && !stays(steps)) --steps;
}

}  // namespace

void Size::keep_less(const Size& a, const Size& b, bool less) {
    const double distance = b.value_ - a.value_, gain = b.gain_ - a.gain_, crossing = -distance / gain;
    Steps& steps = *steps_of(a, b);
    const auto stays = [=](double at) { return (distance + gain * at > 0) == less; };
    bound(steps.up, crossing, stays);
    bound(steps.down, -crossing, [&stays](double at) { return stays(-at); });
}

void Size::keep_equal(const Size& a, const Size& b, bool equal) {
    Steps& steps = *steps_of(a, b);
    if (equal) return steps.none();
    const double distance = b.value_ - a.value_, gain = b.gain_ - a.gain_, crossing = -distance / gain;
    if (crossing != std::floor(crossing)) return;  // they are equal between two steps, where no cache is
    if (crossing > 0 && crossing <= steps.up) steps.up = crossing - 1;
    if (crossing < 0 && -crossing <= steps.down) steps.down = -crossing - 1;
}

}  // namespace plimsoll::llama_cpp
