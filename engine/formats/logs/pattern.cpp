#include "formats/logs/pattern.h"

#include <algorithm>

namespace plimsoll::logs {
namespace {

constexpr std::size_t shortest_anchor = 4;
constexpr std::size_t farthest = 300;  // how far a %t or %* reaches, and how many places are tried in all
constexpr std::string_view lazy = "t*";

/// One part of a pattern: `kind` is the letter of a `%`, a space, a `~`, or `=` for letters that stand for themselves.
struct Part {
    char kind = '=';
    std::string_view text;
};

Part part_at(std::string_view pattern, std::size_t at) {
    if (pattern[at] == ' ' || pattern[at] == '~') return {pattern[at], pattern.substr(at, 1)};
    if (pattern[at] == '%' && pattern[at + 1] != '%') return {pattern[at + 1], pattern.substr(at, 2)};
    if (pattern[at] == '%') return {'=', pattern.substr(at + 1, 1)};
    std::size_t end = at;
    while (end < pattern.size() && pattern[end] != ' ' && pattern[end] != '~' && pattern[end] != '%') ++end;
    return {'=', pattern.substr(at, end - at)};
}

std::size_t after(std::size_t at, const Part& part) {
    const bool percent = part.kind == '=' && part.text == "%";
    return at + (percent ? 2 : part.text.size());
}

std::size_t line_end(std::string_view text, std::size_t at) { return std::min(text.find('\n', at), text.size()); }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

/// One attempt: the text, and what may still be spent on looking ahead.
class Attempt {
public:
    Attempt(std::string_view text, std::string_view pattern, Match& match)
        : text_(text), pattern_(pattern), match_(match) {}

    /// From `at` on with the pattern from `part` on.
    bool forward(std::size_t at, std::size_t part) {
        while (part < pattern_.size()) {
            const Part next = part_at(pattern_, part);
            part = after(part, next);
            if (lazy.find(next.kind) != std::string_view::npos) return ahead(at, part, next.kind == 't');
            if (!step(next, at)) return false;
        }
        match_.end = at;
        return true;
    }

    /// Backwards from `at`, with the pattern up to `end`; what it takes is put in order.
    bool backward(std::size_t at, std::size_t end) {
        std::array<std::uint16_t, 2 * Match::most> parts = {};  // where each begins
        std::size_t count = 0;
        for (std::size_t part = 0; part < end && count < parts.size(); part = after(part, part_at(pattern_, part)))
            parts[count++] = static_cast<std::uint16_t>(part);
        const std::size_t first = match_.count;
        while (count > 0)
            if (!step_back(part_at(pattern_, parts[--count]), at)) return false;
        std::reverse(match_.captures.begin() + static_cast<std::ptrdiff_t>(first),
                     match_.captures.begin() + static_cast<std::ptrdiff_t>(match_.count));
        match_.begin = at;
        return true;
    }

private:
    static bool passes(char kind, char letter) {
        return is_space(letter) || (kind == '~' && std::string_view("'\":,").find(letter) != std::string_view::npos);
    }

    void take(const Capture& capture) {
        if (match_.count < Match::most) match_.captures[match_.count++] = capture;
    }

    bool ahead(std::size_t at, std::size_t part, bool keep) {
        const std::size_t end = std::min(line_end(text_, at), at + farthest);
        const std::size_t before = match_.count;
        if (part == pattern_.size()) {
            if (keep) take({trimmed(text_.substr(at, end - at))});
            match_.end = end;
            return end > at;
        }
        const Part next = part_at(pattern_, part);
        for (std::size_t stop = at; stop < end && tries_ < farthest; ++stop) {
            if (next.kind == '=' ? text_[stop] != next.text[0] : next.kind == ' ' && !is_space(text_[stop])) continue;
            ++tries_;
            match_.count = before;
            if (keep) take({trimmed(text_.substr(at, stop - at))});
            if (forward(stop, part)) return true;
        }
        return false;
    }

    bool step(const Part& part, std::size_t& at) {
        if (part.kind == '=') {
            if (text_.substr(at, part.text.size()) != part.text) return false;
            at += part.text.size();
            return true;
        }
        if (part.kind == ' ' || part.kind == '~') {
            const std::size_t start = at;
            while (at < text_.size() && passes(part.kind, text_[at])) ++at;
            return at > start || part.kind == '~';
        }
        Capture capture;
        const std::size_t end = taken(part.kind, at, capture);
        if (end == at) return false;
        take(capture);
        at = end;
        return true;
    }

