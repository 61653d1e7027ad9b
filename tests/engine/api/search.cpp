// The search alone, on needs that are made up: what it finds is what a scan finds, and it looks at few values where the need
// cannot fall.
#include "api/solve/search.h"

#include <catch2/catch.hpp>
#include <functional>
#include <random>

namespace plimsoll::test::search {

namespace {

using State = Probe::State;

/// A need by value; nothing: the value is refused.
class Made : public Trial {
public:
    Made(std::function<std::optional<double>(std::int64_t)> need, std::function<double(std::int64_t)> least,
         double limit)
        : need_(std::move(need)), least_(std::move(least)), limit_(limit) {}
    Probe at(std::int64_t value) override {
        ++asked;
        const std::optional<double> need = need_(value);
        if (!need) return {};
        return {*need <= limit_ ? State::fits : State::too_much, least_(value) > limit_};
    }
    int asked = 0;

private:
    std::function<std::optional<double>(std::int64_t)> need_;
    std::function<double(std::int64_t)> least_;
    double limit_;
};

/// The same by trying every value.
Found scanned(Trial& trial, const Range& range) {
    Found found;
    for (std::int64_t value = range.first; value <= range.last; ++value) {
        const State state = trial.at(value).state;
        if (state == State::refused) continue;
        if (state == State::too_much && !found.next) found.next = value;
        if (state == State::fits && !found.next) found.value = value;
        if (state != State::fits || !found.next) continue;
        if (!found.again.empty() && found.again.back().second + 1 == value)
            found.again.back().second = value;
        else
            found.again.emplace_back(value, value);
    }
    return found;
}

}  // namespace

TEST_CASE("a need that cannot fall is bisected, whatever is refused on the way", "[solve]") {
    std::mt19937 random(1);
    for (int round = 0; round < 500; ++round) {
        const std::int64_t divisor = 1 + random() % 9, first = 1 + random() % 5, last = first + random() % 2000;
        const double limit = static_cast<double>(random() % 2500);
        const std::int64_t stretch = round % 3 == 0 && divisor == 1 ? 16 : 1;
        const auto need = [=](std::int64_t value) -> std::optional<double> {
            if (value % divisor != 0) return std::nullopt;
            return static_cast<double>((value + stretch - 1) / stretch * stretch);
        };
        Made made(
            need, [](std::int64_t value) { return static_cast<double>(value); }, limit);
        const Range range{first, last, stretch, true, static_cast<std::int64_t>(1 + random() % 2000)};
        const Found found = greatest(made, range), all = scanned(made, range);
        INFO("divisor " << divisor << ", limit " << limit << ", " << first << " to " << last << ", stretch "
                        << stretch);
        CHECK(found.value == all.value);
        CHECK(found.next == all.next);
        CHECK(found.each);
    }
}

TEST_CASE("a need that may fall is looked through, and what fits again is listed", "[solve]") {
    std::mt19937 random(2);
    for (int round = 0; round < 300; ++round) {
        std::vector<double> extra(1500);
        for (double& each : extra) each = static_cast<double>(random() % 40);
        const double limit = static_cast<double>(random() % 1800);
        const auto least = [](std::int64_t value) { return static_cast<double>(value); };
        const auto need = [&](std::int64_t value) -> std::optional<double> {
            return static_cast<double>(value) + extra[static_cast<size_t>(value) % extra.size()];
        };
        Made made(need, least, limit);
        const Range range{1, 1499, 1, false, 1};
        const Found found = greatest(made, range), all = scanned(made, range);
        CHECK(found.value == all.value);
        CHECK(found.next == all.next);
        CHECK(found.again == all.again);
        CHECK(found.each);
    }
}

TEST_CASE("a long range is bisected in few steps, one whose need may fall says that not each value was tried",
          "[solve]") {
    const auto need = [](std::int64_t value) -> std::optional<double> { return static_cast<double>(value); };
    const auto least = [](std::int64_t value) { return static_cast<double>(value); };
    Made made(need, least, 41216);
    const Found found = greatest(made, {1, 100000000, 1, true, 8192});
    CHECK(found.value == 41216);
    CHECK(found.next == 41217);
    CHECK(made.asked <= 40);
    const Found looked = greatest(made, {1, 100000000, 1, false, 8192});
    CHECK(looked.value == 41216);
    CHECK_FALSE(looked.each);
}

TEST_CASE("refusals before the first legal value are passed over, and nothing legal is nothing found", "[solve]") {
    const auto from_5000 = [](std::int64_t value) -> std::optional<double> {
        if (value < 5000) return std::nullopt;
        return static_cast<double>(value);
    };
    const auto least = [](std::int64_t value) { return static_cast<double>(value); };
    Made late(from_5000, least, 7000);
    CHECK(greatest(late, {1, 100000, 1, true, 1}).value == 7000);
    Made small(from_5000, least, 100);
    const Found none = greatest(small, {1, 100000, 1, true, 1});
    CHECK_FALSE(none.value);
    CHECK(none.next == 5000);
    Made refused([](std::int64_t) { return std::optional<double>(); }, least, 1);
    const Found nothing = greatest(refused, {1, 1000, 1, true, 1});
    CHECK_FALSE(nothing.value);
    CHECK_FALSE(nothing.next);
}

TEST_CASE("the least that fits comes with the legal value before it", "[solve]") {
    const auto shared = [](std::int64_t value) -> std::optional<double> {
        if (8 % value != 0) return std::nullopt;
        return 100.0 / static_cast<double>(value);
    };
    Made made(
        shared, [](std::int64_t) { return 0.0; }, 30);
    const Found found = least(made, {1, 64, 1, false, 1});
    CHECK(found.value == 4);
    CHECK(found.next == 2);
}

}  // namespace plimsoll::test::search
