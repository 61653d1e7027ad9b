#include "formats/logs/log.h"

#include <array>
#include <cstdint>

#include "formats/logs/reading.h"

namespace plimsoll::logs {
namespace {

/// The lines of all tools, found by the first four letters of their anchors: one look at each place of the text.
class Lines {
public:
    explicit Lines(const Tools& tools) {
        heads_.fill(none);
        std::array<std::uint16_t, slots> tails;
        tails.fill(none);
        for (std::size_t t = 0; t < tools.count; ++t) {
            for (std::size_t i = 0; i < tools.begin[t]->count; ++i) {
                const Line& line = tools.begin[t]->lines[i];
                lines_.push_back({Pattern(line.pattern), line.says, tools.begin[t], none});
                const auto index = static_cast<std::uint16_t>(lines_.size() - 1);
                const std::size_t slot = slot_of(lines_.back().pattern.anchor());
                if (heads_[slot] == none) heads_[slot] = index;
                if (tails[slot] != none) lines_[tails[slot]].next = index;
                tails[slot] = index;
            }
        }
    }

    /// Reads what stands at `at`, and returns where to go on.
    std::size_t read_at(std::size_t at, Reading& reading) const {
        const std::string_view text = reading.plain();
        if (text.size() - at < head) return at + 1;
        const std::uint16_t first = heads_[slot_of(text.substr(at, head))];
        if (first == none) return at + 1;
        Match match;
        for (std::uint16_t index = first; index != none; index = lines_[index].next) {
            const Known& line = lines_[index];
            if (!line.pattern.holds(text, at, match)) continue;
            reading.take(*line.tool, line.says, match);
            return std::max(match.end, at + 1);
        }
        return at + 1;
    }

private:
    static constexpr std::size_t head = 4, slots = 4096;
    static constexpr std::uint16_t none = 0xffff;
    static std::size_t slot_of(std::string_view text) {
        std::uint32_t key = 0;
        for (std::size_t i = 0; i < head; ++i) key = key << 8 | static_cast<unsigned char>(text[i]);
        return key * 2654435761U >> 20;
    }

    struct Known {
        Pattern pattern;
        std::string_view says;
        const Tool* tool;
        std::uint16_t next;
    };
    std::vector<Known> lines_;
    std::array<std::uint16_t, slots> heads_;
};

}  // namespace

Log read_log(std::string_view text) {
    const Tools tools = all_tools();
    Reading reading(text);
    const Lines lines(tools);
    for (std::size_t at = 0; at < reading.plain().size();) at = lines.read_at(at, reading);
    for (std::size_t i = 0; i < tools.count; ++i) {
        if (!tools.begin[i]->also) continue;
        reading.turn_to(*tools.begin[i]);
        tools.begin[i]->also(reading);
    }
    return reading.done();
}

}  // namespace plimsoll::logs
