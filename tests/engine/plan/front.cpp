// The layouts that no other one beats in everything.
#include "plan/front.h"

#include <random>

#include "engine/support.h"

namespace plimsoll::test::front {

namespace {

Trade trade(double bytes, double devices, double recompute) { return {bytes, devices, recompute, 0, 0}; }

}  // namespace

TEST_CASE("what is worse in one thing and better in none is not on the front") {
    const std::vector<Trade> trades = {trade(2, 8, 0), trade(1, 8, 0.3), trade(2, 8, 0.3), trade(3, 4, 0)};
    CHECK(front_of(trades) == std::vector<size_t>{0, 1, 3});
    CHECK(beats(trades[0], trades[2]));
    CHECK_FALSE(beats(trades[0], trades[0]));
    CHECK_FALSE(beats(trades[0], trades[1]));
}

TEST_CASE("of equal layouts the first stands for all") {
    CHECK(front_of({trade(1, 1, 0), trade(1, 1, 0)}) == std::vector<size_t>{0});
    CHECK(front_of({}).empty());
}

TEST_CASE("a front is what comparing each with each finds") {
    std::mt19937 random(20261124);
    std::uniform_int_distribution<int> small(0, 6);
    for (int round = 0; round < 50; ++round) {
        std::vector<Trade> trades;
        for (int at = 0; at < 60; ++at)
            trades.push_back({double(small(random)), double(small(random)), double(small(random)),
                              double(small(random)), double(small(random))});
        std::vector<size_t> expected;
        for (size_t one = 0; one < trades.size(); ++one) {
            bool beaten = false;
            for (size_t other = 0; other < trades.size(); ++other)
                beaten = beaten || beats(trades[other], trades[one]) ||
                         (other < one && trades[other].all() == trades[one].all());
            if (!beaten) expected.push_back(one);
        }
        CHECK(front_of(trades) == expected);
    }
}

}  // namespace plimsoll::test::front
