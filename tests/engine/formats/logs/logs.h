/// Short words for tests of logs.
#pragma once

#include <string>
#include <vector>

#include "engine/catch.h"
#include "formats/logs/log.h"

namespace plimsoll::test {

constexpr double mib = 1024.0 * 1024, gib = 1024 * mib;

inline std::string setting(const logs::Log& log, std::string_view name) {
    for (const logs::Setting& one : log.settings)
        if (one.name == name) return one.values.front();
    return "";
}

/// All figures of one counter, in order.
inline std::vector<logs::Figure> figures(const logs::Log& log, std::string_view counter) {
    std::vector<logs::Figure> found;
    for (const logs::Figure& figure : log.figures)
        if (figure.counter == counter) found.push_back(figure);
    return found;
}

/// The one figure of a counter.
inline logs::Figure figure(const logs::Log& log, std::string_view counter) {
    const std::vector<logs::Figure> found = figures(log, counter);
    INFO(counter);
    REQUIRE(found.size() == 1);
    return found.front();
}

inline double bytes(const logs::Log& log, std::string_view counter) { return figure(log, counter).bytes; }

}  // namespace plimsoll::test
