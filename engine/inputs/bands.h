/// How far estimates were off: what tests/score found in the rows of tests/measured, as presets/bands holds it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plimsoll {

/// Of a row: from and to which share of its estimate it reaches. Of a total: by what its rows' band, in quadrature, is
/// multiplied on either side.
struct BandShares {
    double low = 1, high = 1;
    double residuals = 0;  ///< measured cases that it rests on
    double coverage = 0;   ///< of a total: the part of cases inside, each foretold from other models' alone
};

/// What was found for one way to allocate: a runtime (with a backend), a method of training, or a whole task.
struct Bands {
    std::string id;
    std::vector<std::pair<std::string, BandShares>> rows;    ///< by id of row, or of basis
    std::vector<std::pair<std::string, BandShares>> totals;  ///< `allocated`, `reserved`, `process`, `capacity`
};

}  // namespace plimsoll
