// gpustat: a line for each device, whose MB are 2^20.
#include <string>

#include "formats/logs/reading.h"
#include "formats/logs/tables.h"

namespace plimsoll::logs {

extern const Tool gpustat;

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

}  // namespace

const Tool gpustat = {"gpustat", Units::binary, false, nullptr, 0, also_gpustat};

}  // namespace plimsoll::logs
