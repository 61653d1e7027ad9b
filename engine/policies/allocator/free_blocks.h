/// The free blocks of one pool of PyTorch's allocator, smallest first and then by address, for the best fit.
///
/// A replay asks thousands of times for one of some dozens of blocks. So they lie side by side in short runs that are
/// searched by halves: a tree of nodes takes twice the time, and one long run would be moved whole at each change.
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
        bool operator<(const Block& other) const {
            return size != other.size ? size < other.size : address < other.address;
        }
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
        for (Run& run : runs_) std::erase_if(run, [&](const Block& block) { return leaves(block.index); });
        std::erase_if(runs_, [](const Run& run) { return run.empty(); });
    }

private:
    using Run = std::vector<Block>;  ///< sorted, not empty; all of a run come before all of the next

    std::size_t run_of(const Block& block) const;
    void erase(std::size_t run, std::size_t at);

    std::vector<Run> runs_;
};

}  // namespace plimsoll
