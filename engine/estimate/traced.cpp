#include "estimate/estimates.h"
#include "inputs/capabilities.h"

namespace plimsoll {
namespace {

std::vector<Row<double>> values_of(const std::vector<Row<Traced>>& rows) {
    std::vector<Row<double>> values;
    for (const Row<Traced>& row : rows) {
        values.push_back({row.id, row.basis, {}, values_of(row.children), row.pinned});
        for (const Cell<Traced>& cell : row.cells)
            values.back().cells.push_back({{value_of(cell.bytes)}, cell.low, cell.high});
    }
    return values;
}

}  // namespace

Ledger<double> values_of(const Ledger<Traced>& ledger) {
    return {ledger.phases, values_of(ledger.rows), ledger.unsplit};
}

Placed<double> values_of(const Placed<Traced>& placed) {
    Placed<double> values;
    for (const DeviceClass<Traced>& each : placed.devices) {
        values.devices.push_back({each.name, each.count, values_of(each.ledger), each.device});
        if (!capabilities.training) continue;
        values.devices.back().replay = each.replay;
        values.devices.back().step = each.step;
    }
    values.capacity = placed.capacity;
    values.host = values_of(placed.host);
    return values;
}

template Ledger<Traced> classic_ledger<Traced>(const ClassicInputs&);

}  // namespace plimsoll
