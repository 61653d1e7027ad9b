/// A server's weights in PyTorch's caching allocator, loaded one after the other: what it counts beyond their bytes, and
/// what the driver lacks beyond that. Where matrices are of 1 to 10 MiB, several share a segment of 20, and what is left
/// of it stays free; a larger one has a segment of its own, a multiple of 2 MiB.
/// Source: PyTorch, c10/cuda/CUDACachingAllocator.cpp (caching_allocator.h).
#pragma once

#include "policies/allocator/torch_allocator.h"

namespace plimsoll {

/// Matrices as servers hold them, in the order of loading: queries, keys and values in one, gate and up in one, and
/// those of all experts; each divided by `devices`, in `encoding` where the mix is empty. `count`: its layers.
std::vector<EqualTensors> fused_tensors(const Model& model, const Encoding& encoding, const WeightMix& mix,
                                        double devices);

/// Bytes beyond the tensors' own.
struct BeyondTensors {
    double allocated;  ///< of their blocks
    double reserved;   ///< of the segments that these lie in
};

/// Neighbours with one count are one layer's, which is loaded so often.
BeyondTensors load_in_order(const std::vector<EqualTensors>& tensors);

}  // namespace plimsoll
