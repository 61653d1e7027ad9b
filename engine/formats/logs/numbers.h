/// Numbers and sizes as tools print them.
#pragma once

#include <cstddef>
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

/// A number as printed at `at`, `1,234.5` and `-0.01` among them; returns where it ends, or `at` where there is none.
std::size_t number_at(std::string_view text, std::size_t at, Capture& capture);
/// A size with its unit, `15.37 GiB`, `529MiB`, `0 bytes`; returns where it ends, or `at` where there is none.
std::size_t size_at(std::string_view text, std::size_t at, Capture& capture);

// Asked of every letter of a text: each where it is asked.
inline bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\n'; }
inline bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
/// A letter, a digit or an underscore.
inline bool is_word(char letter) {
    return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

}  // namespace plimsoll::logs
