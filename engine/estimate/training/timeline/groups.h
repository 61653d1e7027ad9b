/// Bytes by the row that shows them: what a layer keeps, what a moment of a step holds.
#pragma once

#include <vector>

#include "estimate/ledger/ledger.h"

namespace plimsoll {

template <class N>
struct Group {
    RowId::Known id;
    Bytes<N> bytes;
};

template <class N>
class Groups {
public:
    void add(RowId::Known id, const Bytes<N>& bytes) {
        if (value_of(bytes) == 0) return;
        for (Group<N>& group : list_)
            if (group.id == id) {
                group.bytes += bytes;
                return;
            }
        list_.push_back({id, bytes});
    }
    void add(const Groups& others, const N& times) {
        if (value_of(times) == 0) return;
        for (const Group<N>& group : others.list_) add(group.id, times * group.bytes);
    }
    double value() const {
        double sum = 0;
        for (const Group<N>& group : list_) sum += value_of(group.bytes);
        return sum;
    }
    Bytes<N> total() const {
        Bytes<N> sum{N(0)};
        for (const Group<N>& group : list_) sum += group.bytes;
        return sum;
    }
    const std::vector<Group<N>>& list() const { return list_; }

private:
    std::vector<Group<N>> list_;
};

/// A row whose cells are put together phase by phase from groups, each of which becomes one of its children.
template <class N>
class GroupedRow {
public:
    GroupedRow(RowId::Known id, Basis basis, size_t phases) : row_{id, basis, std::vector<Cell<N>>(phases)} {}

    void set(size_t phase, const Groups<N>& groups) {
        Bytes<N> sum{N(0)};
        for (const Group<N>& group : groups.list()) {
            Cell<N>& cell = child(group.id).cells[phase];
            cell = exactly<N>({row_.id.text(), ".", RowId(group.id).text()}, group.bytes);
            sum += cell.bytes;
        }
        if (!groups.list().empty()) row_.cells[phase] = estimated<N>(row_.id.text(), sum);
    }
    bool empty() const { return row_.children.empty(); }
    Row<N> take() { return std::move(row_); }

private:
    Row<N>& child(RowId::Known id) {
        for (Row<N>& known : row_.children)
            if (known.id == id) return known;
        row_.children.push_back({id, Basis::modelled, std::vector<Cell<N>>(row_.cells.size())});
        return row_.children.back();
    }
    Row<N> row_;
};

}  // namespace plimsoll
