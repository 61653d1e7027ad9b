// Multi-head latent attention: keys and values of all heads come from one narrow latent a token, and one rotated piece
// of the key is shared by all heads.
//
//     q [tokens, heads·(nope+rope)]  kv [tokens, heads·(nope+value)]  k_rope [tokens, rope] ──▶ to [tokens,
//     heads·value] keeps: the latent and the rotated piece of every token, whatever num_key_value_heads says; with an
//     indexer, which picks the tokens that attention looks at, that indexer's one key a token as well
//     saves: what attention over full-width heads saves; query and key are put together anew; values are a view of kv,
//     but for flash attention, which gets them padded to the keys' width, and whose output is cut to theirs
//     (DeepSeek-V2, 2405.04434, 2.1; DeepSeek-V3.2-Exp; transformers deepseek_v3, deepseek_v32)
#pragma once

#include "model/operations/attention.h"

namespace plimsoll {

struct LatentAttention {
    Part part = Part::attention;
    Traced latent, rope, key_width;         ///< key_width: nope + rope, of one head
    std::optional<Traced> index_key_width;  ///< of the indexer's key
    Label q, kv, k_rope;
    Attention heads;  ///< over `q_rotated`, `k_whole` and `v`, its head_dim being the value's

    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
    template <class N>
    void keeps(std::vector<Kept<N>>& list) const {
        list.push_back({"latents", named("latent_width", as<N>(latent) + as<N>(rope))});
        if (!index_key_width) return;
        list.back().sparse = Kept<N>::Sparse::latents, list.back().rotated = rope.value();
        list.push_back({"keys", as<N>(*index_key_width)});
        list.back().sparse = Kept<N>::Sparse::index;
    }
    template <class N>
    void forward(Tape<N>& tape) const {
        if (index_key_width)
            tape.scratch(tape.pass().tokens * tape.pass().keys, Dtype::float32);  // the indexer's scores
        tape.enter(RecomputedModule::latent_projection, tape.step());
        const bool pads = put_together(tape);
        tape.leave(RecomputedModule::latent_projection);
        if (!pads) return heads.forward(tape);
        Attention padded = heads;
        padded.head_dim = key_width, padded.to = "attended_padded";
        padded.forward(tape);
        tape.makes(heads.to, tape.pass().tokens * (as<N>(heads.heads) * as<N>(heads.head_dim)),
                   tape.at("attended_padded").dtype);
    }
    /// A prefill computes over the heads' own keys and values. A step of one token stays with the latents: the query
    /// goes through the matrix that would have made its keys, and what is attended through that of the values (absorbed;
    /// DeepSeek-V2, 2.1.2), so that the cache alone is read.
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        const Pass<N>& pass = tape.pass();
        const bool absorbed = value_of(pass.sequence) == 1;
        const N pairs = causal_pairs(pass, N(0)), cached = named("latent_width", as<N>(latent) + as<N>(rope));
        const N width = absorbed ? cached + as<N>(latent) : as<N>(key_width) + as<N>(heads.head_dim);
        Cost<N> cost{"attention", part, CostKind::attention};
        cost.operations = N(2) * pass.batch * pairs * as<N>(heads.heads) * width;
        cost.activations = pass.tokens * as<N>(heads.heads) * (as<N>(key_width) + as<N>(heads.head_dim));
        cost.cached = pass.batch * pass.keys * cached;
        list.push_back(std::move(cost));
        if (!index_key_width) return;
        Cost<N> index{"indexer", part, CostKind::attention};
        index.operations = N(2) * pass.batch * pairs * as<N>(*index_key_width);
        index.cached = pass.batch * pass.keys * as<N>(*index_key_width);
        list.push_back(std::move(index));
    }

private:
    /// Queries, keys and values of all heads; returns whether values are padded to the keys' width.
    template <class N>
    bool put_together(Tape<N>& tape) const {
        const auto query = tape.at(q);
        const auto both = tape.at(kv);
        tape.at(k_rope);
        const N whole = tape.pass().tokens * (as<N>(heads.heads) * as<N>(key_width));
        tape.makes(heads.q, whole, tape.widened(query.dtype));  // one piece of each is rotated
        tape.makes(heads.k, whole, tape.widened(both.dtype));
        const bool pads =
            tape.options().attention == AttentionKernel::flash && key_width.value() != heads.head_dim.value();
        if (pads)
            tape.makes(heads.v, whole, both.dtype);
        else
            tape.views(heads.v, kv, tape.pass().tokens * (as<N>(heads.heads) * as<N>(heads.head_dim)));
        return pads;
    }
};

}  // namespace plimsoll
