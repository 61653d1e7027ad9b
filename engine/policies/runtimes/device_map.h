/// Where transformers puts a model's modules among several devices (`device_map="auto"`): in order, each device up to
/// what it may take, and what is left over on the host.
///
///     may take    of every device but the last: an even share of the model, and 1.25 times the larger of a layer and
///                 the mean of the matrices; never more than what is free on it
///     kept free   on the first device: room for the largest of the modules that are still to be placed, since a module
///                 that is left on the host is computed there
///
/// Source: accelerate, utils/modeling.py (get_balanced_memory, infer_auto_device_map, get_max_layer_size).
#pragma once

#include <cstddef>
#include <vector>

namespace plimsoll {

/// Bytes of a model's modules in the order in which they are placed: embedding, layers, head (0 where it is tied).
struct PlacedModules {
    std::vector<double> bytes;
    double largest_layer = 0, mean_matrix = 0;
};

/// For each module the index of its device; `free.size()` is the host. `free`: bytes of each device before anything is
/// loaded.
std::vector<size_t> device_map(const PlacedModules& modules, const std::vector<double>& free);

}  // namespace plimsoll
