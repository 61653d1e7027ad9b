#include "formats/logs/tables.h"

#include <algorithm>

#include "formats/logs/pattern.h"

namespace plimsoll::logs {
namespace {

/// What stands between tabs, after so many of them.
std::string_view after_tabs(std::string_view text, std::ptrdiff_t tabs) {
    for (; tabs > 0; --tabs) {
        const std::size_t tab = text.find('\t');
        if (tab == std::string_view::npos) return {};
        text.remove_prefix(tab + 1);
    }
    return without_spaces(text.substr(0, text.find('\t')));
}

}  // namespace

std::vector<Row> rows(std::string_view plain) {
    std::vector<Row> lines;
    for (std::size_t at = 0; at < plain.size();) {
        const std::size_t end = std::min(plain.find('\n', at), plain.size());
        lines.push_back({plain.substr(at, end - at), at});
        at = end + 1;
    }
    return lines;
}

std::vector<std::string_view> words(std::string_view text, std::string_view bars) {
    std::vector<std::string_view> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && !is_space(text[end])) ++end;
        const std::string_view word = text.substr(at, end - at);
        if (!word.empty() && word != bars) found.push_back(word);
        at = end + 1;
    }
    return found;
}

std::string_view without_spaces(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

bool Header::is(std::string_view text, const std::string_view* names, std::size_t count) {
    for (std::size_t found = 0; found < count;) {
        const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
        const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        text.remove_prefix(end);
        if (word == "|") continue;
        if (word != names[found]) return false;
        ++found;
    }
    return true;
}

std::string_view Header::cell(std::string_view row, std::string_view name) const {
    const std::size_t begin = text_.find(name);
    if (begin == std::string_view::npos) return {};
    if (row.find('\t') != std::string_view::npos && text_.find('\t') != std::string_view::npos)
        return after_tabs(row, std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(begin), '\t'));
    if (begin >= row.size()) return {};
    std::size_t end = begin + name.size();
    while (end < text_.size() && !is_space(text_[end])) ++end;
    while (end < text_.size() && is_space(text_[end])) ++end;
    return without_spaces(row.substr(begin, end < text_.size() ? end - begin : std::string_view::npos));
}

}  // namespace plimsoll::logs
