/// What one optimizer step computes on.
#pragma once

#include <optional>

namespace plimsoll {

/// What is known of data whose samples have many lengths: the tokens of one, on average, and their standard deviation.
/// Those longer than a sequence may be are cut, or left out.
struct SequenceLengths {
    double mean = 0, deviation = 0;
    bool longer_left_out = false;
};

/// Images of each sequence, and what each is to a vision tower and to the decoder.
struct TrainingImages {
    double count = 0, patches = 0, tokens = 0;
};

struct TrainingBatch {
    double micro_batch = 1, sequence = 2048, accumulation = 1;
    TrainingImages images;
    std::optional<SequenceLengths> lengths;  ///< every batch is padded to its longest; none: all to `sequence`
    double previous_tokens = 0;  ///< of each sequence of the micro-batch before, whose loss and outputs are still held
};

}  // namespace plimsoll
