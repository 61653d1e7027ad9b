// A short causal convolution along the sequence, each channel by itself.
//
//     from [tokens, channels] ──conv over the last `kernel` tokens (+ b) ──▶ to [tokens, channels]
//     keeps: the last `kernel` inputs of every channel (transformers pads its state to the kernel's length; others keep
//     one less) saves: its input; and, where an activation is fused into the kernel, nothing more (backward computes it
//     anew) (transformers MambaCache.conv_states, Qwen3NextDynamicCache, Lfm2ShortConv; causal_conv1d_fn)
#pragma once

#include "model/core/operation.h"

namespace plimsoll {

struct ShortConvolution {
    Part part = Part::mixer;
    Traced channels, kernel;
    bool bias;
    Label from, to;
    bool rearranged = false;  ///< its input is put in another order first, and is a tensor of its own

    template <class N>
    void weights(std::vector<Weight<N>>& list) const {
        list.push_back({"conv1d", part, as<N>(kernel), as<N>(channels), N(1)});
        if (bias) list.push_back({"bias", part, N(1), as<N>(channels), N(1), true});
    }
    template <class N>
    void keeps(std::vector<Kept<N>>& list) const {
        list.push_back(
            {"convolution", N(0), N(0), as<N>(channels) * as<N>(kernel), Dtype::sixteen_bit, as<N>(channels)});
    }
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto given = tape.at(from);
        const N elements = tape.pass().tokens * as<N>(channels);
        if (rearranged)
            tape.saves_copy("rearranged", part, elements, given.dtype);
        else
            tape.saves(from, part);
        tape.makes(to, elements, given.dtype);
    }
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        const N elements = tape.pass().tokens * as<N>(channels), filter = as<N>(kernel) * as<N>(channels);
        Cost<N> cost = elementwise("conv1d", part, elements, 0, 2);
        cost.operations = N(2) * elements * as<N>(kernel);
        cost.weights = filter;
        cost.states = N(2) * tape.pass().batch * filter;
        list.push_back(std::move(cost));
    }
};

}  // namespace plimsoll
