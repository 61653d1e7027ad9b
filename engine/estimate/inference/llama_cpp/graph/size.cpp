#include "estimate/inference/llama_cpp/graph/size.h"

#include <cmath>

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

Size operator+(const Size& a, const Size& b) { return {a.value_ + b.value_, a.gain_ + b.gain_, Size::steps_of(a, b)}; }

Size operator-(const Size& a, const Size& b) { return {a.value_ - b.value_, a.gain_ - b.gain_, Size::steps_of(a, b)}; }

Size operator*(const Size& a, const Size& b) {
    if (a.gain_ != 0 && b.gain_ != 0) return Size::no_line(a, a.value_ * b.value_);
    return {a.value_ * b.value_, a.gain_ * b.value_ + a.value_ * b.gain_, Size::steps_of(a, b)};
}

// Whole quotients alone: others a double may round.
Size operator/(const Size& a, const Size& b) {
    const double value = a.value_ / b.value_, gain = a.gain_ / b.value_;
    if (b.gain_ != 0) return Size::no_line(b, value);
    if (a.gain_ != 0 && (value != std::floor(value) || gain != std::floor(gain))) return Size::no_line(a, value);
    return {value, gain, a.steps_};
}

double Size::here() const {
    if (gain_ != 0) steps_->none();
    return value_;
}

Size Size::padded(double unit) const {
    const double value = unit * std::ceil(value_ / unit), gain = gain_ / unit;
    if (gain != std::floor(gain)) return no_line(*this, value);
    return {value, gain_, steps_};
}

bool operator<(const Size& a, const Size& b) {
    const bool less = a.value_ < b.value_;
    if (a.gain_ != b.gain_) Size::keep_less(a, b, less);
    return less;
}

bool operator==(const Size& a, const Size& b) {
    const bool equal = a.value_ == b.value_;
    if (a.gain_ != b.gain_) Size::keep_equal(a, b, equal);
    return equal;
}

Size Size::no_line(const Size& from, double value) {
    from.steps_->none();
    return value;
}

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
