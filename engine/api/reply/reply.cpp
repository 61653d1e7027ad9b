#include "api/reply/reply.h"

#include "api/reply/reply_parts.h"
#include "api/reply/step_json.h"
#include "api/reply/time_json.h"
#include "api/reply/verdict.h"
#include "inputs/capabilities.h"

namespace plimsoll {
namespace {

// One writer for both numbers: bytes come from the ledgers of values; where formulas are wanted there are traced
// ledgers beside them, row for row. `rows` are those of the fullest device.
class Writer {
public:
    Writer(const Request& request, const ModelChoice& model, const Banding& banding, const Placed<double>& placed,
           const Placed<Traced>* traced)
        : request_(request),
          model_(model),
          banding_(banding),
          placed_(placed),
          placed_traced_(traced),
          device_(placed.devices[fullest(placed)]),
          ledger_(device_.ledger),
          traced_(traced ? &traced->devices[fullest(placed)].ledger : nullptr),
          peak_(peak_phase(ledger_)) {}

    Json write() {
        JsonObject reply;
        reply.whole("schema", 1).text("engine", version());
        reply.put("model", model_json(request_, model_));
        reply.put("total", total_json());
        if (request_.explain != Explain::none) {
            reply.put("rows", rows_json(ledger_, peak_, ledger_.rows, traced_ ? &traced_->rows : nullptr));
            reply.put("devices", devices_json());
            reply.put("host", host_json());
            reply.put("timeline", timeline_json());
            if (capabilities.training && !device_.replay.empty())
                reply.put("allocator", allocator_json(ledger_.phases, device_.replay));
            if (capabilities.training && !device_.step.empty()) reply.put("step", step_json(device_.step));
        }
        if (capabilities.runtimes && placed_.capacity) reply.put("capacity", capacity_json(*placed_.capacity));
        if (request_.device) reply.put("fit", fit_json());
        if (capabilities.time && request_.time)
            reply.put("time", time_json(request_, model_.model, traced_ ? &explainer_ : nullptr));
        reply.put("assumptions", assumptions_to_json(request_.reading.assumptions));
        reply.put("missing", request_.task == Task::classic ? Json::array() : texts(model_.model.missing));
        reply.put("notes", notes_json(request_.reading.notes));
        if (traced_) reply.put("symbols", symbols_json(explainer_));
        return reply.take();
    }

private:
    JsonObject total_json() const {
        JsonObject json = banded_json(banding_.total(ledger_, peak_, Metric::allocated));
        if (request_.task != Task::classic) {
            json.put("reserved", banded_json(banding_.total(ledger_, peak_, Metric::reserved)));
            json.put("process", banded_json(banding_.total(ledger_, peak_, Metric::process)));
        }
        if (capabilities.runtimes && placed_.capacity) json.whole("claimed", placed_.capacity->claimed);
        json.text("phase", text_of(ledger_.phases[peak_])).text("device", device_.name);
        if (capabilities.runtimes && placed_.devices.size() > 1) json.put("because", fullest_json());
        return json;
    }
    // Why this device is the fullest: the row of which it has most more than another device, and, where devices are
    // unequal, the share of its own memory.
    JsonObject fullest_json() const {
        double most = 0;
        const Row<double>* found = nullptr;
        for (const Row<double>& row : ledger_.rows)
            for (const DeviceClass<double>& other : placed_.devices) {
                double there = 0;
                const size_t peak = peak_phase(other.ledger);
                for (const Row<double>& each : other.ledger.rows)
                    if (each.id == row.id) there = each.cells[peak].bytes.n;
                const double more = row.cells[peak_].bytes.n - there;
                if (more > most) most = more, found = &row;
            }
        JsonObject json;
        if (found) json.text("row", found->id.text()).whole("more_bytes", most);
        if (device_.device) json.tidy("share", allocated(peak_) / usable_of(device_));
        return json;
    }
    Span process_of(const DeviceClass<double>& device) const {
        return banding_.total(device.ledger, peak_phase(device.ledger), Metric::process).span;
    }
    double usable_of(const DeviceClass<double>& device) const {
        return value_of((device.device ? *device.device : *request_.device).usable<double>());
    }
    double allocated(size_t phase) const { return total_at(ledger_, phase, is_allocated); }
    // A row's formula, which phase it is of, and its sources.
    void explain(JsonObject& json, const Row<Traced>& row, const Ledger<double>& ledger, size_t peak) {
        // a row that is empty at the peak explains itself by its fullest phase
        const Cell<Traced>* shown = &row.cells[peak];
        for (const Cell<Traced>& other : row.cells)
            if (value_of(shown->bytes) == 0) shown = &other;
        json.put("formula", tokens_json(explainer_.formula(shown->bytes.n)));
        json.text("formula_phase", text_of(ledger.phases[static_cast<size_t>(shown - row.cells.data())]));
        json.put("sources", texts(explainer_.sources(shown->bytes.n)));
    }
    Json rows_json(const Ledger<double>& ledger, size_t peak, const std::vector<Row<double>>& rows,
                   const std::vector<Row<Traced>>* traced) {
        Json list = Json::array();
        for (const Row<double>& row : rows) {
            const Cell<double>& cell = row.cells[peak];
            const Row<Traced>* origin = traced ? &(*traced)[static_cast<size_t>(&row - rows.data())] : nullptr;
            JsonObject phases;
            for (size_t phase = 0; phase < ledger.phases.size(); ++phase)
                phases.whole(text_of(ledger.phases[phase]), row.cells[phase].bytes.n);
            JsonObject json;
            json.text("id", row.id.text())
                .whole("bytes", cell.bytes.n)
                .whole("low", cell.low)
                .whole("high", cell.high)
                .text("basis", name_of(row.basis))
                .put("by_phase", std::move(phases));
            if (row.pinned) json.put("pinned", *row.pinned);
            if (origin) explain(json, *origin, ledger, peak);
            if (!row.children.empty())
                json.put("rows", rows_json(ledger, peak, row.children, origin ? &origin->children : nullptr));
            json.append_to(list);
        }
        return list;
    }
    Json devices_json() const {
        Json list = Json::array();
        for (const DeviceClass<double>& device : placed_.devices) {
            const Ledger<double>& ledger = device.ledger;
            const size_t peak = peak_phase(ledger);
            Json rows = Json::array();
            for (const Row<double>& row : ledger.rows) {
                JsonObject json;
                json.text("id", row.id.text()).whole("bytes", row.cells[peak].bytes.n).append_to(rows);
            }
            JsonObject entry;
            entry.text("device", device.name)
                .whole("count", device.count)
                .whole("bytes", total_at(ledger, peak, is_allocated))
                .text("phase", text_of(ledger.phases[peak]))
                .put("rows", std::move(rows));
            if (device.device) entry.text("name", device.device->name).whole("usable_bytes", usable_of(device));
            entry.append_to(list);
        }
        return list;
    }
    JsonObject host_json() {
        const Ledger<double>& host = placed_.host;
        const size_t peak = peak_phase(host);
        JsonObject json;
        json.whole("bytes", total_at(host, peak, is_allocated));
        json.put("rows", rows_json(host, peak, host.rows, placed_traced_ ? &placed_traced_->host.rows : nullptr));
        return json;
    }
    Json timeline_json() const {
        Json timeline = Json::array();
        for (size_t phase = 0; phase < ledger_.phases.size(); ++phase) {
            JsonObject rows;
            for (const Row<double>& row : ledger_.rows) rows.whole(row.id.c_str(), row.cells[phase].bytes.n);
            JsonObject entry;
            entry.text("phase", text_of(ledger_.phases[phase]))
                .whole("bytes", allocated(phase))
                .put("rows", std::move(rows))
                .append_to(timeline);
        }
        return timeline;
    }
    JsonObject capacity_json(const Capacity& capacity) const {
        JsonObject json = banded_json(banding_.capacity(capacity, placed_.devices[capacity.device].ledger));
        Json beside = Json::array();
        for (const std::string& path : capacity.beside) beside.push_back(path);
        json.put("beside", std::move(beside));
        json.whole("kv_tokens", capacity.kv_tokens).tidy("sequences", capacity.sequences);
        return json;
    }
    JsonObject fit_json() const {
        bool fits = true, too_large = false;  // each device by its own memory
        for (const DeviceClass<double>& device : placed_.devices) {
            const Span needed = process_of(device);
            fits = fits && needed.high <= usable_of(device);
            too_large = too_large || needed.low - spared(request_, placed_, device.ledger) > usable_of(device);
        }
        const Verdict verdict = verdict_of(request_, placed_, {fits, too_large});
        JsonObject json;
        json.text("verdict", verdict.text);
        if (!verdict.why.empty()) json.text("why", verdict.why);
        if (!verdict.says.empty()) json.text("says", verdict.says);
        if (verdict.sequences) json.whole("sequences", *verdict.sequences);
        json.whole("usable_bytes", usable_of(device_))
            .whole("free_bytes", usable_of(device_) - process_of(device_).bytes);
        return json;
    }
    const Request& request_;
    const ModelChoice& model_;
    const Banding& banding_;
    const Placed<double>& placed_;
    const Placed<Traced>* placed_traced_;
    const DeviceClass<double>& device_;
    const Ledger<double>& ledger_;
    const Ledger<Traced>* traced_;
    size_t peak_;
    Explainer explainer_;
};

}  // namespace

Json write_reply(const Request& request, const ModelChoice& model, const Banding& banding, const Placed<double>& placed,
                 const Placed<Traced>* traced) {
    return Writer(request, model, banding, placed, traced).write();
}

}  // namespace plimsoll
