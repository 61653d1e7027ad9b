/// What an operation must answer about itself. Everything the calculator says follows from these answers.
#pragma once

#include <string_view>
#include <vector>

#include "model/core/cost.h"
#include "model/core/tape.h"

namespace plimsoll {

/// Parameters of one name: `copies` tensors of rows × cols elements. A vector has one row.
template <class N>
struct Weight {
    Label name;
    Part part;
    N rows, cols, copies;
    bool vector = false;      ///< bias, norm weight: not a matrix that a quantiser would pack
    double active_share = 1;  ///< share of the copies that one token visits

    N elements() const { return rows * cols * copies; }
};

/// What a layer remembers of a sequence while it generates: of each token, or a state of fixed size.
template <class N>
struct Kept {
    Label name;  ///< `keys`, `values`, `latents` (row kv_cache); `recurrent`, `convolution` (row state)
    N elements_per_token;
    N tokens_at_most{0};               ///< a window's length; 0: all tokens of the context
    N elements_per_sequence{0};        ///< of a state, whatever the context
    Dtype dtype = Dtype::sixteen_bit;  ///< of a state; a cache has the request's encoding
    N padding{0};                      ///< of a state: elements of these that transformers alone keeps
    /// What sparse attention keeps: latents, of which `rotated` elements are rotated pieces; entries that stand for many
    /// tokens, and those of a window beside them; the one key of the indexer that picks.
    enum class Sparse : unsigned char { none, latents, entries, index } sparse = Sparse::none;
    double rotated = 0, entries_per_token = 1;
};

/// All answers or no build: weights, what one pass makes and saves, what it costs, what generation keeps; for both
/// numbers.
template <class T>
concept Operation = requires(const T& operation, std::vector<Weight<double>>& weights,
                             std::vector<Weight<Traced>>& traced_weights, Tape<double>& tape, Tape<Traced>& traced_tape,
                             std::vector<Kept<double>>& kept, std::vector<Kept<Traced>>& traced_kept,
                             std::vector<Cost<double>>& costs, std::vector<Cost<Traced>>& traced_costs) {
    operation.part;
    operation.weights(weights);
    operation.weights(traced_weights);
    operation.forward(tape);
    operation.forward(traced_tape);
    operation.keeps(kept);
    operation.keeps(traced_kept);
    operation.costs(tape, costs);
    operation.costs(traced_tape, traced_costs);
};

}  // namespace plimsoll
