// nvidia-smi -q, drivers 375 to 580: `FB Memory Usage` is the device's memory; `BAR1 Memory Usage`, which is a window on it,
// and `Conf Compute Protected Memory Usage` have the same names below them.
#include <algorithm>
#include <array>
#include <utility>

#include "formats/logs/devices/nvidia_smi.h"
#include "formats/logs/tables.h"

namespace plimsoll::logs {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> of_the_device = {
    {{"Total", "device_total"}, {"Used", "device_used"}, {"Free", "device_free"}}};

class Sections {
public:
    explicit Sections(Reading& reading) : reading_(reading) {}

    void line(const Row& row) {
        const std::string_view text = without_spaces(row.text);
        // `Total                       : 81559 MiB`; a heading has no value, and a bus's number has colons without spaces.
        const std::size_t colon = text.find(" : ");
        if (colon == std::string_view::npos) return heading(text);
        const std::string_view name = without_spaces(text.substr(0, colon));
        const std::string_view value = without_spaces(text.substr(colon + 3));
        if (name == "Driver Version") driver_ = std::string(value);
        if (name == "CUDA Version") driver_ += " (CUDA " + std::string(value) + ")";
        if (name == "Product Name") reading_.setting("devices", value, reading_.place_of(text), true);
        memory(name, value);
    }

    void done() {
        if (!driver_.empty()) reading_.version(driver_);
    }

private:
    void heading(std::string_view text) {
        constexpr std::string_view gpu = "GPU ";
        const bool bus = text.substr(0, gpu.size()) == gpu && std::count(text.begin(), text.end(), ':') == 2;
        if (bus) device_ = text.substr(gpu.size());
        if (!text.empty()) section_ = text;
    }

    void memory(std::string_view name, std::string_view value) {
        Capture capture;
        if (value.empty() || size_at(value, 0, capture) != value.size()) return;
        const std::size_t place = reading_.place_of(value);
        if (name == "Used GPU Memory") reading_.figure("process_used", capture, device_, place);
        if (section_ != "FB Memory Usage") return;
        for (const auto& [known, counter] : of_the_device)
            if (name == known) reading_.figure(counter, capture, device_, place);
    }

    Reading& reading_;
    std::string_view device_, section_;
    std::string driver_;
};

}  // namespace

void read_smi_log(Reading& reading) {
    const std::string_view text = reading.plain();
    const bool known = text.find("NVSMI LOG") != std::string_view::npos;
    if (!known && text.find("FB Memory Usage") == std::string_view::npos) return;
    reading.turn_to(nvidia_smi);
    reading.sign();
    Sections sections(reading);
    for (const Row& row : rows(text)) sections.line(row);
    sections.done();
}

}  // namespace plimsoll::logs
