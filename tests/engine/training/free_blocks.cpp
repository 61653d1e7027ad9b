// The allocator's free blocks in sorted runs, against a plain set of them that is searched from its beginning.
#include "policies/allocator/free_blocks.h"

#include <random>
#include <set>
#include <tuple>

#include "engine/support.h"

namespace plimsoll::test::free_blocks {

using plimsoll::FreeBlocks;

namespace {

/// The same by the simplest means: all blocks in order, the first that is large enough.
struct Plain {
    std::set<std::tuple<double, double, std::size_t>> blocks;

    std::size_t take(double size) {
        for (auto each = blocks.begin(); each != blocks.end(); ++each)
            if (std::get<0>(*each) >= size) {
                const std::size_t index = std::get<2>(*each);
                blocks.erase(each);
                return index;
            }
        return FreeBlocks::none;
    }
};

}  // namespace

TEST_CASE("free blocks: the smallest that fits, of equal ones the lowest, through thousands of random changes") {
    std::mt19937 random(20261125);
    FreeBlocks blocks;
    Plain plain;
    size_t found = 0, most = 0;
    for (size_t step = 0; step < 20000; ++step) {
        const bool fills = step / 2500 % 2 == 0;  // it grows to more than a run holds, shrinks, and grows again
        const double size = 512 * static_cast<double>(random() % 40 + 1);
        if (random() % 8 < (fills ? 5u : 2u)) {
            const FreeBlocks::Block block{size, 512 * static_cast<double>(step), step};
            blocks.add(block);
            plain.blocks.insert({block.size, block.address, block.index});
        } else if (random() % 4 == 0) {
            const auto merged = plain.blocks.lower_bound({size, 0, 0});
            if (merged == plain.blocks.end()) continue;
            blocks.remove({std::get<0>(*merged), std::get<1>(*merged), std::get<2>(*merged)});
            plain.blocks.erase(merged);
        } else {
            const size_t taken = blocks.take(size);
            REQUIRE(taken == plain.take(size));
            found += taken != FreeBlocks::none;
        }
        most = std::max(most, plain.blocks.size());
    }
    CHECK(found > 5000);
    CHECK(most > 500);  // several runs

    const auto odd = [](size_t index) { return index % 2 == 1; };
    blocks.remove_if(odd);
    for (auto each = plain.blocks.begin(); each != plain.blocks.end();)
        each = odd(std::get<2>(*each)) ? plain.blocks.erase(each) : std::next(each);
    while (!plain.blocks.empty()) REQUIRE(blocks.take(512) == plain.take(512));
    CHECK(blocks.take(512) == FreeBlocks::none);
}

}  // namespace plimsoll::test::free_blocks
