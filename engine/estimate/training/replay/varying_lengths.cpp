#include "estimate/training/replay/varying_lengths.h"

#include <algorithm>
#include <cmath>

#include "number/traced.h"

namespace plimsoll {
namespace {

constexpr double e = 2.718281828459045;
constexpr int records = 7;  // of some thousand batches: ln 1000 = 6.9

// e^−level: of a thousandth of a thousandth, doubled ten times over.
double share_above(double level) {
    const double step = level / 1024;
    double share = 1 / (1 + step + step * step / 2);
    for (int doubling = 0; doubling < 10; ++doubling) share *= share;
    return share;
}

// The level that `holds` up to: it does at 0, and no longer at `most`.
template <class Holds>
double last_level(double most, Holds holds) {
    double low = 0, high = most;
    for (int halving = 0; halving < 40; ++halving) {
        const double middle = (low + high) / 2;
        (holds(middle) ? low : high) = middle;
    }
    return low;
}

// Relative variances of 1, √E, E and E² (means 1, √π/2, 1, 2), and relative covariances of neighbours.
constexpr double variance[] = {0, 0.27323954473516265, 1, 5}, covariance[] = {0, 0.5, 2};
constexpr double mean_of_root = 0.8862269254527579;

double of_unit_mean(int shape, double level) {
    if (shape == 0) return 1;
    if (shape == 1) return std::sqrt(level) / mean_of_root;
    return shape == 2 ? level : level * level / 2;
}

}  // namespace

LengthDistribution::LengthDistribution(double mean, double deviation) : mean_(mean) {
    const double wanted = std::min(deviation / mean * (deviation / mean), variance[3]);
    while (spread_ < 2 && wanted > variance[spread_ + 1]) ++spread_;
    const double less = variance[spread_], more = variance[spread_ + 1], together = covariance[spread_];
    const double square = less - 2 * together + more, half = together - less;
    share_ = (std::sqrt(half * half + square * (wanted - less)) - half) / square;
}

double LengthDistribution::at(double level) const {
    return mean_ * ((1 - share_) * of_unit_mean(spread_, level) + share_ * of_unit_mean(spread_ + 1, level));
}

std::vector<double> record_lengths(const SequenceLengths& lengths, double sequences, double sequence) {
    const LengthDistribution samples(lengths.mean, lengths.deviation);
    constexpr double most = 40;  // e^−40 of the samples are longer
    // where longer samples are left out, those that are there end at the level of a sequence
    const double end =
        lengths.longer_left_out ? last_level(most, [&](double level) { return samples.at(level) <= sequence; }) : most;
    const double there = 1 - share_above(end);
    std::vector<double> list;
    list.reserve(records);
    for (int record = 1; record < records; ++record) {
        const double above = share_above(record);
        const double level = last_level(
            end, [&](double at) { return there > 0 && 1 - power((1 - share_above(at)) / there, sequences) > above; });
        list.push_back(std::max(1.0, std::min(sequence, std::ceil(samples.at(level)))));
    }
    list.push_back(sequence);
    return list;
}

double batches_until(int record) { return std::floor(power(e, record - 1)); }

}  // namespace plimsoll
