/// Links between devices, as a request says them.
#pragma once

#include <string>

namespace plimsoll {

/// Devices are joined in nodes; 0: the rate is not known.
struct LinkRates {
    double per_node = 8;
    double within = 0, between = 0;  ///< bytes a second that a device sends to its node, to others; one way
    std::string within_source, between_source;
};

}  // namespace plimsoll
