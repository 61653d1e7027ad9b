/// What PyTorch's caching allocator counts beyond the bytes that tensors ask for. A block is cut out of a segment, and
/// what is left over stays with the block unless it is more than 1 MiB: memory_allocated counts it.
/// Source: PyTorch, c10/cuda/CUDACachingAllocator.cpp: round_size, get_allocation_size, should_split (kMinBlockSize,
/// kSmallSize, kLargeBuffer, kMinLargeAlloc, kRoundLarge).
#pragma once

#include "policies/encodings/weight_mix.h"

namespace plimsoll {

/// Tensors of one size.
struct EqualTensors {
    double bytes, count;
};

/// Bytes counted beyond the tensors' own. Tensors are taken from the largest to the smallest, each into the smallest
/// hole that it fits into; the order in which a file is loaded differs within a layer only.
double bytes_left_over(std::vector<EqualTensors> tensors);

/// The tensors that a model's weights are in memory: values, scales, zero points and indices each in its own; those of
/// a mix, or where it is empty all in `encoding`.
std::vector<EqualTensors> equal_tensors(const Model& model, const Encoding& encoding, const WeightMix& mix);

/// Elements of the largest matrix that the mix stores in `encoding`.
double largest_matrix(const Model& model, const Encoding& encoding, const WeightMix& mix);

}  // namespace plimsoll
