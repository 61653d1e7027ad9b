/// What blocks hold most: products and norms, appended by name, part and width.
#pragma once

#include "model/core/model.h"

namespace plimsoll {

/// A product of `from` [tokens, in] with a matrix: `to` [tokens, out].
void append_linear(Block& block, Label name, Part part, const Traced& in, const Traced& out, bool bias, Label from,
                   Label to);

/// A norm with a weight over the whole width.
void append_normed(Block& block, Norm::Kind norm, bool bias, const Traced& hidden, Label from, Label to);

/// A number that the architecture's code fixes, with its name.
Traced constant(Label name, double value);

}  // namespace plimsoll
