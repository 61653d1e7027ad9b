// rocm-smi and amd-smi. Their MB and GB are of 2^10 steps; plain rocm-smi says whole percents alone.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "formats/logs/reading.h"
#include "formats/logs/tables.h"

namespace plimsoll::logs {

extern const Tool rocm_smi, amd_smi;

namespace {

/// The concise table: the last but one cell of a device's line is the share of its VRAM.
void concise(Reading& reading) {
    if (reading.plain().find("VRAM%") == std::string_view::npos) return;
    bool table = false;
    for (const Row& row : rows(reading.plain())) {
        const std::vector<std::string_view> list = words(row.text);
        if (row.text.find("VRAM%") != std::string_view::npos && row.text.find("GPU%") != std::string_view::npos) {
            table = true;
            reading.turn_to(rocm_smi);
            reading.sign();
        }
        if (row.text.find("End of ROCm SMI Log") != std::string_view::npos) table = false;
        Capture device, share;
        if (!table || list.size() < 4 || number_at(list.front(), 0, device) != list.front().size()) continue;
        const std::string_view cell = list[list.size() - 2];
        if (cell.back() != '%' || number_at(cell, 0, share) != cell.size() - 1) continue;
        reading.figure("device_used_percent", share, device.text, reading.place_of(cell));
    }
}

/// `rocm-smi --showpids`: cells between tabs.
void processes(Reading& reading) {
    constexpr std::string_view column = "VRAM USED";
    if (reading.plain().find(column) == std::string_view::npos) return;
    Header header;
    for (const Row& row : rows(reading.plain())) {
        if (row.text.find(column) != std::string_view::npos) {
            header = Header(row.text);
            reading.turn_to(rocm_smi);
            reading.sign();
            continue;
        }
        const std::string_view cell = header.any() ? header.cell(row.text, column) : std::string_view();
        Capture used;
        if (cell.empty() || number_at(cell, 0, used) != cell.size()) continue;
        used.memory = true;
        reading.figure("process_used", used, {}, reading.place_of(cell));
    }
}

void also_rocm(Reading& reading) {
    concise(reading);
    processes(reading);
}

/// amd-smi's tables: their columns stand at the right, and some cells have spaces in them, so its sizes are told by their
/// order, in lines that have as many as the header has names of memory.
class Table {
public:
    explicit Table(Reading& reading) : reading_(reading) {}

    void line(const Row& row) {
        if (heading(row.text)) return;
        const std::vector<std::string_view> list = words(row.text);
        if (list.empty() || names_.empty()) return;
        Capture device;
        if (number_at(list.front(), 0, device) != list.front().size()) return other(row.text, list.front());
        sizes(row.text);
        if (sizes_.size() != names_.size()) return;
        for (std::size_t i = 0; i < names_.size(); ++i)
            if (!names_[i].empty())
                reading_.figure(names_[i], sizes_[i], device.text, reading_.place_of(sizes_[i].text));
    }

private:
    /// What each column of memory counts, of one with two numbers both; nothing where another column says it.
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> columns = {
        {{"VRAM_USED", "device_used"},
         {"VRAM_FREE", "device_free"},
         {"VRAM_TOTAL", "device_total"},
         {"VRAM_USAGE", "device_used device_total"},
         {"Mem-Usage", "device_used device_total"},
         {"GTT_MEM", ""},
         {"CPU_MEM", ""},
         {"VRAM_MEM", "process_used"},
         {"MEM_USAGE", ""}}};

    bool heading(std::string_view text) {
        if (text.find("VRAM_") == std::string_view::npos && text.find("Mem-Usage") == std::string_view::npos)
            return false;
        std::vector<std::string_view> found;
        for (const std::string_view word : words(text)) {
            const auto column =
                std::find_if(columns.begin(), columns.end(), [word](const auto& one) { return one.first == word; });
            if (column == columns.end()) continue;
            const std::size_t second = column->second.find(' ');
            found.push_back(column->second.substr(0, second));
            if (second != std::string_view::npos) found.push_back(column->second.substr(second + 1));
        }
        if (found.empty() || words(text)[0] != "GPU") return false;
        names_ = std::move(found);
        reading_.turn_to(amd_smi);
        reading_.sign();
        return true;
    }

