// The search for the last value that fits.
#include "api/solve/search.h"

#include <algorithm>

namespace plimsoll {
namespace {

using State = Probe::State;

constexpr std::int64_t most_looked = 2048;  // stretches that are tried one by one
constexpr std::int64_t most_refused = 128;  // values in a row that are passed over where a field must divide something
constexpr std::int64_t looked_near = 16;

/// The range counted in stretches: the n-th is tried at its last value.
class Stretches {
public:
    Stretches(Trial& trial, const Range& range)
        : trial_(trial), range_(range), first_(of(range.first)), last_(of(range.last)) {}

    std::int64_t first() const { return first_; }
    std::int64_t last() const { return last_; }
    std::int64_t of(std::int64_t value) const { return (value + range_.stretch - 1) / range_.stretch; }
    std::int64_t end(std::int64_t stretch) const { return std::min(stretch * range_.stretch, range_.last); }
    std::int64_t begin(std::int64_t stretch) const {
        return std::max((stretch - 1) * range_.stretch + 1, range_.first);
    }
    Probe at(std::int64_t stretch) { return trial_.at(end(stretch)); }

    /// The nearest stretch that is not refused, from `from` to `to` (either way); absent after many refusals.
    std::optional<std::int64_t> legal(std::int64_t from, std::int64_t to) {
        const std::int64_t step = from <= to ? 1 : -1;
        for (std::int64_t tried = 0, at_ = from; tried < most_refused; ++tried, at_ += step) {
            if (at(at_).state != State::refused) return at_;
            if (at_ == to) break;
        }
        return std::nullopt;
    }

private:
    Trial& trial_;
    const Range& range_;
    std::int64_t first_, last_;
};

/// The first legal stretch: one of the first, or behind a run of refusals that is doubled over and then halved.
std::optional<std::int64_t> first_legal(Stretches& stretches) {
    if (const auto near = stretches.legal(stretches.first(), stretches.last())) return near;
    std::int64_t refused = std::min(stretches.first() + most_refused - 1, stretches.last());
    std::optional<std::int64_t> found;
    while (!found && refused < stretches.last()) {
        const std::int64_t step = std::min(refused * 2, stretches.last());
        if (stretches.at(step).state == State::refused)
            refused = step;
        else
            found = step;
    }
    if (!found) return std::nullopt;
    while (*found - refused > 1) {
        const std::int64_t middle = refused + (*found - refused) / 2;
        (stretches.at(middle).state == State::refused ? refused : *found) = middle;
    }
    return found;
}

/// The first stretch that `stops` holds of, and the last legal one before it, between `fits` (which it does not hold of) and
/// the range's end. What it holds of, it holds of all that follow.
template <class Stops>
std::pair<std::int64_t, std::optional<std::int64_t>> edge(Stretches& stretches, std::int64_t before,
                                                          std::int64_t expected, Stops stops) {
    std::optional<std::int64_t> behind;
    for (std::int64_t step = std::max<std::int64_t>(expected - before, 1); !behind && before < stretches.last();
         step *= 2) {
        const std::int64_t probed = std::min(before + step, stretches.last());
        std::optional<std::int64_t> legal = stretches.legal(probed, before + 1);
        if (!legal) legal = stretches.legal(probed, stretches.last());
        if (!legal) break;
        if (stops(stretches.at(*legal)))
            behind = legal;
        else
            before = *legal;
    }
    while (behind && *behind - before > 1) {
        const std::int64_t middle = before + (*behind - before) / 2;
        std::optional<std::int64_t> legal = stretches.legal(middle, before + 1);
        if (!legal && middle + 1 < *behind) legal = stretches.legal(middle + 1, *behind - 1);
        if (!legal) break;
        (stops(stretches.at(*legal)) ? *behind : before) = *legal;
    }
    return {before, behind};
}

bool too_much(const Probe& probe) { return probe.state == State::too_much; }
bool beyond(const Probe& probe) { return probe.state == State::too_much && probe.beyond; }

/// Tries each stretch from `from` to before `to`; what fits and what does not is written down.
void look(Stretches& stretches, std::int64_t from, std::int64_t to, Found& found) {
    for (std::int64_t at = from; at < to; ++at) {
        const Probe probe = stretches.at(at);
        if (probe.state == State::refused) continue;
        if (probe.state == State::too_much) {
            if (!found.next) found.next = stretches.begin(at);
        } else if (!found.next) {
            found.value = stretches.end(at);
        } else if (!found.again.empty() && found.again.back().second + 1 == stretches.begin(at)) {
            found.again.back().second = stretches.end(at);
        } else {
            found.again.emplace_back(stretches.begin(at), stretches.end(at));
        }
    }
}

/// Where the need may fall: every stretch below that beyond which nothing fits, or those near a bisected edge.
Found looked_through(Stretches& stretches, std::int64_t first, std::int64_t expected) {
    Found found;
    std::int64_t to = stretches.last() + 1;
    if (beyond(stretches.at(first))) {
        to = first + 1;
    } else if (const auto [last, behind] = edge(stretches, first, expected, beyond); behind) {
        to = *behind + 1;
    }
    if (to - first <= most_looked) {
        look(stretches, first, to, found);
        return found;
    }
    const auto [fits, stops] = too_much(stretches.at(first)) ? std::pair(first, std::optional(first))
                                                             : edge(stretches, first, expected, too_much);
    to = std::min(to, (stops ? *stops : fits) + looked_near);
    for (std::int64_t from = fits; !found.value && from > first;) {
        from = std::max(first, from - looked_near);
        found = {};
        look(stretches, from, to, found);
    }
    found.each = false;
    return found;
}

}  // namespace

Found greatest(Trial& trial, const Range& range) {
    Stretches stretches(trial, range);
    const auto first = first_legal(stretches);
    if (!first) return {};
    const std::int64_t expected = std::clamp(stretches.of(range.expected), *first, stretches.last());
    if (!range.monotone) return looked_through(stretches, *first, expected);
    if (too_much(stretches.at(*first))) return {std::nullopt, stretches.begin(*first), {}, true};
    const auto [fits, stops] = edge(stretches, *first, expected, too_much);
    Found found{stretches.end(fits), std::nullopt, {}, true};
    if (stops) found.next = stretches.begin(*stops);
    return found;
}

Found least(Trial& trial, const Range& range) {
    Found found;
    for (std::int64_t value = range.first; value <= range.last && !found.value; ++value) {
        const Probe probe = trial.at(value);
        if (probe.state == State::fits) found.value = value;
        if (probe.state == State::too_much) found.next = value;
    }
    return found;
}

}  // namespace plimsoll
