/// Text as people paste it, made plain for readers of lines: colours, quote marks, comment marks and `<br>` are taken out,
/// and each place still knows the line of the text that it came from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::logs {

class Pasted {
public:
    explicit Pasted(std::string_view text);

    /// The plain text: lines end in `\n`, and what marked a quotation or a comment is gone.
    std::string_view plain() const { return plain_; }

    /// The line of the text as it was pasted that holds a place of the plain text; of a very long one the part around it.
    std::string_view line_at(std::size_t place) const;

    /// The plain line that holds a place: its first letter, and what follows its last.
    std::size_t line_begin(std::size_t place) const;

private:
    struct Line {
        std::size_t plain = 0;  ///< where it begins in the plain text
        std::size_t begin = 0, end = 0;
    };
    const Line& holding(std::size_t place) const;
    void add(std::size_t begin, std::size_t end);

    std::string_view text_;
    std::string plain_;
    std::vector<Line> lines_;
};

}  // namespace plimsoll::logs
