/// What an operation takes of a device: floating-point operations, and bytes that go through the device's memory.
///
///     (Williams, Waterman, Patterson: Roofline, 2009)
///
///     a product of few tokens reads its matrix and does little with it: memory decides how long it takes
///     a product of many tokens does much with each value it reads: arithmetic decides
#pragma once

#include "model/core/tape.h"

namespace plimsoll {

/// What kind of kernel computes it, and so which share of a device's rates it reaches.
enum class CostKind : unsigned char { product, attention, elementwise, recurrence };

/// One operation of one pass. Elements are counted each time that they are read from or written to the device's memory;
/// what a kernel reads twice within its caches counts once.
template <class N>
struct Cost {
    Label name;
    Part part;
    CostKind kind;
    N operations{0};   ///< floating-point: two for a multiplication and its addition
    N weights{0};      ///< elements of the operation's own weights that are read
    N activations{0};  ///< elements read and written, in the type that the pass computes in
    N cached{0};       ///< elements of keys and values, or latents, that are read
    N states{0};       ///< elements of recurrent and convolution states, read and written
};

/// The cost of what goes element by element: `each` floating-point operations on `elements`, and so many reads and writes.
template <class N>
Cost<N> elementwise(Label name, Part part, const N& elements, double each, double reads_and_writes) {
    Cost<N> cost{name, part, CostKind::elementwise};
    cost.operations = N(each) * elements;
    cost.activations = N(reads_and_writes) * elements;
    return cost;
}

/// Pairs of a token that is computed and a token that it looks at, in each sequence of a causal pass; `window`: the most
/// that one looks at, 0 for all. The i-th of `sequence` new tokens sees itself and the `keys − sequence + i − 1` before.
template <class N>
N causal_pairs(const Pass<N>& pass, const N& window) {
    const N& tokens = pass.sequence;
    const N past = pass.keys - tokens;
    const auto all = [&](const N& count) { return named("pairs", count * past + count * (count + N(1)) / N(2)); };
    const double most = value_of(window);
    if (most <= 0 || most >= value_of(pass.keys)) return all(tokens);
    if (value_of(past) >= most) return named("pairs", tokens * window);
    const N before_full = window - past;  // tokens that see less than the window holds
    return named("windowed_pairs", all(before_full) + (tokens - before_full) * window);
}

}  // namespace plimsoll
