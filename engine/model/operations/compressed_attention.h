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
        list.push_back({"latents", as<N>(heads.head_dim), as<N>(*heads.window)});
        if (!rate) return;
        list.push_back({"latents", named("entry_share", as<N>(heads.head_dim) / as<N>(*rate))});
        if (index_width) list.push_back({"keys", named("index_share", as<N>(*index_width) / as<N>(*rate))});
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
};

}  // namespace plimsoll
