/// Letters of names that were not made here.
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

/// The text with A to Z as a to z; all else stays, whatever the locale.
inline std::string in_small_letters(std::string_view text) {
    std::string small(text);
    for (char& letter : small)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return small;
}

}  // namespace plimsoll
