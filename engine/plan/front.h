/// The layouts that no other one beats in everything.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace plimsoll {

/// What a layout takes, of all of which less is better.
struct Trade {
    double bytes = 0;      ///< of the fullest device
    double devices = 1;    ///< that run it
    double recompute = 0;  ///< operations that are done twice, as a share of those of a step
    double bubble = 0;     ///< time in which a stage waits, as a share of the rest
    double between = 0;    ///< bytes that a device sends to other nodes
    double seconds = 0;    ///< of a step, where the shortest is wanted

    std::array<double, 6> all() const { return {bytes, devices, recompute, bubble, between, seconds}; }
};

/// Whether one is at least as good in everything, and better in something.
bool beats(const Trade& one, const Trade& other);

/// The indices of those that none beats, in the order of the list; of equal ones the first.
std::vector<size_t> front_of(const std::vector<Trade>& trades);

}  // namespace plimsoll