    /// The line before a device's, `| 0000:05:00.0    AMD Instinct MI300X | 0 %  …`; words end a table, and bars do not.
    void other(std::string_view text, std::string_view first) {
        if (std::count(first.begin(), first.end(), ':') == 2) {
            const std::size_t name = reading_.place_of(first) - reading_.place_of(text) + first.size();
            reading_.setting("devices", without_spaces(text.substr(name, text.find('|', name) - name)),
                             reading_.place_of(first), true);
        } else if (is_word(first.front())) {
            names_.clear();
        }
    }

    void sizes(std::string_view text) {
        sizes_.clear();
        for (std::size_t at = 0; at < text.size();) {
            const bool begins = is_digit(text[at]) && (at == 0 || is_space(text[at - 1]) || text[at - 1] == '|');
            const std::size_t end = begins ? size_or_two(text, at) : at;
            at = std::max(end, at + 1);
        }
    }

    /// `285 MB`, or `285/196592 MB`: where it ends, or `at`.
    std::size_t size_or_two(std::string_view text, std::size_t at) {
        Capture first, second;
        std::size_t end = size_at(text, at, first);
        if (end == at) {
            const std::size_t slash = number_at(text, at, first);
            if (slash >= text.size() || text[slash] != '/') return at;
            end = size_at(text, slash + 1, second);
            if (end == slash + 1 || second.power == 0) return at;
            first.power = second.power;
            first.memory = true;
            sizes_.push_back(first);
            sizes_.push_back(second);
        } else if (first.power > 0) {
            sizes_.push_back(first);
        }
        return end;
    }

    Reading& reading_;
    std::vector<std::string_view> names_;
    std::vector<Capture> sizes_;
};

void also_amd(Reading& reading) {
    const std::string_view text = reading.plain();
    if (text.find("VRAM_") == std::string_view::npos && text.find("Mem-Usage") == std::string_view::npos) return;
    Table table(reading);
    for (const Row& row : rows(text)) table.line(row);
}

constexpr Line of_rocm[] = {
    {"VIS_VRAM Total Memory (B)", ""},  // the part of it that the host sees
    {"VIS_VRAM Total Used Memory (B)", ""},
    {"GPU[%i]~VRAM Total Memory (B)~%B", "@ device_total"},
    {"GPU[%i]~VRAM Total Used Memory (B)~%B", "@ device_used"},
    {"GPU[%i]~vram Total Memory (B)~%B", "@ device_total"},  // to 4
    {"GPU[%i]~vram Total Used Memory (B)~%B", "@ device_used"},
    {"GPU[%i]~GTT Total Memory (B)~%B", "@ gtt_total"},
    {"GPU[%i]~GTT Total Used Memory (B)~%B", "@ gtt_used"},
    {"GPU[%i]~gtt Total Memory (B)~%B", "@ gtt_total"},
    {"GPU[%i]~gtt Total Used Memory (B)~%B", "@ gtt_used"},
    {"GPU[%i]~GPU memory use (%%)~%n", "@ device_used_percent"},
    {"GPU[%i]~GPU Memory Allocated (VRAM%%)~%n", "@ device_used_percent"},
    {"\"card%i\": {", "@@"},  // --json
    {"VRAM Total Memory (B)~%B", "device_total"},
    {"VRAM Total Used Memory (B)~%B", "device_used"},
    {"ROCm System Management Interface", ""},
};

constexpr Line of_amd[] = {
    {"AMD-SMI %w", "!"},
    {"GPU: %i PROCESS_INFO:", "@@"},
    {"GPU: %i USAGE:", "@@"},
    {"GPU: %i MEM_USAGE:", "@@"},
    {"GPU: %i ASIC:", "@@"},
    {"GPU: %i VRAM:", "@@"},
    {"VRAM: TYPE: %w VENDOR: %w SIZE: %b", "- - device_total"},
    {"VRAM_MEM: %b", "process_used"},
    {"TOTAL_VRAM: %b", "device_total"},
    {"USED_VRAM: %b", "device_used"},
    {"FREE_VRAM: %b", "device_free"},
    {"TOTAL_GTT: %b", "gtt_total"},
    {"USED_GTT: %b", "gtt_used"},
};

}  // namespace

const Tool rocm_smi = tool_of("rocm-smi", of_rocm, Units::binary, also_rocm);
const Tool amd_smi = tool_of("amd-smi", of_amd, Units::binary, also_amd);

}  // namespace plimsoll::logs
