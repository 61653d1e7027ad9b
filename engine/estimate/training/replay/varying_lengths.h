/// Batches whose sequences are of many lengths, as an allocator sees them over a run.
///
/// A segment that was taken for one batch is too short for the next longer one: what stays reserved depends on the
/// batches that were longer than all before them, and on their order. Of a thousand batches in random order about
/// ln 1000 + 0.6 are such records. Where an exponential variable is drawn again and again, its records lie on a line as
/// the events of a Poisson process of rate 1 do (Rényi), the k-th at k on average; so of any quantity, the k-th record
/// is exceeded by a share of e^−k of the batches. The series is these.
#pragma once

#include <vector>

#include "inputs/training/training.h"

namespace plimsoll {

/// How long a sample's tokens are, from mean and deviation alone: a random length x(E), increasing in a standard
/// exponential E, mixed of two neighbours of 1, √E, E and E² such that both come out. Deviation ÷ mean may be up to √5.
class LengthDistribution {
public:
    LengthDistribution(double mean, double deviation);

    /// The length that a share of e^−level of the samples exceeds.
    double at(double level) const;

private:
    double mean_, share_ = 0;  ///< of the mean that is the more spread neighbour's
    int spread_ = 0;           ///< which pair of neighbours
};

/// The longest sequence of each batch that is longer than all before it, in tokens; the last is as long as a sequence
/// may be. `sequences`: of one batch, all padded to the longest.
std::vector<double> record_lengths(const SequenceLengths& lengths, double sequences, double sequence);

/// Micro-batches until the record of that number, counted from 1, has come: about e^(number − 1).
double batches_until(int record);

}  // namespace plimsoll
