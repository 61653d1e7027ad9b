#include "formats/logs/numbers.h"

namespace plimsoll::logs {
namespace {

struct Unit {
    std::size_t length = 0;
    int power = 0;
    bool binary = false;
};

/// The unit that `text` begins with: B, bytes, KiB, kB, MB, GiB, G …
Unit unit_of(std::string_view text) {
    for (const std::string_view word : {"bytes", "byte", "B"})
        if (text.substr(0, word.size()) == word) return {word.size(), 0, true};
    constexpr std::string_view letters = "?KMGT";
    if (text.empty()) return {};
    const std::size_t power = letters.find(text[0] == 'k' ? 'K' : text[0]);
    if (power == std::string_view::npos || power == 0) return {};
    const std::string_view rest = text.substr(1);
    const bool binary = rest.substr(0, 2) == "iB";
    const bool bytes = rest.substr(0, 1) == "B";
    return {static_cast<std::size_t>(1 + (binary ? 2 : 0) + (bytes ? 1 : 0)), static_cast<int>(power), binary};
}

}  // namespace

std::size_t number_at(std::string_view text, std::size_t at, Capture& capture) {
    constexpr double most = 9e15;  // beyond, a double no longer counts each digit
    std::size_t end = at;
    const bool negative = end < text.size() && text[end] == '-';
    if (negative || (end < text.size() && text[end] == '+')) ++end;
    const std::size_t first = end;
    double digits = 0, divisor = 1;
    const auto take = [&](bool fraction) {
        const double more = digits * 10 + (text[end] - '0');
        if (more <= most) {
            digits = more;
            if (fraction) divisor *= 10;
        } else if (!fraction) {
            digits = more;
        }
        ++end;
    };
    const auto thousands = [&] {
        return text[end] == ',' && end + 3 < text.size() && is_digit(text[end + 1]) && is_digit(text[end + 2]) &&
               is_digit(text[end + 3]) && (end + 4 == text.size() || !is_digit(text[end + 4]));
    };
    while (end < text.size() && (is_digit(text[end]) || (end > first && thousands()))) {
        if (text[end] == ',') ++end;
        take(false);
    }
    if (end == first) return at;
    if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1]))
        for (++end; end < text.size() && is_digit(text[end]);) take(true);
    capture.text = text.substr(at, end - at);
    capture.value = (negative ? -digits : digits) / divisor;
    capture.half = 0.5 / divisor;
    return end;
}

std::size_t size_at(std::string_view text, std::size_t at, Capture& capture) {
    std::size_t end = number_at(text, at, capture);
    if (end == at) return at;
    while (end < text.size() && is_space(text[end])) ++end;
    const Unit unit = unit_of(text.substr(end, 5));
    end += unit.length;
    if (unit.length == 0 || (end < text.size() && is_word(text[end]))) return at;
    capture.power = unit.power;
    capture.memory = true;
    capture.steps = unit.binary ? Steps::binary : Steps::as_the_tool_means;
    return end;
}

}  // namespace plimsoll::logs
