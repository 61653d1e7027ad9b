#include "model/core/brackets.h"

namespace plimsoll {

void Brackets::enter(int step, int hook) {
    for (size_t each = 0; hook != no_hook && each < all_.size(); ++each)
        if (all_[each].hook == hook && all_[each].around == open_) {
            open_ = each;
            return;
        }
    all_.push_back({open_, step, step, hook, none});
    open_ = all_.size() - 1;
}

void Brackets::leave(int step, size_t output) {
    all_[open_].last = step, all_[open_].output = output;
    open_ = all_[open_].around;
}

bool Brackets::within(size_t inner, size_t outer) const {
    while (inner != outer && inner != none) inner = all_[inner].around;
    return inner == outer;
}

size_t Brackets::recomputed_by(size_t maker, size_t reader) const {
    size_t both = reader;
    while (both != none && !within(maker, both)) both = all_[both].around;
    for (size_t each = maker; each != both; each = all_[each].around)
        if (discards(each)) return each;  // what it gives is given up, whoever keeps it
    return both;
}

}  // namespace plimsoll
