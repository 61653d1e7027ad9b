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

namespace plimsoll::logs {

/// How a unit counts: `GiB` says so itself, `GB` means what the tool means.
enum class Steps : unsigned char { as_the_tool_means, binary, decimal };

/// What a `%` of a pattern took.
struct Capture {
    std::string_view text;  ///< as printed, within the text that was searched; of a size without its unit
    double value = 0;       ///< of numbers and sizes
    double half = 0;        ///< half a unit of the last digit printed
    int power = 0;          ///< of sizes: 0 for bytes, 1 for KiB or kB, 2 for MiB or MB …
    Steps steps = Steps::as_the_tool_means;
    bool memory = false;  ///< a size, and no mere number
};

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

/// A number as printed at `at`, `1,234.5` and `-0.01` among them; returns where it ends, or `at` where there is none.
std::size_t number_at(std::string_view text, std::size_t at, Capture& capture);
/// A size with its unit, `15.37 GiB`, `529MiB`, `0 bytes`; returns where it ends, or `at` where there is none.
std::size_t size_at(std::string_view text, std::size_t at, Capture& capture);

bool is_space(char letter);
bool is_digit(char letter);
bool is_word(char letter);  ///< a letter, a digit or an underscore

}  // namespace plimsoll::logs
