/// The answer's structure: rows of bytes by phase, over either number. With Traced, a row's bytes hold its formula.
#pragma once

#include <optional>
#include <vector>

#include "estimate/ledger/phase.h"
#include "estimate/ledger/row_id.h"
#include "number/quantity.h"

namespace plimsoll {

/// How a row is known: arithmetic on shapes; a rule of the runtime; a constant read off hardware; a rule of thumb.
enum class Basis : unsigned char { exact, modelled, measured, rule };

inline const char* name_of(Basis basis) {
    constexpr const char* names[] = {"exact", "modelled", "measured", "rule"};
    return names[static_cast<int>(basis)];
}

/// One row at one moment. Where the basis is exact, low = bytes = high. Elsewhere estimates leave it so too, but for
/// bounds that the mechanism has by itself: how far an estimate may be off is data (estimate/ledger/bands.h).
template <class N>
struct Cell {
    Bytes<N> bytes{N(0)};
    double low = 0, high = 0;
};

template <class N>
struct Row {
    RowId id;
    Basis basis = Basis::exact;
    std::vector<Cell<N>> cells;  ///< one per phase of the ledger
    std::vector<Row> children = {};
    std::optional<bool> pinned = {};  ///< on the host: page-locked, where that is known
};

/// A cell's bytes, named as a row so that formulas above refer to them. They are whole, so that rows add up to totals as
/// both are shown.
template <class N>
[[gnu::noinline]] Bytes<N> row_bytes(const Name& path, const N& bytes) {
    return {as_row(path, is_whole(value_of(bytes)) ? bytes : rounded_down(bytes + N(0.5)))};
}

/// Exact bytes.
template <class N>
Cell<N> exactly(const Name& path, const Bytes<N>& bytes) {
    const Bytes<N> own = row_bytes(path, bytes.n);
    return {own, value_of(own), value_of(own)};
}

/// Bytes of a rule or a figure, named as a row; the band comes later.
template <class N>
Cell<N> estimated(const Name& path, const Bytes<N>& bytes) {
    return exactly<N>(path, bytes);
}

/// Bytes that the mechanism itself bounds, if its bounds are apart.
template <class N>
Cell<N> between(const Name& path, const Bytes<N>& bytes, double low, double high) {
    if (low == high) return exactly<N>(path, bytes);
    return {row_bytes(path, bytes.n), rounded_down(low), ceiling(high)};
}

/// A share of bytes, whole bytes of it: the device that has the largest.
template <class N>
[[gnu::noinline]] Bytes<N> portion(const N& share, const Bytes<N>& bytes) {
    const Bytes<N> held = share * bytes;
    return value_of(share) < 1 ? Bytes<N>{ceiling(held.n)} : held;
}

template <class N>
struct Ledger {
    Phases phases;
    std::vector<Row<N>> rows;
    std::vector<double> unsplit =
        {};  ///< by phase: bytes by which blocks are larger than tensors, which is counted as allocated

    Row<N>& add(RowId id, Basis basis) {
        rows.push_back({std::move(id), basis, std::vector<Cell<N>>(phases.size())});
        return rows.back();
    }
};

/// The row of that id; null: the answer has none.
template <class N>
Row<N>* row_named(Ledger<N>& ledger, RowId::Known id) {
    for (Row<N>& row : ledger.rows)
        if (row.id == id) return &row;
    return nullptr;
}

/// Whether the framework's allocator counts a row: all but its own slack and what only the driver sees.
inline bool is_allocated(const RowId& id) { return id.is_allocated(); }

/// Every row.
inline bool any_row(const RowId&) { return true; }

/// The sum of a row's children becomes its own cell, at one phase; `path` names the row from the top.
template <class N>
void sum_children(Row<N>& row, size_t phase, const Name& path) {
    Bytes<N> total{N(0)};
    double low = 0, high = 0;
    for (const Row<N>& child : row.children) {
        total += child.cells[phase].bytes;
        low += child.cells[phase].low;
        high += child.cells[phase].high;
    }
    row.cells[phase] = {{as_row(path, total.n)}, low, high};
}

/// The same for all phases.
template <class N>
void sum_children(Row<N>& row) {
    for (size_t phase = 0; phase < row.cells.size(); ++phase) sum_children(row, phase, row.id.text());
}
template <class N>
void sum_children(Row<N>& row, const Name& path) {
    for (size_t phase = 0; phase < row.cells.size(); ++phase) sum_children(row, phase, path);
}

struct Span {
    double bytes = 0, low = 0, high = 0;
};

/// What the rows that `counts` accepts add up to at a phase.
template <class N, class Counts>
double total_at(const Ledger<N>& ledger, size_t phase, Counts counts) {
    double total = 0;
    for (const Row<N>& row : ledger.rows)
        if (counts(row.id)) total += value_of(row.cells[phase].bytes);
    return total;
}

/// The phase at which most is allocated; the first of equals.
template <class N>
size_t peak_phase(const Ledger<N>& ledger) {
    size_t peak = 0;
    for (size_t phase = 1; phase < ledger.phases.size(); ++phase)
        if (total_at(ledger, phase, is_allocated) > total_at(ledger, peak, is_allocated)) peak = phase;
    return peak;
}

}  // namespace plimsoll
