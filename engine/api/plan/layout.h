/// One layout: what it chose, what it takes, and how it ranks.
#pragma once

#include "api/plan/walk.h"
#include "plan/front.h"
#include "plan/link_times.h"

namespace plimsoll {

/// Numbers of a layout that a reply tells beside its trade.
struct Figures {
    double process = 0;       ///< bytes of the process on the device with least room; without slack, until it is shown
    double free = 0;          ///< bytes that are left there
    double room = 0;          ///< bytes that there are on each device for it
    double within = 0;        ///< bytes that a device sends to others of its node
    double micro_batch = 0;   ///< of a training
    double accumulation = 0;  ///< of a training
    PassSeconds step = {};  ///< of a training, or of a token of each sequence; where the shortest is wanted, and shown
    double sequences = 0;   ///< that a server's caches hold at once, on all devices
    std::string verdict = {};  ///< once it is shown
};

struct Layout {
    Choices choices;
    Trade trade;
    Figures figures;
    double number = 0;   ///< in the order of the walk
    bool shown = false;  ///< the allocator was followed, if there is one: `fits` is known
    bool fits = true;    ///< as far as is known
};

/// What layouts are compared by, the first difference deciding; less is better.
using Rank = std::array<double, 6>;

/// A layout's, for what is wanted.
Rank rank_of(const Layout& layout, Want want);

/// The request that the layout makes of the question's.
Json request_of(const Layout& layout, const PlanQuestion& question, const Library& library);

/// The layout as a reply has it.
Json layout_json(const Layout& layout, const PlanQuestion& question, const Library& library);

}  // namespace plimsoll
