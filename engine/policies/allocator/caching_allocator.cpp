#include "policies/allocator/caching_allocator.h"

#include <cmath>

#include "policies/allocator/segments.h"

namespace plimsoll {
namespace {

using namespace segments;

double rounded_up(double bytes, double unit) { return std::ceil(bytes / unit) * unit; }

double segment_for(double size) {
    if (size <= largest_small) return small_segment;
    return size < own_segment ? large_segment : rounded_up(size, segment_unit);
}

}  // namespace

CachingAllocator::Block CachingAllocator::allocate(double bytes) {
    if (!(bytes > 0)) return none;
    const double size = rounded_up(bytes, smallest_block);
    const bool small = size <= largest_small;
    std::size_t index = pool(small).take(size);
    if (index == none) index = expandable_ ? grown(size, small) : from_driver(segment_for(size), small);
    const double left = pieces_[index].size - size;
    if (small || expandable_ ? left >= smallest_block : left > largest_small) cut(index, size);
    pieces_[index].free = false;
    allocated_ += pieces_[index].size;
    if (allocated_ > peak_) peak_ = allocated_;
    pieces_[index].requested = bytes;
    requested_ += bytes;
    if (requested_ > requested_peak_) requested_peak_ = requested_;
    if (reserved_ > most_reserved_) most_reserved_ = reserved_;
    return index;
}

void CachingAllocator::release(Block block) {
    if (block == none) return;
    allocated_ -= pieces_[block].size;
    requested_ -= pieces_[block].requested;
    pieces_[block].free = true;
    const std::size_t after = pieces_[block].after, before = pieces_[block].before;
    if (after != none && pieces_[after].free) {
        withdraw(after);
        merge(block, after);
    }
    if (before != none && pieces_[before].free) {
        withdraw(before);
        merge(before, block);
        block = before;
    }
    offer(block);
}

std::size_t CachingAllocator::new_piece(const Piece& piece) {
    if (unused_.empty()) {
        pieces_.push_back(piece);
        return pieces_.size() - 1;
    }
    const std::size_t index = unused_.back();
    unused_.pop_back();
    pieces_[index] = piece;
    return index;
}

std::size_t CachingAllocator::from_driver(double size, bool small) {
    if (reserved_ + size > most_) give_back();
    reserved_ += size;
    next_address_ += size;
    return new_piece({size, next_address_ - size, none, none, small, false});
}

// Free pieces without neighbours are whole segments.
void CachingAllocator::give_back() {
    const auto returned = [this](std::size_t index) {
        const Piece& piece = pieces_[index];
        const bool whole = piece.before == none && piece.after == none;
        if (whole) reserved_ -= piece.size, unused_.push_back(index);
        return whole;
    };
    small_.remove_if(returned);
    large_.remove_if(returned);
}

// The pool's one segment, longer by as many pages as are missing. Its last piece, where it is free, grows.
std::size_t CachingAllocator::grown(double size, bool small) {
    std::size_t& last = small ? last_small_ : last_large_;
    const double page = small ? small_segment : large_segment;
    if (last != none && pieces_[last].free) {
        withdraw(last);
        const double more = rounded_up(size - pieces_[last].size, page);
        pieces_[last].size += more;
        reserved_ += more;
        return last;
    }
    const double pages = rounded_up(size, page);
    reserved_ += pages;
    const double address = last == none ? 0 : pieces_[last].address + pieces_[last].size;
    const std::size_t index = new_piece({pages, address, last, none, small, false});
    if (last != none) pieces_[last].after = index;
    last = index;
    return index;
}

// What is left of a piece beyond `size` becomes one of its own.
void CachingAllocator::cut(std::size_t index, double size) {
    const Piece whole = pieces_[index];
    const std::size_t rest =
        new_piece({whole.size - size, whole.address + size, index, whole.after, whole.small, true});
    if (whole.after != none) pieces_[whole.after].before = rest;
    pieces_[index].after = rest;
    pieces_[index].size = size;
    if (index == last_small_) last_small_ = rest;
    if (index == last_large_) last_large_ = rest;
    offer(rest);
}

void CachingAllocator::merge(std::size_t index, std::size_t with) {
    pieces_[index].size += pieces_[with].size;
    pieces_[index].after = pieces_[with].after;
    if (pieces_[with].after != none) pieces_[pieces_[with].after].before = index;
    if (with == last_small_) last_small_ = index;
    if (with == last_large_) last_large_ = index;
    unused_.push_back(with);
}

void CachingAllocator::offer(std::size_t index) {
    const Piece& piece = pieces_[index];
    pool(piece.small).add({piece.size, piece.address, index});
}

void CachingAllocator::withdraw(std::size_t index) {
    const Piece& piece = pieces_[index];
    pool(piece.small).remove({piece.size, piece.address, index});
}

}  // namespace plimsoll
