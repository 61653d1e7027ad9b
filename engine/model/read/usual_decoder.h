/// The shape that a decoder of some size usually has, for rules of thumb where only the size is known.
#pragma once

#include "model/read/facts.h"

namespace plimsoll {

/// A decoder whose layers have about `parameters` weights; embedding and head come on top.
Facts usual_decoder(double parameters, double vocabulary, bool tied);

}  // namespace plimsoll
