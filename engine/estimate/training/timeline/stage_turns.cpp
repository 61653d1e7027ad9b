#include "estimate/training/timeline/stage_turns.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

// The piece of a stage that the pass of a number runs through.
std::size_t piece_of(std::size_t pass, std::size_t stages, std::size_t pieces, std::size_t micro_batches) {
    const std::size_t group = pass / (stages * pieces);
    const std::size_t in_group = std::min(stages, micro_batches - group * stages);
    return (pass - group * stages * pieces) / in_group;
}

}  // namespace

std::vector<StageTurn> stage_turns(const TrainingLayout& layout, double stage, double accumulation) {
    const auto stages = static_cast<std::size_t>(layout.pipeline);
    const std::size_t pieces = stages > 1 ? static_cast<std::size_t>(layout.virtual_stages) : 1;
    const double each = static_cast<double>(pieces);
    const auto first = static_cast<std::size_t>(layout.in_flight(stage, accumulation) * each);
    const double differ = pieces > 1
                              ? layout.pipeline * std::ceil(static_cast<double>(first + 1) / each / layout.pipeline)
                              : static_cast<double>(first + 1);
    const auto micro_batches = static_cast<std::size_t>(std::min(accumulation, differ));
    std::vector<StageTurn> turns;
    turns.reserve(2 * micro_batches * pieces);
    const auto forward = [&](std::size_t pass) {
        turns.push_back({true, piece_of(pass, stages, pieces, micro_batches)});
    };
    for (std::size_t pass = 0; pass < first; ++pass) forward(pass);
    for (std::size_t pass = 0; pass < micro_batches * pieces; ++pass) {
        turns.push_back({false, pieces - 1 - piece_of(pass, stages, pieces, micro_batches)});
        if (first + pass < micro_batches * pieces) forward(first + pass);
    }
    return turns;
}

}  // namespace plimsoll
