/// How long one pass over a model takes a device: operation by operation, the longer of its arithmetic and of its bytes.
///
///     seconds = Σ layers × max( operations / (peak rate × share),  bytes / (bandwidth × share) )  +  launches
///
/// (Williams, Waterman, Patterson: Roofline, 2009)
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/device.h"
#include "inputs/encoding.h"
#include "inputs/speed.h"
#include "model/core/profile.h"
#include "policies/encodings/weight_mix.h"

namespace plimsoll {

template <class N>
using PerSecond = Quantity<N, 0, 1, -1>;
template <class N>
using BytesPerSecond = Quantity<N, 1, 0, -1>;

/// What a device does in a second, as a pass of a runtime reaches it.
template <class N>
struct Rates {
    BytesPerSecond<N> bandwidth{N(0)};
    PerSecond<N> wide{N(0)};       ///< products in 16 bits; 0: not known
    PerSecond<N> packed{N(0)};     ///< products with packed weights, or with narrow factors
    PerSecond<N> attention{N(0)};  ///< products of queries, keys and values
    PerSecond<N> experts{N(0)}, packed_experts{N(0)};
    Seconds<N> launch{N(0)};  ///< of one operation

    /// At which an operation computes.
    const PerSecond<N>& of(const Cost<N>& cost, bool is_packed) const {
        if (cost.kind == CostKind::attention) return attention;
        if (cost.kind != CostKind::product) return wide;
        if (cost.part == Part::experts) return is_packed ? packed_experts : experts;
        return is_packed ? packed : wide;
    }
};

/// One operation of all layers that are alike.
template <class N>
struct OperationTime {
    Label name;
    Part part;
    CostKind kind;
    N layers;
    Flops<N> operations;  ///< of one layer, as are `bytes`
    Bytes<N> bytes;
    Seconds<N> seconds;  ///< of all layers
    bool memory_bound;
    double times = 1;  ///< how often it runs here: backward and again, divided by those that share the work
};

template <class N>
struct PassTime {
    std::vector<OperationTime<N>> operations;
    Seconds<N> launches{N(0)};
    Seconds<N> optimizer{N(0)};  ///< of its step, once behind all micro-batches
    Seconds<N> waits{N(0)};      ///< for what devices exchange, while nothing is computed
    Seconds<N> slowest{N(0)};    ///< of all that goes over one kind of link, while devices compute

    /// Of one device by itself.
    Seconds<N> computing() const {
        Seconds<N> total = launches + optimizer;
        for (const OperationTime<N>& each : operations) total += each.seconds;
        return total;
    }
    /// What links add to that.
    Seconds<N> links() const {
        if (value_of(waits) == 0 && value_of(slowest) == 0) return {N(0)};
        if (value_of(slowest) <= value_of(computing()) + value_of(waits)) return waits;
        return slowest - computing();
    }
    Seconds<N> seconds() const { return computing() + links(); }
};

/// Bytes of an element of each weight, in the order of `weights_of(model)`: what the format stores, scales included.
struct WeightBytes {
    std::vector<double> of_weight;
    double mean = 2;      ///< where the tensors' types are not known one by one
    bool packed = false;  ///< most are stored in less than 16 bits
    std::string source;

    double at(size_t index) const { return index < of_weight.size() ? of_weight[index] : mean; }
};

/// How often a prefill that is computed in pieces reads what it shares: weights in each, the cache in half of them.
struct Pieces {
    double weights = 1, cache = 1;
};

/// What stays the same for all blocks of a pass.
template <class N>
struct PassRules {
    Rates<N> rates;
    const WeightBytes* weights;
    Bytes<N> cached;  ///< of one element of the cache
    Pieces pieces;
    N devices{1};       ///< that share the work
    double tensor = 1;  ///< of these, those that share each layer's heads: keys and values of a head are read by all
                        ///< that have queries of it
    double experts_over = 1;      ///< copies of the model that divide the routed experts among them
    bool fewest_experts = false;  ///< all tokens go to the same experts: the fewest that a pass can read
    /// How often an operation runs, forward and backward; absent: once.
    std::function<double(const Cost<N>&)> times;
    bool narrow = false;  ///< a layer's linear modules multiply in fewer than 16 bits, whatever they are stored in
};

/// Adds the operations of `layers` layers of a block; `first` is the index of its first weight, `tied` of the matrix
/// that a head without one of its own reads.
template <class N>
void add_block(PassTime<N>& time, const Block& block, const Pass<N>& pass, const N& hidden, const N& layers,
               const PassRules<N>& rules, size_t first, size_t tied);

/// Index of the first weight of each of a block's operations, and behind the last: `first` of the block on.
std::vector<size_t> weight_indices(const Block& block, size_t first);

/// How a model's weights are stored, by `mix`, or all in `encoding`.
WeightBytes weight_bytes(const Model& model, const WeightMix& mix, const Encoding* encoding);

}  // namespace plimsoll
