// LM Studio's log, `lms` and its tables: sizes count by 10^3 (a card of 8 GiB is "8.59 GB"). Engine lines in between are
// llama.cpp's. Messages of 0.2 are JSON, whose sizes count by 2^10 (a card of 2 GiB is "2.00 GB").
#include <array>

#include "formats/logs/reading.h"
#include "formats/logs/tables.h"

namespace plimsoll::logs {

extern const Tool lm_studio, lm_studio_messages;

namespace {

constexpr Line lm_studio_lines[] = {
    {"[LM Studio]", ""},
    {"Model load size estimate with %*num offload layers %v and context length %v: Model: %b Context: %b Total: %b",
     "=n_gpu_layers =n_ctx ?weights ?kv_cache ?total"},
    {"%d (Used: %b, Total: %b, Free: %b)", "=device device_used device_total device_free"},
    {"Offload KV Cache to GPU: %w", "=offload_kv"},
    {"Num Offload Layers: %w", "=n_gpu_layers"},
    {"Model: %w Estimated GPU Memory: %b", "=model ?total"},
    {"Estimated GPU Memory: %b", "?total"},
    {"Estimated Total Memory: %b", "?total_of_all_devices"},
    {"%w Running chat completion on conversation", "=model"},
    {"%w Model generated tool calls:", "=model"},
    {"this model requires approximately %b of memory", "?total"},
    {"• Size: %b", "file_size"},
    {"loaded successfully in %*. (%b)", "file_size"},
};

constexpr Line messages[] = {
    {"\"ram_capacity\": \"%b\"", "host_total"},
    {"\"ram_unused\": \"%b\"", "host_free"},
    {"\"vram_recommended_capacity\": \"%b\"", "device_total"},
    {"\"vram_unused\": \"%b\"", "device_free"},
    {"\"n_ctx\": %i", "=n_ctx"},
    {"\"n_gpu_layers\": %i", "=n_gpu_layers"},
};

/// `lms ps` has the columns MODEL and CONTEXT; `lms ls` lists what is on the disk.
void row(Reading& reading, const Header& header, const Row& line) {
    const std::string_view size = header.cell(line.text, "SIZE");
    Capture capture;
    if (size.empty() || size_at(size, 0, capture) != size.size()) return;
    const std::size_t place = reading.place_of(size);
    reading.figure("file_size", capture, {}, place);
    if (!header.has("CONTEXT")) return;
    reading.setting("model", header.cell(line.text, "MODEL"), place);
    reading.setting("n_ctx", header.cell(line.text, "CONTEXT"), place);
}

void also_lm_studio(Reading& reading) {
    static constexpr std::array<std::string_view, 4> loaded = {"IDENTIFIER", "MODEL", "STATUS", "SIZE"};
    static constexpr std::array<std::string_view, 4> on_disk = {"LLM", "PARAMS", "ARCH", "SIZE"};
    if (reading.plain().find("SIZE") == std::string_view::npos) return;
    Header header;
    for (const Row& line : rows(reading.plain())) {
        if (Header::is(line.text, loaded.data(), loaded.size()) ||
            Header::is(line.text, on_disk.data(), on_disk.size())) {
            header = Header(line.text);
            reading.sign();
        } else if (without_spaces(line.text).empty()) {
            header = {};
        } else if (header.any()) {
            row(reading, header, line);
        }
    }
}

}  // namespace

const Tool lm_studio = tool_of("lm-studio", lm_studio_lines, Units::decimal, also_lm_studio);
const Tool lm_studio_messages = tool_of("lm-studio", messages);

}  // namespace plimsoll::logs
