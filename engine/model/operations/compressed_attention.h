// Attention with one key-value head, whose keys serve as values: over a window of single tokens, and over entries that
// each stand for `rate` tokens.
//
//     q [tokens, heads·head_dim]  kv [tokens, head_dim]  compressed [tokens, series·head_dim] ──▶ to [tokens,
//     heads·head_dim]
//     keeps: one vector a token of the window, one an entry of the whole context; with an indexer, which picks entries,
//     its key an entry as well
//     saves: what attention over full-width heads saves, and what is softmaxed into entries: vectors and gates
//     (DeepSeek-V4, 2.3; transformers deepseek_v4: DeepseekV4HCACache, DeepseekV4CSACache)
#pragma once

#include "model/operations/attention.h"

namespace plimsoll {

struct CompressedAttention {
    Part part = Part::attention;
    Attention heads;                    ///< over `q_rotated` and the one key-value head, within the window
    std::optional<Traced> rate;         ///< tokens an entry; absent: the window alone
    Traced series{1};                   ///< vectors that a token gives: to its own entry, and to the next
    std::optional<Traced> index_width;  ///< of the indexer's key
    double rotated = 0;                 ///< elements of an entry that are rotated
    Label compressed, gate;

    template <class N>
    void weights(std::vector<Weight<N>>& list) const {
        heads.weights(list);
        if (!rate) return;
        N width = as<N>(series) * as<N>(heads.head_dim);
        if (index_width) width = width + as<N>(series) * as<N>(*index_width);
        list.push_back({"position_bias", part, as<N>(*rate), width, N(1), true});
    }
    template <class N>
    void keeps(std::vector<Kept<N>>& list) const {
        using Sparse = typename Kept<N>::Sparse;
        list.push_back({"latents", as<N>(heads.head_dim), as<N>(*heads.window)});
        list.back().sparse = Sparse::entries, list.back().rotated = rotated;
        if (!rate) return;
        const N every = as<N>(*rate);
        list.push_back({"latents", named("entry_share", as<N>(heads.head_dim) / every)});
        list.back().sparse = Sparse::entries, list.back().rotated = rotated / rate->value();
        list.back().entries_per_token = 1 / rate->value();
        if (!index_width) return;
        list.push_back({"keys", named("index_share", as<N>(*index_width) / every)});
        list.back().sparse = Sparse::index;
    }
    template <class N>
    void forward(Tape<N>& tape) const {
        if (rate) {
            tape.at(compressed), tape.at(gate);
            tape.saves(compressed, part);
            tape.saves(gate, part);
            const N scored = index_width ? N(1) : as<N>(heads.heads);
            tape.scratch(scored * (tape.pass().tokens * tape.pass().keys) / as<N>(*rate), Dtype::float32);
        }
        heads.forward(tape);
    }
    /// Over the window's tokens, and over the entries of all before; an indexer's own scores besides.
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        heads.costs(tape, list);
        list.back().cached = list.back().cached / N(2);  // keys serve as values
        if (!rate) return;
        const N pairs = causal_pairs(tape.pass(), N(0)) / as<N>(*rate), keys = tape.pass().keys / as<N>(*rate);
        Cost<N> entries = heads.cost_of(tape, named("entry_pairs", pairs), named("entries", keys));
        entries.name = "entries";
        entries.cached = entries.cached / N(2);
        list.push_back(std::move(entries));
        if (!index_width) return;
        Cost<N> index{"indexer", part, CostKind::attention};
        index.operations = N(2) * tape.pass().batch * pairs * as<N>(*index_width);
        index.cached = tape.pass().batch * keys * as<N>(*index_width);
        list.push_back(std::move(index));
    }
};

}  // namespace plimsoll
