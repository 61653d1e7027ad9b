/// A pattern of one printed line, such as `Available KV cache memory: %b`: small and linear, for tables of lines.
///
/// A space is any space there is, line ends among it, so that wrapped text matches. `~` is space, quote marks, colons and
/// commas, or nothing: what stands between a name and its value in a dictionary. And
///   %b  a size with its unit        %n  a number               %i  a whole number
///   %G  a number that means GiB     %M  one that means MiB     %B  one that means bytes     %D, %m  10^9, 10^6 bytes
///   %w  a word                      %v  a value in Python's or JSON's way, quoted or not
///   %t  text up to what follows     %*  the same, not kept     %d  before anything else: the name that a colon precedes
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/logs/numbers.h"

namespace plimsoll::logs {

struct Match {
    static constexpr std::size_t most = 12;
    std::size_t begin = 0, end = 0;
    std::size_t count = 0;
    std::array<Capture, most> captures;
};

/// A pattern, ready to be tried where its anchor stands: its longest word that is the same in every such line.
class Pattern {
public:
    explicit Pattern(std::string_view text);
    /// At least four letters.
    std::string_view anchor() const { return text_.substr(anchor_, length_); }
    /// Whether the pattern holds with its anchor at `at`; what it took is in `match` then. One that begins with a letter or
    /// a digit holds where a word begins, and not within `kv_cache_dtype`.
    bool holds(std::string_view text, std::size_t at, Match& match) const;

private:
    std::string_view text_;
    std::uint16_t anchor_ = 0, length_ = 0;
};

}  // namespace plimsoll::logs
