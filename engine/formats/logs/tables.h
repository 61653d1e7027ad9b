/// Tables as tools print them: lines, and cells that stand under a header's words.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace plimsoll::logs {

struct Row {
    std::string_view text;
    std::size_t place = 0;  ///< in the plain text
};

/// The lines of a text.
std::vector<Row> rows(std::string_view plain);

/// Words between spaces; `bars` are left out where they stand alone.
std::vector<std::string_view> words(std::string_view text, std::string_view bars = "|");

std::string_view without_spaces(std::string_view text);

/// A header of names; its cells begin below the first letter of each, or after as many tabs.
class Header {
public:
    Header() = default;
    explicit Header(std::string_view text) : text_(text.substr(0, longest)) {}
    /// Whether a line's first words are these.
    static bool is(std::string_view text, const std::string_view* names, std::size_t count);

    bool any() const { return !text_.empty(); }
    bool has(std::string_view name) const { return text_.find(name) != std::string_view::npos; }
    /// The cell below a name; empty where there is none.
    std::string_view cell(std::string_view row, std::string_view name) const;

private:
    static constexpr std::size_t longest = 500;  // every cell looks through it

    std::string_view text_;
};

}  // namespace plimsoll::logs
