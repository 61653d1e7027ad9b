// A mixture of experts: each token goes through `active` of `experts` gated feed-forward networks.
//
//     from [tokens, width] ──router──▶ top-k ──gather──▶ [tokens·k, width] ──gate, up, down──▶ ·weight ──▶ to [tokens,
//     width] saves per routed token: the gathered input, gate, its activation, up, their product, and the expert's
//     output (for the routing weight's gradient); per token the router's softmax in fp32 (transformers
//     MixtralSparseMoeBlock: index_select per expert, silu(w1)·w3, w2, times routing weight, index_add)
#pragma once

#include <optional>

#include "model/operation.h"

namespace plimsoll {

struct Experts {
    Part part = Part::experts;
    Traced experts, active, width, intermediate;
    Label from, to;
    bool bias = false;  ///< of router and experts
    bool correction_bias =
        false;  ///< a parameter per expert that only shifts the choice (elsewhere a buffer, and not counted)
    bool correction_buffer = false;  ///< the same as a buffer
    bool gated = true;               ///< gate and up, or up alone
    std::optional<Traced> hidden{};  ///< what the router sees, where the experts work in a narrower width

    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void weights(std::vector<Weight<N>>& list) const {
        const double share = active.value() / experts.value();
        list.push_back({"router", Part::router, as<N>(hidden.value_or(width)), as<N>(experts), N(1)});
        if (gated) list.push_back({"gate_proj", part, as<N>(width), as<N>(intermediate), as<N>(experts), false, share});
        list.push_back({"up_proj", part, as<N>(width), as<N>(intermediate), as<N>(experts), false, share});
        list.push_back({"down_proj", part, as<N>(intermediate), as<N>(width), as<N>(experts), false, share});
        if (correction_bias) list.push_back({"correction_bias", Part::router, N(1), as<N>(experts), N(1), true});
        if (!bias) return;
        list.push_back({"router_bias", Part::router, N(1), as<N>(experts), N(1), true});
        list.push_back({"bias", part, N(1), N(2) * as<N>(intermediate) + as<N>(width), as<N>(experts), true, share});
    }
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto given = tape.at(from);
        const Dtype compute = tape.compute(given.dtype);
        const N& tokens = tape.pass().tokens;
        const N routed = named("routed_tokens", tokens * as<N>(active));
        const N scores = tokens * as<N>(experts);
        tape.saves(from, Part::router);
        tape.saves_copy("router_softmax", Part::router, scores, Dtype::float32);
        const N narrow = routed * as<N>(width);
        const N wide = routed * as<N>(intermediate);
        if (gated)
            for (const Label name : {"gate", "gate_activated"}) tape.saves_copy(name, part, wide, compute);
        tape.saves_copy("up", part, wide, compute);
        if (tape.weight_gradients()) {  // what only the experts' own gradients need
            tape.saves_copy("gathered", part, narrow, compute);
            tape.saves_copy("product", part, wide, compute);
        }
        tape.saves_copy("expert_output", part, narrow, compute);
        if (tape.gradients()) {
            tape.casts_weight(named("router", as<N>(width) * as<N>(experts)), true);
            tape.casts_weight(named("experts", N(3) * as<N>(width) * as<N>(intermediate) * as<N>(experts)), true);
        }
        tape.scratch(scores, Dtype::float32);
        // experts run one after the other: the fullest sees at least an equal share of the routed tokens
        const N share = routed / as<N>(experts);
        tape.scratch(ceiling(share) * (N(2) * as<N>(width) + N(3) * as<N>(intermediate)), compute);
        tape.makes(to, given.elements, given.dtype);
    }
};

}  // namespace plimsoll
