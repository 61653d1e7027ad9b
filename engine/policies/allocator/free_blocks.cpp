// Lists of free blocks by size: a size is found by halves, a block within its list likewise.
#include "policies/allocator/free_blocks.h"

#include <algorithm>

namespace plimsoll {

// The first of the sizes that is not smaller.
std::size_t FreeBlocks::size_at(double size) const {
    const auto found = std::lower_bound(sizes_.begin(), sizes_.end(), size,
                                        [](const Size& each, double wanted) { return each.size < wanted; });
    return static_cast<std::size_t>(found - sizes_.begin());
}

// Whether no block of the size is left: its list then waits for another size.
bool FreeBlocks::close_if_empty(const Size& size) {
    if (!lists_[size.list].empty()) return false;
    spare_.push_back(size.list);
    return true;
}

void FreeBlocks::add(const Block& block) {
    const std::size_t at = size_at(block.size);
    if (at == sizes_.size() || sizes_[at].size != block.size) {
        if (spare_.empty()) spare_.push_back(lists_.size()), lists_.emplace_back();
        sizes_.insert(sizes_.begin() + static_cast<std::ptrdiff_t>(at), {block.size, spare_.back()});
        spare_.pop_back();
    }
    std::vector<Place>& list = lists_[sizes_[at].list];
    list.insert(std::lower_bound(list.begin(), list.end(), block.address,
                                 [](const Place& each, double address) { return each.address > address; }),
                {block.address, block.index});
}

void FreeBlocks::remove(const Block& block) {
    const auto size = sizes_.begin() + static_cast<std::ptrdiff_t>(size_at(block.size));
    std::vector<Place>& list = lists_[size->list];
    list.erase(std::lower_bound(list.begin(), list.end(), block.address,
                                [](const Place& each, double address) { return each.address > address; }));
    if (close_if_empty(*size)) sizes_.erase(size);
}

std::size_t FreeBlocks::take(double size) {
    const auto found = sizes_.begin() + static_cast<std::ptrdiff_t>(size_at(size));
    if (found == sizes_.end()) return none;
    std::vector<Place>& list = lists_[found->list];
    const std::size_t index = list.back().index;
    list.pop_back();
    if (close_if_empty(*found)) sizes_.erase(found);
    return index;
}

}  // namespace plimsoll
