/// A tool that prints about memory, as data: the lines that it prints, and what each says.
#pragma once

#include <cstddef>
#include <string_view>

#include "formats/logs/pattern.h"

namespace plimsoll::logs {

class Reading;

/// One line that a tool prints. `says` has a word for each `%` of the pattern, in order:
///   a counter (`weights`), with `?` before it where the tool only expects it, `~` where it says again what others say,
///   `=setting` (`=arch/draft`: another value of it later is `draft`), `+setting` of a list, `@` the device of this line's figures, `@@` of those that follow, too,
///   `!` the tool's version, `-` nothing.
/// `&` joins two that one `%` says. A line that says nothing (`""`) only tells the tool.
struct Line {
    std::string_view pattern;
    std::string_view says;
};

/// What a `GB` or `MB` of a tool means, and how it prints whole numbers.
enum class Units : unsigned char { binary, decimal };

struct Tool {
    std::string_view name;  ///< empty of lines that many tools print
    Units units = Units::binary;
    bool rounds_down = false;  ///< whole numbers are cut, not rounded
    const Line* lines = nullptr;
    std::size_t count = 0;
    /// What lines alone do not tell: tables, command lines. Nothing where it is null.
    void (*also)(Reading&) = nullptr;
};

/// For the tables: `tool_of("vllm", lines)`; `also`: what its lines alone do not tell.
template <std::size_t count>
constexpr Tool tool_of(std::string_view name, const Line (&lines)[count], Units units = Units::binary,
                       void (*also)(Reading&) = nullptr) {
    return {name, units, false, lines, count, also};
}

}  // namespace plimsoll::logs
