// nvidia-smi's table, drivers 375 to 580, and those that have its form, nvitop's and xpu-smi's from 2 on: a device's name on
// one line and its memory on the next, MIG slices in a table of their own (whose second lines are BAR1, not memory), then
// processes. A process's cell is empty or N/A in containers and under WDDM.
#include "formats/logs/devices/nvidia_smi.h"

#include <algorithm>
#include <array>
#include <string>

#include "formats/logs/devices/columns.h"
#include "formats/logs/tables.h"

namespace plimsoll::logs {

extern const Tool nvitop, xpu_smi;

namespace {

bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

/// Letters that draw a table's lines.
bool is_bar(std::string_view word) { return word == "|" || word == "│" || word == ">"; }

/// `00000000:19:00.0`
bool is_bus(std::string_view word) {
    return std::count(word.begin(), word.end(), ':') == 2 &&
           word.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

/// What follows a device's name on its line: its mode of persistence, or the model of its driver under Windows.
bool ends_name(std::string_view word) {
    constexpr std::array<std::string_view, 5> modes = {"On", "Off", "WDDM", "TCC", "MCDM"};
    return is_bar(word) || std::find(modes.begin(), modes.end(), word) != modes.end();
}

/// How a tool's table begins, whole and as older ones do.
struct Heading {
    std::string_view name, whole, short_form;
    const Tool* tool;
};

constexpr Heading of_smi = {"NVIDIA-SMI", "NVIDIA-SMI %w Driver Version: %w CUDA Version: %w",
                            "NVIDIA-SMI %w Driver Version: %w", &nvidia_smi};
constexpr Heading of_top = {"NVITOP", "NVITOP %w Driver Version: %w CUDA Driver Version: %w", "NVITOP %w Driver",
                            &nvitop};
constexpr Heading of_xpu = {"XPU-SMI v", "XPU-SMI v%w Driver: %w", "XPU-SMI v%w Driver", &xpu_smi};

class SmiTable {
public:
    SmiTable(Reading& reading, const Heading& heading) : reading_(reading), heading_(heading) {}

    void read() {
        if (reading_.plain().find(heading_.name) == std::string_view::npos) return;
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
        if (processes_ && is_number(list.front())) return process(row, list);
        const bool bus = std::any_of(list.begin(), list.end(), is_bus);
        if (!mig_ && !memory && bus && is_number(list.front())) return named(list);
        if (memory) usage(row, list);
    }

    bool versions(const Row& row) {
        const Pattern whole(heading_.whole), short_form(heading_.short_form);
        const std::size_t at = row.text.find(whole.anchor());
        Match match;
        if (at == std::string_view::npos) return false;
        reading_.turn_to(*heading_.tool);
        known_ = true;
        mig_ = processes_ = false;
        device_.clear();
        reading_.sign();
        const bool all = whole.holds(row.text, at, match);
        if (!all && !short_form.holds(row.text, at, match)) return true;
        const bool smi = heading_.tool == &nvidia_smi;
        std::string version(match.captures[smi ? 1 : 0].text);
        if (smi && all) version += " (CUDA " + std::string(match.captures[2].text) + ")";
        reading_.version(version);
        return true;
    }

    /// `0  NVIDIA H100 80GB HBM3  On | 00000000:19:00.0 Off | 0`
    void named(const std::vector<std::string_view>& list) {
        device_ = std::string(list.front());
        std::string name;
        for (std::size_t i = 1; i < list.size() && !ends_name(list[i]); ++i)
            name += (name.empty() ? "" : " ") + std::string(list[i]);
        reading_.setting("devices", name, reading_.place_of(list.front()), true);
    }

    void usage(const Row& row, const std::vector<std::string_view>& list) {
        const std::size_t slash = row.text.find("B / ");
        std::size_t begin = slash;
        while (begin > 0 && !is_space(row.text[begin - 1]) && row.text[begin - 1] != '|') --begin;
        // nvitop's compact table has one line for each device.
        std::string device = is_number(list.front()) ? std::string(list.front()) : device_;
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

    void process(const Row& row, const std::vector<std::string_view>& list) {
        for (std::size_t i = list.size(); i-- > 2;) {
            Capture capture;
            const std::size_t at = reading_.place_of(list[i]) - row.place, end = size_at(row.text, at, capture);
            // `980.0MiB`, or `206 MiB` at the end; a process's number and its type, `1834 G`, are no size.
            const bool two_words = i + 2 == list.size() && list.back().back() == 'B' &&
                                   end == reading_.place_of(list.back()) - row.place + list.back().size();
            if (end == at || capture.power == 0 || (!two_words && end != at + list[i].size())) continue;
            reading_.figure("process_used", capture, list.front(), reading_.place_of(list[i]));
            return;
        }
    }

    void cell(std::string_view counter, const Row& row, std::size_t at, std::string_view device) {
        Capture capture;
        if (size_at(row.text, at, capture) > at) reading_.figure(counter, capture, device, row.place + at);
    }

    Reading& reading_;
    const Heading& heading_;
    std::string device_;
    bool known_ = false, mig_ = false, processes_ = false;
};

void also_smi(Reading& reading) {
    SmiTable(reading, of_smi).read();
    read_smi_log(reading);
    read_columns(reading);
}

void also_top(Reading& reading) { SmiTable(reading, of_top).read(); }
void also_xpu(Reading& reading) { SmiTable(reading, of_xpu).read(); }

// What its Python library prints of its objects.
constexpr Line lines_of_top[] = {
    {"GpuProcess(pid=%i, gpu_memory=%b, type=%w, device=PhysicalDevice(index=%i, name=%v, total_memory=%b",
     "- process_used - @ +devices device_total"},
    {"PhysicalDevice(index=%i, name=%v, total_memory=%b", "@ +devices device_total"},
};

// xpu-smi to 1.3, `xpu-smi stats` and `discovery`.
constexpr Line lines_of_xpu[] = {
    {"Device ID | %i", "@@"},
    {"GPU Memory Used (MiB) | %M", "device_used"},
    {"Memory Physical Size: %b", "device_total"},
    {"Memory Physical Size %b", "device_total"},
};

}  // namespace

const Tool nvidia_smi = {"nvidia-smi", Units::binary, false, nullptr, 0, also_smi};
const Tool nvitop = tool_of("nvitop", lines_of_top, Units::binary, also_top);
const Tool xpu_smi = tool_of("xpu-smi", lines_of_xpu, Units::binary, also_xpu);

}  // namespace plimsoll::logs
