/// What a group of devices sends when it communicates, within a node and between nodes.
///
/// Devices are numbered node by node. A group's devices lie `stride` apart. Those on one node reduce among themselves
/// first, and each then carries its part to the other nodes: so do NCCL's trees and rings over several network cards.
/// Source: Thakur et al., Optimization of Collective Communication Operations in MPICH, 2005 (ring: 2 (g − 1) / g);
/// NCCL, src/graph (rings and trees: one way within a node, one network card of each device between them)
#pragma once

#include "number/traced.h"

namespace plimsoll {

/// Bytes that one device sends.
struct Sent {
    double within = 0, between = 0;  ///< its node; and nodes

    Sent& operator+=(const Sent& other) {
        within += other.within;
        between += other.between;
        return *this;
    }
    friend Sent operator*(double times, const Sent& sent) { return {times * sent.within, times * sent.between}; }
};

/// Devices that communicate with each other.
class LinkedGroup {
public:
    /// `size` devices, each `stride` after the one before; `per_node`: devices of a node.
    LinkedGroup(double size, double stride, double per_node) : size_(size) {
        near_ = stride >= per_node ? 1 : minimum(size, rounded_down(per_node / stride));
        nodes_ = ceiling(size / near_);
    }

    /// Each has `bytes`, and all get their sum.
    Sent all_reduce(double bytes) const { return 2.0 * gather(bytes); }
    /// All get `bytes`, of which each has a share; or each gets its share of a sum of so many.
    Sent gather(double bytes) const { return {(near_ - 1) / near_ * bytes, (nodes_ - 1) / nodes_ * bytes / near_}; }
    /// Each has `bytes`, of which every device gets an equal share.
    Sent exchange(double bytes) const { return {(near_ - 1) / size_ * bytes, (size_ - near_) / size_ * bytes}; }
    /// Each hands `bytes` to the next one, of a ring or a chain: the mean over the devices.
    Sent hand_on(double bytes) const {
        if (size_ == 1) return {};
        const double far = nodes_ > 1 ? nodes_ / size_ : 0;
        return {(1 - far) * bytes, far * bytes};
    }

private:
    double size_, near_ = 1, nodes_ = 1;
};

}  // namespace plimsoll
