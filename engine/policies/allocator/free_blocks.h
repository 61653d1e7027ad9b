/// The free blocks of one pool of PyTorch's allocator, smallest first and then by address, for the best fit.
///
/// A replay asks tens of thousands of times, and its tensors have few sizes: blocks of one size lie in one list, the lowest
/// last. All blocks in one sorted sequence take more than twice the time.
/// Source: PyTorch, c10/cuda/CUDACachingAllocator.cpp: BlockPool, BlockComparatorSize.
#pragma once

#include <cstddef>
#include <vector>

namespace plimsoll {

class FreeBlocks {
public:
    struct Block {
        double size, address;  ///< bytes
        std::size_t index;     ///< the caller's
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    void add(const Block& block);
    /// `block`, which is one of them, is one no longer.
    void remove(const Block& block);
    /// Takes out the smallest of at least `size` bytes, of equal ones the lowest: its index, or `none`.
    std::size_t take(double size);
    /// Takes out those of which `leaves(index)` is true.
    template <class Leaves>
    void remove_if(Leaves leaves) {
        for (const Size& each : sizes_)
            std::erase_if(lists_[each.list], [&](const Place& place) { return leaves(place.index); });
        std::erase_if(sizes_, [this](const Size& each) { return close_if_empty(each); });
    }

private:
    struct Place {
        double address;
        std::size_t index;
    };
    struct Size {
        double size;
        std::size_t list;  ///< which of `lists_` holds its blocks, the lowest address last
    };

    std::size_t size_at(double size) const;
    bool close_if_empty(const Size& size);

    std::vector<Size> sizes_;                ///< ascending; each has blocks
    std::vector<std::vector<Place>> lists_;  ///< those of no size are empty
    std::vector<std::size_t> spare_;         ///< lists of no size
};

}  // namespace plimsoll
