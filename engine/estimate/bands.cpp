#include "estimate/bands.h"

namespace plimsoll {
namespace {

/// Squares of what rows may be below and above their estimates.
struct Deviation {
    double below = 0, above = 0;

    void add(const Cell<double>& cell) {
        const double down = cell.bytes.n - cell.low, up = cell.high - cell.bytes.n;
        below += down * down;
        above += up * up;
    }
};

// Parts of a row err together.
void sum_bands(Row<double>& row) {
    for (size_t phase = 0; phase < row.cells.size(); ++phase) {
        Cell<double>& cell = row.cells[phase];
        cell.low = cell.high = cell.bytes.n;
        for (const Row<double>& child : row.children) {
            cell.low += child.cells[phase].low - child.cells[phase].bytes.n;
            cell.high += child.cells[phase].high - child.cells[phase].bytes.n;
        }
    }
}

const Row<double>* row_at(const std::vector<Row<double>>& rows, std::string_view path) {
    const size_t dot = path.find('.');
    for (const Row<double>& row : rows)
        if (row.id == path.substr(0, dot))
            return dot == std::string_view::npos ? &row : row_at(row.children, path.substr(dot + 1));
    return nullptr;
}

}  // namespace

bool counts(std::string_view metric, std::string_view row) {
    if (row == "slack") return metric != "allocated";
    return row != "device_context" || metric == "process";
}

const BandShares* Banding::found(std::vector<Entry> Bands::*list, std::string_view id, const Bands** group) const {
    for (const Bands* each : groups_)
        for (const Entry& entry : each->*list)
            if (entry.first == id) {
                if (group) *group = each;
                return &entry.second;
            }
    return nullptr;
}

// A rule of thumb stays one under whatever row it stands, and has entries of its own: `rule.slack`.
void Banding::band(Row<double>& row, const BandShares* above) const {
    if (row.basis == Basis::exact) return;
    const BandShares* shares = above ? above : found(&Bands::rows, row.id, nullptr);
    for (Row<double>& child : row.children) band(child, shares);
    if (!row.children.empty()) return sum_bands(row);
    if (row.basis == Basis::rule) shares = found(&Bands::rows, "rule." + row.id, nullptr);
    if (!shares) shares = found(&Bands::rows, name_of(row.basis), nullptr);
    for (Cell<double>& cell : row.cells) {
        const double bytes = cell.bytes.n;
        if (!shares || cell.low != bytes || cell.high != bytes) continue;
        cell.low = rounded_down(bytes * minimum(shares->low, 1));
        cell.high = ceiling(bytes * maximum(shares->high, 1));
    }
}

void Banding::band(std::vector<Row<double>>& rows) const {
    for (Row<double>& row : rows) band(row, nullptr);
}

BandedTotal Banding::spread(double bytes, double below, double above, std::string_view metric) const {
    BandedTotal total{{bytes, bytes, bytes}};
    if (below == 0 && above == 0) return total;
    total.rests_on = found(&Bands::totals, metric, &total.group);
    const double low = total.rests_on ? total.rests_on->low : 1, high = total.rests_on ? total.rests_on->high : 1;
    total.span.low = maximum(0, rounded_down(bytes - low * root(below)));
    total.span.high = ceiling(bytes + high * root(above));
    return total;
}

BandedTotal Banding::total(const Ledger<double>& ledger, size_t phase, std::string_view metric) const {
    Deviation sum;
    double bytes = 0;
    for (const Row<double>& row : ledger.rows) {
        if (!counts(metric, row.id)) continue;
        bytes += row.cells[phase].bytes.n;
        sum.add(row.cells[phase]);
    }
    return spread(bytes, sum.below, sum.above, metric);
}

BandedTotal Banding::capacity(const Capacity& capacity, const Ledger<double>& ledger) const {
    Deviation sum;
    for (const std::string& path : capacity.beside)
        if (const Row<double>* row = row_at(ledger.rows, path)) sum.add(row->cells.back());
    const double square = capacity.share * capacity.share;  // what is more beside the cache is less in it
    return spread(capacity.bytes.bytes, square * sum.above, square * sum.below, "capacity");
}

}  // namespace plimsoll
