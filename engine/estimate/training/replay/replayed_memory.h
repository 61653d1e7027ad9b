/// PyTorch's allocator with references: a tensor that several hold is freed when the last of them lets go.
#pragma once

#include <vector>

#include "policies/allocator/caching_allocator.h"

namespace plimsoll {

class ReplayedMemory {
public:
    using Handle = CachingAllocator::Block;
    static constexpr Handle none = CachingAllocator::none;

    ReplayedMemory(bool expandable_segments, double most) : allocator_(expandable_segments, most) {}

    Handle make(double bytes) {
        const Handle block = allocator_.allocate(bytes);
        if (block == none) return none;
        if (block >= holders_.size()) holders_.resize(block + 1, 0);
        holders_[block] = 1;
        return block;
    }
    void hold(Handle block) {
        if (block != none) ++holders_[block];
    }
    /// Lets go of `block` and forgets it.
    void free(Handle& block) {
        if (block != none && --holders_[block] == 0) allocator_.release(block);
        block = none;
    }
    void free(std::vector<Handle>& blocks) {
        for (Handle& block : blocks) free(block);
        blocks.clear();
    }
    /// Made and freed at once.
    void passing(double bytes) {
        Handle block = make(bytes);
        free(block);
    }
    CachingAllocator& allocator() { return allocator_; }

private:
    CachingAllocator allocator_;
    std::vector<unsigned> holders_;
};

}  // namespace plimsoll
