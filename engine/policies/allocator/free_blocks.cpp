// Sorted runs of free blocks: found by halves, split where one has grown long.
#include "policies/allocator/free_blocks.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr std::size_t longest_run = 48;

// Where in `run` the first block stands that does not come before `block`.
std::size_t place(const std::vector<FreeBlocks::Block>& run, const FreeBlocks::Block& block) {
    return static_cast<std::size_t>(std::lower_bound(run.begin(), run.end(), block) - run.begin());
}

}  // namespace

// The first run whose last block does not come before `block`.
std::size_t FreeBlocks::run_of(const Block& block) const {
    std::size_t run = 0;
    while (run < runs_.size() && runs_[run].back() < block) ++run;
    return run;
}

void FreeBlocks::add(const Block& block) {
    if (runs_.empty()) {
        runs_.emplace_back().reserve(longest_run);
        runs_.back().push_back(block);
        return;
    }
    const std::size_t at = std::min(run_of(block), runs_.size() - 1);
    Run& run = runs_[at];
    run.insert(run.begin() + static_cast<std::ptrdiff_t>(place(run, block)), block);
    if (run.size() < longest_run) return;
    const auto half = run.begin() + longest_run / 2;
    Run upper(half, run.end());
    run.erase(half, run.end());
    runs_.insert(runs_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(upper));
}

void FreeBlocks::remove(const Block& block) {
    const std::size_t run = run_of(block);
    erase(run, place(runs_[run], block));
}

std::size_t FreeBlocks::take(double size) {
    const Block least{size, -1, none};  // before all blocks of this size
    const std::size_t run = run_of(least);
    if (run == runs_.size()) return none;
    const std::size_t at = place(runs_[run], least), index = runs_[run][at].index;
    erase(run, at);
    return index;
}

void FreeBlocks::erase(std::size_t run, std::size_t at) {
    runs_[run].erase(runs_[run].begin() + static_cast<std::ptrdiff_t>(at));
    if (runs_[run].empty()) runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(run));
}

}  // namespace plimsoll
