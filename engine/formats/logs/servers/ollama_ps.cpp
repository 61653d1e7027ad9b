// The tables of `ollama ps` and `ollama list` (cmd/cmd.go). `HumanBytes` counts by 10^3, and cuts from 10 on.
#include <array>

#include "formats/logs/reading.h"
#include "formats/logs/tables.h"

namespace plimsoll::logs {

extern const Tool ollama_ps;

namespace {

void row(Reading& reading, const Header& header, std::string_view text, std::size_t place) {
    const bool loaded = header.has("PROCESSOR");
    const std::string_view name = header.cell(text, "NAME"), size = header.cell(text, "SIZE");
    Capture capture;
    if (name.empty() || size.empty() || size_at(size, 0, capture) != size.size()) return;
    reading.setting("model", name, place);
    reading.figure(loaded ? "total_of_all_devices" : "file_size", capture, header.cell(text, "PROCESSOR"), place);
    if (loaded) reading.setting("n_ctx", header.cell(text, "CONTEXT"), place);
}

void also_ollama_ps(Reading& reading) {
    static constexpr std::array<std::string_view, 3> columns = {"NAME", "ID", "SIZE"};
    if (reading.plain().find("SIZE") == std::string_view::npos) return;
    Header header;
    for (const Row& line : rows(reading.plain())) {
        if (Header::is(line.text, columns.data(), columns.size())) {
            header = Header(line.text);
            reading.turn_to(ollama_ps);
            reading.sign();
        } else if (header.any() && line.text.find_first_not_of(" \t") == std::string_view::npos) {
            header = {};
        } else if (header.any()) {
            row(reading, header, line.text, line.place);
        }
    }
}

}  // namespace

const Tool ollama_ps = {"ollama-ps", Units::decimal, true, nullptr, 0, also_ollama_ps};

}  // namespace plimsoll::logs
