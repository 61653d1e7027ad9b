/// How PyTorch's caching allocator cuts memory (c10/cuda/CUDACachingAllocator.cpp): all in bytes.
#pragma once

namespace plimsoll::segments {

inline constexpr double mebibyte = 1048576;
/// A block is a multiple of this; what is not larger than `largest_small` shares segments of `small_segment`.
inline constexpr double smallest_block = 512, largest_small = mebibyte, small_segment = 2 * mebibyte;
/// A block below `own_segment` is cut from a segment of `large_segment`; a larger one has its own, a multiple of `segment_unit`.
inline constexpr double large_segment = 20 * mebibyte, own_segment = 10 * mebibyte, segment_unit = 2 * mebibyte;

}  // namespace plimsoll::segments
