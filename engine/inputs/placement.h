/// Where a runtime that splits a model by layers puts each of them.
#pragma once

#include <cstddef>
#include <vector>

namespace plimsoll {

/// A place is a device by its number, or the host.
using Place = signed char;
inline constexpr Place on_host = -1;

struct Placement {
    std::vector<Place> layers;   ///< of each layer of the decoder, first to last
    Place embedding = on_host;   ///< tokens are looked up there
    Place head = 0;              ///< the last norm and the vocabulary matrix
    double experts_on_host = 0;  ///< first layers whose routed experts' matrices stay on the host
    bool cache_on_host = false;  ///< keys, values and states, whatever computes them
    double largest = 0;          ///< bytes of one tensor that a device's kernels can read; 0: of any

    /// Where the cache of a layer is.
    Place cache(std::size_t layer) const { return cache_on_host ? on_host : layers[layer]; }
    /// Where the matrices of a layer's routed experts are.
    Place experts(std::size_t layer) const {
        return static_cast<double>(layer) < experts_on_host ? on_host : layers[layer];
    }
    bool holds_layers(Place place) const {
        for (const Place each : layers)
            if (each == place) return true;
        return false;
    }
};

}  // namespace plimsoll
