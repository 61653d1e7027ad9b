// Softmax attention whose keys and values come from another sequence: an encoder's output, or an image's patches.
//
//     q [tokens, heads·head_dim]  k, v [source tokens, kv_heads·head_dim] ──▶ to [tokens, heads·head_dim]
//     keeps: keys and values of the source, computed once. Where the source has a fixed length (Whisper's 30 s of
//     audio) they are of fixed size; where it is a text of its own, it is taken to be as long as the context. An
//     encoder's own attention (`Source::none`) keeps nothing at all. saves: what Attention saves, a source as long as
//     the sequence being assumed (transformers EncoderDecoderCache: a self-attention and a cross-attention cache per
//     decoder layer)
#pragma once

#include "model/operations/attention.h"

namespace plimsoll {

struct CrossAttention {
    Part part = Part::attention;
    enum class Source : unsigned char { none, text, fixed };
    Attention attention;
    Source source;
    Traced source_tokens{1};  ///< where the source is fixed

    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
    template <class N>
    void keeps(std::vector<Kept<N>>& list) const {
        const N width = as<N>(attention.kv_heads) * as<N>(attention.head_dim);
        for (const Label name : {"keys", "values"}) {
            if (source == Source::text) list.push_back({name, width, N(0), N(0)});
            if (source == Source::fixed) list.push_back({name, N(0), N(0), width * as<N>(source_tokens)});
        }
    }
    template <class N>
    void forward(Tape<N>& tape) const {
        attention.forward(tape);
    }
    /// Every token looks at all of the source.
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        const N keys = source == Source::fixed ? as<N>(source_tokens) : tape.pass().keys;
        list.push_back(attention.cost_of(tape, named("pairs", tape.pass().sequence * keys), keys));
    }
};

}  // namespace plimsoll
