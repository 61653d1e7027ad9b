// What stands in the way of the next value: device, phase and row.
#include "api/solve/binding.h"

namespace plimsoll {
namespace {

const Ledger<double>& of(const Placed<double>& placed, const Need& need) {
    return need.host ? placed.host : placed.devices[need.device].ledger;
}

// A row's bytes at a phase; 0 where the ledger has no such row.
double bytes_of(const Ledger<double>* ledger, const RowId& id, size_t phase) {
    if (!ledger || phase >= ledger->phases.size()) return 0;
    for (const Row<double>& row : ledger->rows)
        if (row.id == id) return row.cells[phase].bytes.n;
    return 0;
}

// The row that has grown most, or the largest where none has.
const Row<double>* grown_most(const Ledger<double>& ledger, size_t phase, const Ledger<double>* before) {
    const Row<double>*most = nullptr, *largest = nullptr;
    double growth = 0, size = 0;
    for (const Row<double>& row : ledger.rows) {
        const double bytes = row.cells[phase].bytes.n;
        const double grown = bytes - bytes_of(before, row.id, phase);
        if (grown > growth) growth = grown, most = &row;
        if (bytes > size) size = bytes, largest = &row;
    }
    return most ? most : largest;
}

}  // namespace

JsonObject binding(Point& point, const Sought& sought, const Limit& limit, const Found& found) {
    Computed before;
    if (found.value && sought.wanted() == Wanted::greatest && sought.set(point, *found.value))
        before = computed(point.read(), point.model());
    sought.set(point, *found.next);
    Request& request = point.read();
    Computed made = computed(request, point.model());
    JsonObject json;
    if (made.error) return json;
    const Banding banding = banding_of(request, point.library());
    for (DeviceClass<double>& each : made.placed.devices) banding.band(each.ledger.rows);
    const Need need = need_of(request, made.placed, banding, limit);
    const Ledger<double>& ledger = of(made.placed, need);
    const size_t phase = need.host ? peak_phase(ledger) : need.phase;
    const bool alike = before.placed.devices.size() == made.placed.devices.size();
    const Row<double>* row = grown_most(ledger, phase, alike ? &of(before.placed, need) : nullptr);
    json.text("device", need.host ? "host" : made.placed.devices[need.device].name.c_str());
    json.text("phase", text_of(ledger.phases[phase]));
    if (row) json.text("row", row->id.text());
    return json;
}

}  // namespace plimsoll
