/// Which layouts are computed, which are refused, and which a bound rules out.
///
///     fixed      weights, states and what the driver takes are alike in a family, whatever a micro-batch takes besides:
///                where they alone are too much, no member fits
///     growing    a larger micro-batch takes no less (of as many sequences of a step, as long as they are more than one
///                micro-batch): where one is too large, those that follow are
///     refusals   what is refused for a degree is refused for all members of the family
///
/// The first two look at the formulas alone: the allocator's slack comes on top.
#pragma once

#include <map>

#include "api/plan/layout.h"

namespace plimsoll {

/// Why layouts are refused: the first one's error, and how many there are.
struct Refusals {
    Error error;
    double count = 0;
    Choices example;
};

/// Layouts by what became of them; all = refused + bounded + estimated.
struct Counted {
    double all = 0, refused = 0, bounded = 0, estimated = 0;
    double fit = 0;           ///< of those that were estimated, those that are shown to fit
    double within_reach = 0;  ///< and those that may, by their formulas, of which nobody looked further
    double replayed = 0;      ///< computed once more, with the allocator followed
};

class PlanSearch {
public:
    PlanSearch(const PlanQuestion& question, Point& point)
        : question_(question), point_(point), walk_(question, point) {}

    /// Looks at every layout; an error where there are too many of them.
    std::optional<Error> run();

    /// The best of those that fit, at most as many as are kept.
    std::vector<const Layout*> best();
    /// Those that none beats which fits as well, the best of them first, at most as many as are kept.
    std::vector<const Layout*> front();

    const std::vector<Refusals>& refusals() const { return refusals_; }
    /// Asked after `best` and `front`.
    Counted counted() const;
    /// The first refusal that asks for the whole engine.
    const std::optional<Error>& asks() const { return asks_; }

private:
    struct Bounds;

    void look_at(const Family& family);
    bool set(const Choices& family, const Choices& member);
    void estimate(const Family& family, const Member& member, Bounds& bounds);
    void trade_training(Layout& layout, const Request& request) const;
    void trade_served(Layout& layout, const Request& request, double sequences) const;
    void refuse(const Error& error, const Choices& family, const Choices& member);
    double room_of(const Request& request) const;
    void show(Layout& layout);
    void tell_time(Layout& layout) const;
    void show_few();
    std::vector<size_t> ranked() const;

    const PlanQuestion& question_;
    Point& point_;
    Walk walk_;
    std::vector<Layout> layouts_;  ///< that fit as far as their formulas tell
    std::vector<Refusals> refusals_;
    std::map<std::string, size_t> refusal_of_;
    std::map<std::string, Json, std::less<>> set_;
    std::optional<Error> asks_;
    Counted counted_;
    double family_ = 0;
};

}  // namespace plimsoll
