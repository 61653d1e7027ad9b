/// PyTorch's caching allocator, block by block. Memory is taken from the driver in segments, cut into blocks, and never
/// given back while there is more; a freed block waits for the next tensor that it is large enough for.
///
///     up to 1 MiB   from segments of 2 MiB, cut to the block
///     up to 10 MiB  from segments of 20 MiB;  larger ones have a segment of their own, a multiple of 2 MiB. What is
///                   left of a block stays with it unless it is more than 1 MiB
///
/// Where the device has no more, segments that lie idle as a whole are given back first.
/// With expandable segments, each of the two pools is one segment that grows by pages of 2 or 20 MiB.
/// Source: PyTorch, c10/cuda/CUDACachingAllocator.cpp: round_size, get_free_block, get_allocation_size, should_split,
/// try_merge_blocks, release_cached_blocks, ExpandableSegment.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "policies/allocator/free_blocks.h"

namespace plimsoll {

class CachingAllocator {
public:
    using Block = std::size_t;  ///< as handed out by `allocate`
    static constexpr Block none = static_cast<Block>(-1);

    /// `most`: bytes that the driver has for it.
    explicit CachingAllocator(bool expandable_segments = false, double most = std::numeric_limits<double>::infinity())
        : expandable_(expandable_segments), most_(most) {}

    /// Memory for a tensor of so many bytes; none is taken for an empty one.
    Block allocate(double bytes);
    void release(Block block);

    double allocated() const { return allocated_; }            ///< what memory_allocated counts: whole blocks
    double reserved() const { return reserved_; }              ///< all segments
    double most_reserved() const { return most_reserved_; }    ///< what max_memory_reserved says
    double peak() const { return peak_; }                      ///< most allocated since the last `begin_phase`
    double requested_peak() const { return requested_peak_; }  ///< most that tensors asked for since then
    void begin_phase() { peak_ = allocated_, requested_peak_ = requested_; }

private:
    struct Piece {
        double size, address;
        std::size_t before, after;  ///< neighbours in the segment; `none` at its ends
        bool small, free;
        double requested = 0;  ///< by the tensor that lies in it
    };

    FreeBlocks& pool(bool small) { return small ? small_ : large_; }
    std::size_t new_piece(const Piece& piece);
    std::size_t from_driver(double size, bool small);
    std::size_t grown(double size, bool small);
    void give_back();
    void cut(std::size_t index, double size);
    void merge(std::size_t index, std::size_t with);
    void offer(std::size_t index);
    void withdraw(std::size_t index);

    bool expandable_;
    double most_;
    std::vector<Piece> pieces_;
    std::vector<std::size_t> unused_;  ///< indices of pieces that were merged into others
    FreeBlocks small_, large_;
    std::size_t last_small_ = none, last_large_ = none;  ///< the last piece of each expandable segment
    double allocated_ = 0, reserved_ = 0, peak_ = 0, requested_ = 0, requested_peak_ = 0, next_address_ = 0;
    double most_reserved_ = 0;
};

}  // namespace plimsoll
