/// A matrix of a layer, as a file stores it and where it was loaded to.
#pragma once

#include "inputs/placement.h"
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

struct FileMatrix {
    MatrixName name;
    double bytes;  ///< of an element, with what its block's scales take
    Place place;
};

}  // namespace plimsoll
