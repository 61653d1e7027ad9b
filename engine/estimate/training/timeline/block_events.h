/// A block's passes as an allocator sees them: what is made and given back, in order. Read off the tape once for a kind
/// of layer, and replayed for every layer of that kind.
#pragma once

#include "estimate/training/forward/saved.h"

namespace plimsoll {

/// A tensor is made, or given back, or a parameter's gradient has come.
struct MemoryEvent {
    enum class Kind : unsigned char { makes, frees, gradient } kind;
    size_t slot;       ///< which of the block's tensors; of `gradient`, which of its parameters
    double bytes = 0;  ///< of what is made
};

struct BlockEvents {
    static constexpr size_t input = 0;  ///< slot of what the block is given; the caller's until `keeps_input`
    std::vector<MemoryEvent> forward, backward;
    size_t slots = 1;
    size_t output = 0;           ///< slot of what the block gives
    size_t output_gradient = 0;  ///< slot of that one's gradient, which the backward pass is given
    size_t input_gradient = 0;   ///< slot of what it gives
    bool keeps_input = false;    ///< for the backward pass, which gives it back
    bool keeps_output = false;
    double casts = 0;              ///< bytes of 16-bit copies of its weights that autocast makes
    std::vector<size_t> products;  ///< slots of what checkpointing of operations keeps
};

/// A parameter that is trained, and the operation whose backward pass makes its gradient.
struct TrainedTensor {
    size_t operation;
    Weight<double> weight;
};

std::vector<TrainedTensor> trained_tensors(const Block& block, const TrainingRequest& request);

struct EventOptions {
    bool given = true;                     ///< the block has an input; an embedding has none
    bool gives_up = false;                 ///< its caller holds the input no longer than its first operation runs
    std::vector<double> dequantized = {};  ///< by operation: bytes that its packed matrix is dequantized to
    bool dequantized_kept = false;         ///< for the backward pass
    double biased_product = 0;             ///< bytes that a product with a bias takes while it runs
    bool products = false;                 ///< operations are checkpointed: which slots they keep
    bool products_stay = false;            ///< though no gradient asks for them
};

BlockEvents events_of(const Block& block, const Pass<double>& pass, double hidden,
                      const std::vector<TrainedTensor>& trained, const EventOptions& options = {});

}  // namespace plimsoll
