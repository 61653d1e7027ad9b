#include "formats/logs/devices/columns.h"

#include <algorithm>
#include <array>

#include "formats/logs/tables.h"

namespace plimsoll::logs {

extern const Tool nvidia_smi, rocm_smi, xpu_smi;

namespace {

/// A column's name without its unit, what it counts, and the unit of its numbers where they have none: 2^10 to that power.
struct Column {
    std::string_view name, counter;
    int power;
    const Tool* tool;
};

constexpr std::array<Column, 8> columns = {{
    {"memory.used", "device_used", 2, &nvidia_smi},
    {"memory.total", "device_total", 2, &nvidia_smi},
    {"memory.free", "device_free", 2, &nvidia_smi},
    {"used_gpu_memory", "process_used", 2, &nvidia_smi},
    {"used_memory", "process_used", 2, &nvidia_smi},
    {"VRAM Total Memory (B)", "device_total", 0, &rocm_smi},
    {"VRAM Total Used Memory (B)", "device_used", 0, &rocm_smi},
    {"GPU Memory Used (MiB)", "device_used", 2, &xpu_smi},
}};

constexpr std::array<std::string_view, 3> of_devices = {"index", "DeviceId", "device"};

const Column* column_of(std::string_view cell) {
    cell = cell.substr(0, cell.find(" ["));
    const auto found =
        std::find_if(columns.begin(), columns.end(), [cell](const Column& one) { return one.name == cell; });
    return found == columns.end() ? nullptr : &*found;
}

using Cells = std::vector<std::string_view>;

Cells cells_of(std::string_view line) {
    Cells cells;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find(',', at), line.size());
        cells.push_back(without_spaces(line.substr(at, end - at)));
        at = end + 1;
    }
    return cells;
}

/// The columns that a command asks for, which stand nowhere else where it says `noheader`.
Cells asked_for(std::string_view line) {
    for (const std::string_view option : {"--query-gpu=", "--query-compute-apps="}) {
        const std::size_t at = line.find(option);
        if (at == std::string_view::npos) continue;
        const std::string_view names = line.substr(at + option.size());
        return cells_of(names.substr(0, names.find_first_of(" \t\"'")));
    }
    return {};
}

class ColumnTable {
public:
    explicit ColumnTable(Reading& reading) : reading_(reading) {}

    void line(const Row& row) {
        if (header_.empty() && row.text.find("emory") == std::string_view::npos) return;
        Cells cells = cells_of(row.text);
        Cells asked = asked_for(row.text);
        if (asked.empty()) asked = cells;
        const auto first = std::find_if(asked.begin(), asked.end(), [](auto cell) { return column_of(cell); });
        if (first != asked.end()) {
            reading_.turn_to(*column_of(*first)->tool);
            reading_.sign();
            header_ = std::move(asked);
        } else if (!values(cells)) {
            header_.clear();
        }
    }

private:
    /// Whether the cells are a line of the table: a maker's name may have a comma in it, and be two.
    bool values(const Cells& cells) {
        if (cells.size() < header_.size()) return false;
        bool any = false;
        std::string_view device;
        for (std::size_t i = 0; i < header_.size(); ++i)
            if (std::find(of_devices.begin(), of_devices.end(), header_[i]) != of_devices.end()) device = cells[i];
        constexpr std::string_view card = "card";
        if (device.substr(0, card.size()) == card) device.remove_prefix(card.size());
        for (std::size_t i = 0; i < header_.size(); ++i)
            if (const Column* column = column_of(header_[i])) any = value(*column, cells[i], device) || any;
        return any;
    }

    bool value(const Column& column, std::string_view cell, std::string_view device) {
        Capture capture;
        if (cell.empty()) return false;
        if (size_at(cell, 0, capture) != cell.size()) {
            if (number_at(cell, 0, capture) != cell.size()) return cell.front() == '[' || cell == "N/A";
            capture.power = column.power;
            capture.memory = true;
            capture.steps = Steps::binary;
        }
        reading_.figure(column.counter, capture, device, reading_.place_of(cell));
        return true;
    }

    Reading& reading_;
    Cells header_;
};

}  // namespace

void read_columns(Reading& reading) {
    const std::string_view text = reading.plain();
    const auto any = [text](const Column& column) { return text.find(column.name) != std::string_view::npos; };
    if (std::none_of(columns.begin(), columns.end(), any)) return;
    ColumnTable table(reading);
    for (const Row& row : rows(text)) table.line(row);
}

}  // namespace plimsoll::logs
