// Devices that share a sequence hand each other heads for tokens (Ulysses): before attention each has all heads of its
// own tokens, within it some heads of all tokens, behind it all heads of its own tokens again.
//
//     of [tokens, heads·head_dim] ──all-to-all──▶ of [tokens·devices, (heads / devices)·head_dim]
//     as many elements as before; but key-value heads that are fewer than the devices are repeated first, so that each
//     device gets one. Forward and backward, what is sent is put in the order of the devices first: a copy. Saves
//     nothing: what is exchanged is what attention keeps, and what comes back what the output projection does
//     (DeepSpeed sequence/layer.py DistributedAttention, runtime/sequence_parallel/ulysses_sp.py UlyssesSPAttentionHF;
//     Transformer Engine context_parallel.py AttnFuncWithCPAndQKVOA2A; Jacobs et al., arXiv:2309.14509)
#pragma once

#include "model/core/operation.h"

namespace plimsoll {

struct HeadExchange {
    Part part = Part::attention;
    Label of;            ///< the tensor before and behind
    Traced repeated{1};  ///< copies of each key-value head

    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto given = tape.at(of);
        const N elements = repeated.value() > 1 ? given.elements * as<N>(repeated) : given.elements;
        tape.scratch(elements, given.dtype);
        tape.scratch_backward(elements, given.dtype);
        tape.makes(of, elements, given.dtype);
    }
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        list.push_back(elementwise("head_exchange", part, tape.at(of).elements, 0, 2));
    }
};

}  // namespace plimsoll
