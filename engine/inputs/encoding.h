/// How numbers are stored: what presets/encodings/ says of a format.
#pragma once

#include <optional>
#include <string>

#include "number/quantity.h"

namespace plimsoll {

/// Scales and zero points that a group of values shares.
struct EncodingGroup {
    double elements;    ///< values per group
    double scale_bits;  ///< bits of scale per group
    double zero_bits;   ///< bits of zero point per group
};

struct Encoding {
    std::string id, name;
    double bits = 16;  ///< per stored value, without scales
    std::optional<EncodingGroup> group;
    std::string source;

    /// Bytes of `elements` values stored in this encoding; a packed tensor ends on a whole byte.
    template <class N>
    Bytes<N> bytes(const N& elements) const {
        const Bytes<N> per_element{input<N>({"bytes_per_", id}, bits / 8, source)};
        Bytes<N> stored = elements * per_element;
        if (bits < 8) stored = {ceiling(stored.n)};
        if (!group) return stored;
        const Bytes<N> per_group{
            input<N>("bytes_of_scales_per_group", (group->scale_bits + group->zero_bits) / 8, source)};
        return stored + ceiling(elements / input<N>("group_size", group->elements, source)) * per_group;
    }
};

}  // namespace plimsoll
