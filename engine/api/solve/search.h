/// The search for the last value that fits, over whole numbers; what they mean is the caller's.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace plimsoll {

/// What was found at one value.
struct Probe {
    enum class State : unsigned char { refused, fits, too_much };
    State state = State::refused;
    /// Even that part of the total exceeds the limit which no greater value makes smaller.
    bool beyond = false;
};

/// Something that can be tried at whole numbers. Answers must not depend on the order in which it is asked.
class Trial {
public:
    virtual ~Trial() = default;
    virtual Probe at(std::int64_t value) = 0;
};

/// Values `first` … `last`. All values of one stretch, which ends at a multiple of `stretch`, are answered alike.
struct Range {
    std::int64_t first = 1, last = 1;
    std::int64_t stretch = 1;
    bool monotone = true;       ///< a greater value never needs less
    std::int64_t expected = 1;  ///< where to look first
};

struct Found {
    std::optional<std::int64_t> value;  ///< the last that fits, with every legal one before it
    std::optional<std::int64_t> next;   ///< the first legal one that does not; absent at the end of the range
    std::vector<std::pair<std::int64_t, std::int64_t>> again;  ///< stretches behind `next` that fit, first and last
    bool each = true;  ///< every value up to `next` is known; else those near it
};

/// The greatest value for which it and every smaller legal one fit.
///
/// Where the need is monotone this is bisection. Where it is not, every stretch is tried up to the first value beyond
/// which nothing can fit; of more than `most_looked` stretches the nearest below a bisected edge, and `each` is false.
Found greatest(Trial& trial, const Range& range);

/// The least legal value that fits, trying one after the other; `next` is the legal one before it.
Found least(Trial& trial, const Range& range);

}  // namespace plimsoll
