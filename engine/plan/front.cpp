// Which layouts are worth a look.
#include "plan/front.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

bool at_least_as_good(const Trade& one, const Trade& other) {
    const auto ours = one.all(), theirs = other.all();
    for (size_t at = 0; at < ours.size(); ++at)
        if (ours[at] > theirs[at]) return false;
    return true;
}

}  // namespace

bool beats(const Trade& one, const Trade& other) { return at_least_as_good(one, other) && one.all() != other.all(); }

// In the order of the lexicographic comparison none beats one that comes before it.
std::vector<size_t> front_of(const std::vector<Trade>& trades) {
    std::vector<size_t> order(trades.size()), front;
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&trades](size_t one, size_t other) { return trades[one].all() < trades[other].all(); });
    for (const size_t index : order) {
        const auto better = [&trades, index](size_t one) { return at_least_as_good(trades[one], trades[index]); };
        if (std::none_of(front.begin(), front.end(), better)) front.push_back(index);
    }
    std::stable_sort(front.begin(), front.end());
    return front;
}

}  // namespace plimsoll
