// A recurrence over the sequence: a state of fixed size is decayed, added to and read, token by token.
//
//     selective scan, Mamba 1   state [inner, S]        h ← exp(Δ·A)·h + Δ·B·x    y = C·h + D·x    A_log [inner, S]  D
//     [inner] state-space dual, Mamba 2 state [heads, P, S]     the same with one A per head               A_log, D,
//     dt_bias [heads] gated delta rule          state [heads, K, V]     S ← a·S + b·k⊗(v − Sᵀk)    y = Sᵀq A_log,
//     dt_bias [heads] lightning attention       state [heads, d, d]     S ← λ·S + k⊗v             y = Sᵀq          λ
//     fixed by head and layer WKV of RWKV 4             state [3, width]        numerator, denominator, largest
//     exponent   time_decay, time_first [width]
//
//     from (all inputs side by side) ──▶ to [tokens, width]
//     keeps: the state of each sequence, whatever the context. transformers' caches hold it in the model's type where
//     the cache is made in advance (Mamba, Jamba, Falcon-H1, Granite), in fp32 where the kernel's result is stored
//     as it is (gated delta rule)
//     saves: its inputs and its output; chunked kernels recompute the states inside a chunk
//     (transformers modeling_mamba, modeling_mamba2, modeling_qwen3_next, modeling_minimax, modeling_rwkv)
#pragma once

#include <array>

#include "model/core/operation.h"

namespace plimsoll {

struct Recurrence {
    Part part = Part::mixer;
    struct Parameter {
        Label name;
        Traced rows, cols;
    };
    std::vector<Parameter> parameters;  ///< those of the recurrence itself
    Traced width;                       ///< of the output
    Traced state;                       ///< elements for one sequence
    Dtype dtype;                        ///< of the state
    Label from, to;

    template <class N>
    void weights(std::vector<Weight<N>>& list) const {
        for (const Parameter& each : parameters)
            list.push_back({each.name, part, as<N>(each.rows), as<N>(each.cols), N(1), true});
    }
    template <class N>
    void keeps(std::vector<Kept<N>>& list) const {
        list.push_back({"recurrent", N(0), N(0), as<N>(state), dtype});
    }
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto given = tape.at(from);
        tape.saves(from, part);
        tape.makes(to, tape.pass().tokens * as<N>(width), given.dtype);
        tape.saves(to, part);
        tape.scratch(tape.pass().batch * as<N>(state), Dtype::float32);
    }
    /// Of each token and element of the state: the decay's product, an outer product added, a product summed up. The
    /// state comes from memory once a pass, and goes back.
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        Cost<N> scan{"recurrence", part, CostKind::recurrence};
        scan.operations = N(5) * tape.pass().tokens * as<N>(state);
        scan.activations = tape.at(from).elements + tape.at(to).elements;
        scan.states = N(2) * tape.pass().batch * as<N>(state);
        list.push_back(std::move(scan));
    }
};

}  // namespace plimsoll
