/// How far an answer may be off, from what measured cases were off: the band of every row and of every total.
///
///     row      exact: none. A bound of the mechanism's own: that. Else from low · bytes to high · bytes, the shares
///              being data of the narrowest group of cases that has the row: this runtime with this backend, this
///              runtime, the task. Parts of a row err together: its band is the sum of theirs.
///     total    rows err by themselves: bytes ± factor · √(Σ (row's own band)² + (whole · bytes)²), each side
///              by itself. The factor is data, too, for each metric by itself, so that the wanted part of the measured
///              cases is inside, and so is the share of the whole that no row explains. What is exact is there at
///              least.
///
/// Without anything that is not exact there is no band. The data: presets/bands, written by ./dev score --calibrate.
#pragma once

#include <limits>

#include "estimate/ledger/placed.h"
#include "inputs/bands.h"

namespace plimsoll {

/// What a total counts: the allocator's blocks, what it has from the driver, or all that the driver sees.
enum class Metric : unsigned char { allocated, reserved, process };

/// As in replies and in presets/bands.
inline const char* name_of(Metric metric) {
    constexpr const char* names[] = {"allocated", "reserved", "process"};
    return names[static_cast<int>(metric)];
}

/// A total with its band, and what the band rests on; null where nothing was measured, or nothing can be off.
struct BandedTotal {
    Span span;
    const BandShares* rests_on = nullptr;
    const Bands* group = nullptr;
};

class Banding {
public:
    /// Groups of cases, the narrowest first.
    explicit Banding(std::vector<const Bands*> groups) : groups_(std::move(groups)) {}

    /// Fills in `low` and `high` of every row.
    void band(std::vector<Row<double>>& rows) const;

    /// What a metric counts of a ledger at a phase.
    BandedTotal total(const Ledger<double>& ledger, size_t phase, Metric metric) const;

    /// What is left for a cache; `ledger`: of the device that has it.
    BandedTotal capacity(const Capacity& capacity, const Ledger<double>& ledger) const;

private:
    using Entry = std::pair<std::string, BandShares>;

    /// Squares of what rows may be below and above their estimates; bytes of all of them, and of what is exact; and
    /// what a total is at least and at most. `pooled`: a caching allocator serves it, whose blocks are larger.
    struct Deviation {
        double below = 0, above = 0;
        double counted = 0, exact = 0;
        double least = 0, most = std::numeric_limits<double>::infinity();
        bool pooled = false;

        void add(const Row<double>& row, size_t phase);
    };

    const BandShares* found(std::vector<Entry> Bands::*list, std::string_view id, const Bands** group) const;
    void band(Row<double>& row, const BandShares* above) const;
    BandedTotal spread(double bytes, const Deviation& sum, std::string_view metric) const;

    std::vector<const Bands*> groups_;
};

/// Whether a metric counts a row.
bool counts(Metric metric, const RowId& row);

}  // namespace plimsoll
