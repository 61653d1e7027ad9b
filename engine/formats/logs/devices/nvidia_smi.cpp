// nvidia-smi's table, drivers 418 to 580, and nvitop's, which has its form: a device's name on one line and its memory on
// the next, MIG slices in a table of their own (whose second lines are BAR1, not memory), then processes. A process's cell
// is empty or N/A in containers and under WDDM.
#include <algorithm>
#include <string>

#include "formats/logs/reading.h"
#include "formats/logs/tables.h"

namespace plimsoll::logs {

extern const Tool nvidia_smi, nvitop;

namespace {

bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

/// Letters that draw a table's lines.
bool is_bar(std::string_view word) { return word == "|" || word == "│" || word == ">"; }

class Table {
public:
    Table(Reading& reading, const Tool& tool) : reading_(reading), tool_(tool) {}

    void read() {
        const std::string_view name = &tool_ == &nvitop ? "NVITOP" : "NVIDIA-SMI";
        if (reading_.plain().find(name) == std::string_view::npos) return;
        for (const Row& row : rows(reading_.plain())) line(row);
    }

private:
    void line(const Row& row) {
        const std::string_view text = row.text;
        if (versions(row)) return;
        if (text.find("MIG devices:") != std::string_view::npos) mig_ = true;
        if (text.find("Processes:") != std::string_view::npos) processes_ = true;
        if (!known_) return;
        std::vector<std::string_view> list = words(text, "");
        while (!list.empty() && is_bar(list.front())) list.erase(list.begin());
        while (!list.empty() && is_bar(list.back())) list.pop_back();
        if (list.empty()) return;
        const bool memory = text.find("B / ") != std::string_view::npos;
        if (processes_ && is_number(list.front())) return process(list);
        if (!mig_ && !memory && is_number(list.front()) && text.find(':') != std::string_view::npos) return named(list);
        if (memory) usage(row, list);
    }

    bool versions(const Row& row) {
        const Pattern smi("NVIDIA-SMI %w Driver Version: %w CUDA Version: %w");
        const Pattern top("NVITOP %w Driver Version: %w CUDA Driver Version: %w");
        const Pattern& pattern = &tool_ == &nvitop ? top : smi;
        const std::size_t at = row.text.find(pattern.anchor());
        Match match;
        if (at == std::string_view::npos) return false;
        reading_.turn_to(tool_);
        known_ = true;
        mig_ = processes_ = false;
        device_.clear();
        reading_.sign();
        if (!pattern.holds(row.text, at, match)) return true;
        const std::string first(match.captures[0].text);
        const std::string driver =
            std::string(match.captures[1].text) + " (CUDA " + std::string(match.captures[2].text) + ")";
        reading_.version(&tool_ == &nvidia_smi ? driver : first);
        return true;
    }

    /// `0  NVIDIA H100 80GB HBM3  On | 00000000:19:00.0 Off | 0`
    void named(const std::vector<std::string_view>& list) {
        device_ = std::string(list.front());
        std::string name;
        for (std::size_t i = 1; i < list.size() && list[i] != "On" && list[i] != "Off" && !is_bar(list[i]); ++i)
            name += (name.empty() ? "" : " ") + std::string(list[i]);
        reading_.setting("devices", name, place_of(list.front()), true);
    }

    void usage(const Row& row, const std::vector<std::string_view>& list) {
        const std::size_t slash = row.text.find("B / ");
        std::size_t begin = slash;
        while (begin > 0 && !is_space(row.text[begin - 1]) && row.text[begin - 1] != '|') --begin;
        std::string device = device_;
        if (mig_) {
            if (!is_number(list.front()) || list.size() < 4) return;  // BAR1
            device = "GPU" + std::string(list[0]) + " GI" + std::string(list[1]) + " CI" + std::string(list[2]) +
                     " MIG" + std::string(list[3]);
            reading_.setting("mig", "true", row.place);
        }
        std::size_t total = slash + 4;
        while (total < row.text.size() && is_space(row.text[total])) ++total;
        cell("device_used", row, begin, device);
        cell("device_total", row, total, device);
    }

    void process(const std::vector<std::string_view>& list) {
        for (std::size_t i = list.size(); i-- > 2;) {
            Capture capture;
            if (size_at(list[i], 0, capture) != list[i].size() || capture.power == 0) continue;
            reading_.figure("process_used", capture, list.front(), place_of(list[i]));
            return;
        }
    }

    void cell(std::string_view counter, const Row& row, std::size_t at, std::string_view device) {
        Capture capture;
        if (size_at(row.text, at, capture) > at) reading_.figure(counter, capture, device, row.place + at);
    }

    std::size_t place_of(std::string_view word) const {
        return static_cast<std::size_t>(word.data() - reading_.plain().data());
    }

    Reading& reading_;
    const Tool& tool_;
    std::string device_;
    bool known_ = false, mig_ = false, processes_ = false;
};

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

std::string_view counter_of(std::string_view column) {
    if (column == "memory.used [MiB]") return "device_used";
    if (column == "memory.total [MiB]") return "device_total";
    if (column == "memory.free [MiB]") return "device_free";
    if (column == "used_gpu_memory [MiB]" || column == "used_memory [MiB]") return "process_used";
    return {};
}

void query_line(Reading& reading, const Cells& header, const Cells& cells) {
    std::string_view device;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (header[i] == "index") device = cells[i];
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string_view counter = counter_of(header[i]);
        Capture capture;
        if (counter.empty() || size_at(cells[i], 0, capture) == 0) continue;
        reading.figure(counter, capture, device, static_cast<std::size_t>(cells[i].data() - reading.plain().data()));
    }
}

/// `nvidia-smi --query-gpu=index,name,memory.used,memory.total --format=csv`: a header, and a line for each device.
void query(Reading& reading) {
    if (reading.plain().find("[MiB]") == std::string_view::npos) return;
    Cells header;
    for (const Row& row : rows(reading.plain())) {
        if (header.empty() && row.text.find("memory") == std::string_view::npos) continue;
        const Cells cells = cells_of(row.text);
        const bool names = std::any_of(cells.begin(), cells.end(), [](auto cell) { return !counter_of(cell).empty(); });
        if (names) {
            header = cells;
            reading.sign();
        } else if (cells.size() == header.size()) {
            query_line(reading, header, cells);
        } else {
            header.clear();
        }
    }
}

void also_smi(Reading& reading) {
    Table(reading, nvidia_smi).read();
    reading.turn_to(nvidia_smi);
    query(reading);
}

void also_top(Reading& reading) { Table(reading, nvitop).read(); }

}  // namespace

const Tool nvidia_smi = {"nvidia-smi", Units::binary, false, nullptr, 0, also_smi};
const Tool nvitop = {"nvitop", Units::binary, false, nullptr, 0, also_top};

}  // namespace plimsoll::logs
