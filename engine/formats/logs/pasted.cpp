#include "formats/logs/pasted.h"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/logs/pattern.h"

namespace plimsoll::logs {
namespace {

constexpr std::size_t longest_line = 2000;  // shown whole; of a longer one, so much around a figure
constexpr std::size_t excerpt = 400;

/// Where a terminal's instruction that begins at `at` ends, the letter `escape` before it or lost in copying; else `at`.
std::size_t after_colour(std::string_view text, std::size_t at) {
    constexpr char escape = '\x1b';
    std::size_t end = at + (text[at] == escape ? 1 : 0);
    if (end >= text.size() || text[end] != '[') return end;
    const bool escaped = end > at;
    const std::size_t first = ++end;
    while (end < text.size() && (is_digit(text[end]) || text[end] == ';')) ++end;
    if (end == text.size() || (!escaped && (text[end] != 'm' || end == first))) return at;
    const bool letter = (text[end] >= 'A' && text[end] <= 'Z') || (text[end] >= 'a' && text[end] <= 'z');
    return letter ? end + 1 : end;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> written_out = {
    {{"&gt;", ">"}, {"&lt;", "<"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&nbsp;", " "}, {"\xc2\xa0", " "}}};

/// What stands for another letter at `at`: its length, and that letter.
std::pair<std::size_t, std::string_view> entity(std::string_view text, std::size_t at) {
    if (text[at] != '&' && text[at] != '\xc2') return {0, {}};
    for (const auto& [form, letter] : written_out)
        if (text.substr(at, form.size()) == form) return {form.size(), letter};
    return {0, {}};
}

/// The length of `<br>`, `<BR>` or `<br/>` at `at`, or 0.
std::size_t line_break(std::string_view text, std::size_t at) {
    if (text[at] != '<' || text.size() - at < 4) return 0;
    const char b = text[at + 1], r = text[at + 2];
    if ((b != 'b' && b != 'B') || (r != 'r' && r != 'R')) return 0;
    const std::size_t end = text.find('>', at);
    return end == std::string_view::npos || end - at > 5 ? 0 : end - at + 1;
}

/// Whether a line's first letter marks a quotation or a comment, so that a sentence goes on after it.
bool is_mark(char letter) { return letter == '>' || letter == '#' || letter == ' ' || letter == '\t'; }

}  // namespace

Pasted::Pasted(std::string_view text) : text_(text) {
    plain_.reserve(text.size() + 1);
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const bool ends = at == text.size() || text[at] == '\n' || text[at] == '\r';
        if (!ends) continue;
        if (at > begin || at == text.size() || text[at] == '\n') add(begin, at);
        begin = at + 1;
    }
}

void Pasted::add(std::size_t begin, std::size_t end) {
    const std::string_view text = text_.substr(0, end);
    lines_.push_back({plain_.size(), begin, end});
    std::size_t at = begin;
    // `# ggml …` of a shell's prompt and `### heading` are cut, too; the number sign of `# GPU blocks` is no part of a pattern.
    while (at < end && is_mark(text[at])) plain_ += text[at++] == '\t' ? "\t" : " ";
    while (at < end) {
        if (const std::size_t next = text[at] == '\x1b' || text[at] == '[' ? after_colour(text, at) : at; next > at) {
            at = next;
            continue;
        }
        if (const auto [length, letter] = entity(text, at); length > 0) {
            plain_ += letter;
            at += length;
            continue;
        }
        const std::size_t broken = line_break(text, at);
        if (broken > 0) plain_ += '\n';
        if (broken == 0 && text[at] != '`') plain_ += text[at];
        at += std::max<std::size_t>(broken, 1);
    }
    plain_ += '\n';
}

const Pasted::Line& Pasted::holding(std::size_t place) const {
    const auto after = std::upper_bound(lines_.begin(), lines_.end(), place,
                                        [](std::size_t value, const Line& line) { return value < line.plain; });
    return *(after - 1);
}

std::string_view Pasted::line_at(std::size_t place) const {
    const Line& line = holding(place);
    if (line.end - line.begin <= longest_line) return text_.substr(line.begin, line.end - line.begin);
    // In a line that long, marks and colours are few: the place in the plain text is nearly that in the pasted one.
    const std::size_t near = std::min(line.begin + (place - line.plain), line.end);
    const auto within = [this](std::size_t at) { return at < text_.size() && (text_[at] & 0xC0) == 0x80; };  // of UTF-8
    std::size_t from = std::max(line.begin, near < excerpt ? 0 : near - excerpt);
    std::size_t to = std::min(line.end, near + excerpt);
    while (from < near && within(from)) ++from;
    while (to > near && within(to)) --to;
    return text_.substr(from, to - from);
}

std::size_t Pasted::line_begin(std::size_t place) const { return holding(place).plain; }

}  // namespace plimsoll::logs