    std::size_t taken(char kind, std::size_t at, Capture& capture) const {
        if (kind == 'b') return size_at(text_, at, capture);
        if (kind == 'w') return word(at, capture);
        if (kind == 'v') return value(at, capture);
        const std::size_t end = number_at(text_, at, capture);
        if (kind == 'n' || kind == 'i') return end;
        capture.memory = true;
        capture.power = kind == 'B' ? 0 : 3;
        if (kind == 'M' || kind == 'm') capture.power = 2;
        capture.steps = kind == 'D' || kind == 'm' ? Steps::decimal : Steps::binary;
        return end;
    }

    std::size_t word(std::size_t at, Capture& capture) const {
        std::size_t end = at;
        while (end < text_.size() && !is_space(text_[end]) &&
               std::string_view(",;)\"'|`").find(text_[end]) == std::string_view::npos)
            ++end;
        capture.text = text_.substr(at, end - at);
        return end;
    }

    std::size_t value(std::size_t at, Capture& capture) const {
        if (at >= text_.size()) return at;
        const char quote = text_[at];
        if (quote != '\'' && quote != '"') {
            std::size_t end = at;
            while (end < text_.size() && !is_space(text_[end]) &&
                   std::string_view(",)]}").find(text_[end]) == std::string_view::npos)
                ++end;
            capture.text = text_.substr(at, end - at);
            return end;
        }
        const std::size_t end = text_.find(quote, at + 1);
        if (end == std::string_view::npos || end > line_end(text_, at)) return at;
        capture.text = text_.substr(at + 1, end - at - 1);
        return end + 1;
    }

    bool step_back(const Part& part, std::size_t& at) {
        if (part.kind == '=') {
            if (at < part.text.size() || text_.substr(at - part.text.size(), part.text.size()) != part.text)
                return false;
            at -= part.text.size();
            return true;
        }
        if (part.kind == ' ' || part.kind == '~') {
            const std::size_t start = at;
            while (at > 0 && passes(part.kind, text_[at - 1])) --at;
            return at < start || part.kind == '~';
        }
        return part.kind == 'd' ? name_before(at) : taken_before(part.kind, at);
    }

    /// A number, size or word that ends at `at`: its letters are looked for backwards, and read forwards.
    bool taken_before(char kind, std::size_t& at) {
        std::size_t start = at;
        if (kind == 'b') {
            while (start > 0 && is_word(text_[start - 1]) && !is_digit(text_[start - 1])) --start;
            while (start > 0 && is_space(text_[start - 1])) --start;
        }
        const bool letters = kind == 'w';
        const auto belongs = [&](char letter) {
            return letters ? !is_space(letter) : is_digit(letter) || letter == '.' || letter == ',' || letter == '-';
        };
        while (start > 0 && at - start < farthest && belongs(text_[start - 1])) --start;
        Capture capture;
        if (letters) capture.text = text_.substr(start, at - start);
        // A number follows no letter, and no comma or point begins one: `max_1,024 MiB`, `(0, 3 MiB`.
        while (!letters && start < at && (text_[start] == ',' || text_[start] == '.')) ++start;
        if (start == at || (!letters && taken(kind, start, capture) != at)) return false;
        take(capture);
        at = start;
        return true;
    }

    bool name_before(std::size_t& at) {
        std::size_t start = at;
        while (start > 0 && at - start < farthest && text_[start - 1] != '\n' &&
               !(text_[start - 1] == ':' && is_space(text_[start])))
            --start;
        Capture capture{trimmed(text_.substr(start, at - start))};
        if (capture.text.empty()) return false;
        take(capture);
        at = start;
        return true;
    }

    std::string_view text_, pattern_;
    Match& match_;
    std::size_t tries_ = 0;
};

}  // namespace

// The first word that is long, else the longest: what stands before it is matched backwards, and a `%t`, `%*` or `%v`
// cannot be.
Pattern::Pattern(std::string_view text) : text_(text) {
    constexpr std::size_t long_enough = 6;
    for (std::size_t at = 0; at < text.size() && length_ < long_enough;) {
        const Part part = part_at(text, at);
        if (part.kind == 'v' || lazy.find(part.kind) != std::string_view::npos) break;
        if (part.kind == '=' && part.text.size() > length_) {
            anchor_ = static_cast<std::uint16_t>(at);
            length_ = static_cast<std::uint16_t>(part.text.size());
        }
        at = after(at, part);
    }
    if (length_ < shortest_anchor) __builtin_trap();  // a line of the tables that could stand anywhere
}

bool Pattern::holds(std::string_view text, std::size_t at, Match& match) const {
    if (text.substr(at, length_) != anchor()) return false;
    if (anchor_ == 0 && at > 0 && is_word(text[at - 1]) && is_word(text_[0]) && text_[0] != '_') return false;
    match.count = 0;
    match.begin = at;
    Attempt attempt(text, text_, match);
    return (anchor_ == 0 || attempt.backward(at, anchor_)) &&
           attempt.forward(at + length_, static_cast<std::size_t>(anchor_) + length_);
}

}  // namespace plimsoll::logs
