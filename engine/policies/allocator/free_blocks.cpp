// Lists of free blocks by size.
#include "policies/allocator/free_blocks.h"

#include <algorithm>

namespace plimsoll {
namespace {

// Where in a list, the lowest address last, a block of this address is, or is to come.
template <class List>
auto place_in(List& list, double address) {
    return std::lower_bound(list.begin(), list.end(), address,
                            [](const auto& each, double wanted) { return each.address > wanted; });
}

}  // namespace

// The first of the sizes that is not smaller. There are ten or so: one after the other is sooner than by halves.
std::size_t FreeBlocks::size_at(double size) const {
    std::size_t at = 0;
    while (at < sizes_.size() && sizes_[at].size < size) ++at;
    return at;
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
    list.insert(place_in(list, block.address), {block.address, block.index});
}

void FreeBlocks::remove(const Block& block) {
    const auto size = sizes_.begin() + static_cast<std::ptrdiff_t>(size_at(block.size));
    std::vector<Place>& list = lists_[size->list];
    list.erase(place_in(list, block.address));
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
