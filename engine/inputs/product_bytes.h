/// What a product of a packed matrix takes beside its output.
#pragma once

namespace plimsoll {

/// Bytes of each element of its input, of its output, and of its output where that is no fp16.
struct ProductBytes {
    double input = 0, output = 0, cast = 0;
};

}  // namespace plimsoll
