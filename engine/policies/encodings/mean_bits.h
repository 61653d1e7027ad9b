/// Bits per weight of a model of which a number of parameters was typed, in a format that stores weights in several
/// ways.
#pragma once

#include "policies/encodings/weight_mix.h"

namespace plimsoll {

/// Bits per weight, scales included: `low` of a small vocabulary, `high` of a large one.
struct MeanBits {
    double bits = 0, low = 0, high = 0;
};

/// Of the shape that was typed too, where that is whole (low = bits = high), else of a usual decoder of that size.
/// Zero where the format stores all weights alike, or where an encoding that it needs is not known.
MeanBits mean_bits(const Model& model, const Encoding& encoding, const Encodings& encodings);

}  // namespace plimsoll
