#include "estimate/ledger/bands.h"

namespace plimsoll {
namespace {

/// What exact rows, and exact parts of others, take.
double exact_bytes(const Row<double>& row, size_t phase) {
    if (row.basis == Basis::exact) return row.cells[phase].bytes.n;
    double bytes = 0;
    for (const Row<double>& child : row.children) bytes += exact_bytes(child, phase);
    return bytes;
}

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
        if (row.id.text() == path.substr(0, dot))
            return dot == std::string_view::npos ? &row : row_at(row.children, path.substr(dot + 1));
    return nullptr;
}

}  // namespace

void Banding::Deviation::add(const Row<double>& row, size_t phase) {
    const Cell<double>& cell = row.cells[phase];
    const double down = cell.bytes.n - cell.low, up = cell.high - cell.bytes.n;
    below += down * down;
    above += up * up;
    counted += cell.bytes.n;
    exact += exact_bytes(row, phase);
}

bool counts(Metric metric, const RowId& row) {
    if (row == RowId::slack) return metric != Metric::allocated;
    return row.is_allocated() || metric == Metric::process;
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
    const BandShares* shares = above ? above : found(&Bands::rows, row.id.text(), nullptr);
    for (Row<double>& child : row.children) band(child, shares);
    if (!row.children.empty()) return sum_bands(row);
    if (row.basis == Basis::rule) shares = found(&Bands::rows, "rule." + std::string(row.id.text()), nullptr);
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

BandedTotal Banding::spread(double bytes, const Deviation& sum, std::string_view metric) const {
    BandedTotal total{{bytes, bytes, bytes}};
    if (!sum.pooled && sum.below == 0 && sum.above == 0) return total;
    total.rests_on = found(&Bands::totals, metric, &total.group);
    const BandShares factors = total.rests_on ? *total.rests_on : BandShares{};
    const double whole = factors.whole * sum.counted;
    total.span.low = rounded_down(maximum(bytes - factors.low * root(sum.below + whole * whole), sum.least));
    total.span.high = ceiling(minimum(bytes + factors.high * root(sum.above + whole * whole), sum.most));
    return total;
}

BandedTotal Banding::total(const Ledger<double>& ledger, size_t phase, Metric metric) const {
    Deviation sum;
    for (const Row<double>& row : ledger.rows) {
        if (counts(metric, row.id)) sum.add(row, phase);
        if (row.id == RowId::slack) sum.pooled = true;
    }
    sum.least = sum.exact;
    BandedTotal total = spread(sum.counted, sum, name_of(metric));
    if (metric == Metric::allocated && phase < ledger.unsplit.size())
        total.span.high = ceiling(total.span.high + ledger.unsplit[phase]);
    // a device has reserved what is allocated on it, and the process holds what is reserved
    if (metric != Metric::allocated) {
        const Metric within = metric == Metric::process ? Metric::reserved : Metric::allocated;
        total.span.low = maximum(total.span.low, this->total(ledger, phase, within).span.low);
    }
    return total;
}

BandedTotal Banding::capacity(const Capacity& capacity, const Ledger<double>& ledger) const {
    Deviation beside, left;
    for (const std::string& path : capacity.beside)
        if (const Row<double>* row = row_at(ledger.rows, path)) beside.add(*row, row->cells.size() - 1);
    const double square = capacity.share * capacity.share;  // what is more beside the cache is less in it
    left.below = square * beside.above;
    left.above = square * beside.below;
    if (capacity.context_share > 0) {
        Deviation context;
        if (const Row<double>* row = row_at(ledger.rows, "device_context")) context.add(*row, row->cells.size() - 1);
        left.below += capacity.context_share * capacity.context_share * context.above;
        left.above += capacity.context_share * capacity.context_share * context.below;
    }
    left.counted = capacity.share * beside.counted;
    if (capacity.context_share == 0)
        left.most = capacity.bytes.bytes + capacity.share * (beside.counted - beside.exact);
    BandedTotal total = spread(capacity.bytes.bytes, left, "capacity");
    total.span.low = maximum(0, rounded_down(total.span.low - capacity.less));
    total.span.high = ceiling(total.span.high + capacity.more);
    return total;
}

}  // namespace plimsoll
