// A table with one row per token id or position.
//
//     ids [tokens] ──▶ to [tokens, width]        saves: the ids (int64)
//     (PyTorch derivatives.yaml: embedding)
#pragma once

#include "model/core/operation.h"

namespace plimsoll {

struct Lookup {
    Label name;
    Part part = Part::embedding;
    Traced rows, width;
    bool by_position;  ///< positions of one sequence, shared by the batch, in place of token ids
    Label to;

    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void weights(std::vector<Weight<N>>& list) const {
        list.push_back({name, part, as<N>(rows), as<N>(width), N(1)});
    }
    template <class N>
    void forward(Tape<N>& tape) const {
        const N ids = by_position ? tape.pass().sequence : tape.pass().tokens;
        if (tape.weight_gradients())
            tape.saves_copy(by_position ? "position_ids" : "token_ids", part, ids, Dtype::int64);
        const N made = by_position ? ids : tape.stream_tokens();
        tape.makes(to, made * as<N>(width), tape.options().numerics.parameter);
    }
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        const N read = (by_position ? tape.pass().sequence : tape.pass().tokens) * as<N>(width);
        Cost<N> looked_up{name, part, CostKind::elementwise};
        looked_up.weights = looked_up.activations = read;
        list.push_back(std::move(looked_up));
    }
};

}  // namespace plimsoll
