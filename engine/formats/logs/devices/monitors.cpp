// gpustat, rocm-smi, amd-smi and xpu-smi. Their MB and GB are of 2^10 steps; plain rocm-smi says whole percents alone.
#include <string>

#include "formats/logs/reading.h"
#include "formats/logs/tables.h"

namespace plimsoll::logs {

extern const Tool gpustat, rocm_smi, amd_smi, xpu_smi;

namespace {

/// `[0] GeForce GTX Titan X | 77°C,  96 % | 11848 / 12287 MB | python/52046(11821M)`
void stat_line(Reading& reading, const Row& row) {
    const std::string_view text = row.text;
    const std::size_t open = text.find('['), close = text.find(']');
    const std::size_t unit = text.find(" MB", close == std::string_view::npos ? 0 : close);
    if (close == std::string_view::npos || unit == std::string_view::npos || text.find(" / ") > unit) return;
    if (text.find("°C") == std::string_view::npos && text.find("'C") == std::string_view::npos) return;
    const std::string_view device = text.substr(open + 1, close - open - 1);
    Capture capture;
    if (number_at(device, 0, capture) != device.size()) return;
    const std::size_t slash = text.rfind(" / ", unit);
    std::size_t used = slash;
    while (used > 0 && is_digit(text[used - 1])) --used;
    const auto figure = [&](std::string_view counter, std::size_t at) {
        Capture value;
        if (number_at(text, at, value) == at) return;
        value.power = 2;
        value.memory = true;
        reading.figure(counter, value, device, row.place + at);
    };
    reading.turn_to(gpustat);
    figure("device_used", used);
    std::size_t total = slash + 3;
    while (total < text.size() && is_space(text[total])) ++total;
    figure("device_total", total);
    for (std::size_t at = text.find('(', unit); at != std::string_view::npos; at = text.find('(', at + 1)) {
        const std::size_t end = text.find(')', at);
        if (end != std::string_view::npos && end > at + 2 && text[end - 1] == 'M') figure("process_used", at + 1);
    }
}

void also_gpustat(Reading& reading) {
    if (reading.plain().find(" MB |") == std::string_view::npos) return;
    for (const Row& row : rows(reading.plain())) stat_line(reading, row);
}

/// The concise table: the last but one cell of a device's line is the share of its VRAM.
void also_rocm(Reading& reading) {
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
        reading.figure("device_used_percent", share, device.text,
                       static_cast<std::size_t>(cell.data() - reading.plain().data()));
    }
}

constexpr Line of_rocm[] = {
    {"GPU[%i]~VRAM Total Memory (B)~%B", "@ device_total"},
    {"GPU[%i]~VRAM Total Used Memory (B)~%B", "@ device_used"},
    {"GPU[%i]~GTT Total Memory (B)~%B", "@ gtt_total"},
    {"GPU[%i]~GTT Total Used Memory (B)~%B", "@ gtt_used"},
    {"VRAM Total Memory (B)~%B", "device_total"},
    {"VRAM Total Used Memory (B)~%B", "device_used"},
    {"ROCm System Management Interface", ""},
};

constexpr Line of_amd[] = {
    {"GPU: %i PROCESS_INFO:", "@@"},  {"VRAM_MEM: %b", "process_used"}, {"TOTAL_VRAM: %b", "device_total"},
    {"USED_VRAM: %b", "device_used"}, {"FREE_VRAM: %b", "device_free"},
};

constexpr Line of_xpu[] = {
    {"Device ID | %i", "@@"},
    {"GPU Memory Used (MiB) | %M", "device_used"},
    {"Memory Physical Size: %b", "device_total"},
    {"Memory Physical Size %b", "device_total"},
};

constexpr Tool rocm() {
    Tool tool = tool_of("rocm-smi", of_rocm);
    tool.also = also_rocm;
    return tool;
}

}  // namespace

const Tool gpustat = {"gpustat", Units::binary, false, nullptr, 0, also_gpustat};
const Tool rocm_smi = rocm();
const Tool amd_smi = tool_of("amd-smi", of_amd);
const Tool xpu_smi = tool_of("xpu-smi", of_xpu);

}  // namespace plimsoll::logs
