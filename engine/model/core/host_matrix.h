/// A matrix of a layer that stays in host memory, as it is stored there.
#pragma once

#include "model/core/operation.h"

namespace plimsoll {

/// Which matrix of its layer: a weight of ours, or one of the pieces that files hold it in.
struct MatrixName {
    Part part;
    Label name;
    int piece = 0;

    friend bool operator==(const MatrixName& a, const MatrixName& b) {
        return a.part == b.part && a.piece == b.piece && a.name == b.name;
    }
};

struct HostMatrix {
    MatrixName name;
    double bytes;  ///< of an element, with what its block's scales take
};

}  // namespace plimsoll
