#include "formats/logs/tables.h"

#include <algorithm>

#include "formats/logs/pattern.h"

namespace plimsoll::logs {

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
    const std::vector<std::string_view> found = words(text);
    return found.size() >= count && std::equal(names, names + count, found.begin());
}

std::string_view Header::cell(std::string_view row, std::string_view name) const {
    const std::size_t begin = text_.find(name);
    if (begin == std::string_view::npos || begin >= row.size()) return {};
    std::size_t end = begin + name.size();
    while (end < text_.size() && !is_space(text_[end])) ++end;
    while (end < text_.size() && is_space(text_[end])) ++end;
    return without_spaces(row.substr(begin, end < text_.size() ? end - begin : std::string_view::npos));
}

}  // namespace plimsoll::logs
