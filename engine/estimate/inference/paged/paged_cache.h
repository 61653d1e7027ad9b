/// What a cache in pages takes: of one sequence, of many, and of sequences that share pages.
///
///     a prefix that all sequences begin with    its whole pages once (prefix caching)
///     beams of one sequence                     the prompt's whole pages once, the rest for each beam
///     recurrent state                           one a sequence, and one more for each token that a draft proposes
///
/// Source: vLLM, v1/core/kv_cache_utils.py, v1/core/kv_cache_manager.py (full blocks alone are shared),
/// v1/kv_cache_interface.py (MambaSpec.num_speculative_blocks), entrypoints/llm.py (beam_search).
#pragma once

#include "estimate/inference/paged/cache_layout.h"

namespace plimsoll {

/// Tokens of one sequence in whole pages; with a window, those of the window and of the step that goes over it.
template <class N>
N paged_tokens(const InferenceInputs& inputs, const N& window) {
    N tokens = input<N>("context", inputs.request.context, inputs.context_source);
    if (value_of(window) > 0 && !(inputs.pools.used && inputs.pools.window_ratio == 0)) {
        const N step = input<N>("batch_tokens", inputs.request.batch_tokens, inputs.batch_source);
        tokens = minimum(tokens, window - N(1) + step);
    }
    if (inputs.request.context_parallel > 1)
        tokens = ceiling(tokens /
                         input<N>("context_parallel", inputs.request.context_parallel, "request: parallel.context"));
    const N page = input<N>("page_tokens", inputs.runtime->page_tokens, inputs.runtime->page_source);
    return page * ceiling(tokens / page);
}

/// The same of one sequence, with the tokens of an encoder that lie in the same pools.
template <class N>
N held_tokens(const Model& model, const InferenceInputs& inputs, const N& window) {
    const N tokens = paged_tokens<N>(inputs, window);
    const CrossAttention* source = inputs.pools.used ? fixed_source(model) : nullptr;
    return source ? tokens + as<N>(source->source_tokens) : tokens;
}

/// Elements that the cache has for one token of what a block keeps: releases of vLLM began each latent at a multiple of
/// 256 bytes (worker/cache_engine.py, 0.7.2: align_cache).
template <class N>
N elements_of_a_token(const Kept<N>& kept, const StepRules& rules, const Encoding& encoding) {
    if (rules.latent_row == 0 || kept.name != "latents") return kept.elements_per_token;
    const N unit = input<N>("elements_aligned_to", rules.latent_row * 8 / encoding.bits,
                            "vLLM 0.7: worker/cache_engine.py (align_cache)");
    return unit * ceiling(kept.elements_per_token / unit);
}

/// One of `keys`, `values`, `latents` of every sequence; `tokens_of(window)` tokens a layer.
template <class N, class TokensOf>
Bytes<N> paged_cache(const Model& model, const InferenceInputs& inputs, const Shard<N>& shard, std::string_view name,
                     TokensOf tokens_of, bool fixed_too = true) {
    const Encoding& encoding = name == "values" ? *inputs.values : *inputs.keys;
    const CrossAttention* source = inputs.pools.used ? fixed_source(model) : nullptr;
    N elements{0};
    Bytes<N> laid_out{N(0)};
    for (size_t kind = 0; kind < model.kinds.size(); ++kind)
        for (const Kept<N>& kept : held_by<N>(model.kinds[kind].block, inputs)) {
            if (kept.name != name || shard.layers[kind] == 0) continue;
            const bool fixed = value_of(kept.elements_per_sequence) > 0;
            if (fixed && !fixed_too && !source) continue;
            const N layers = layers_here<N>(model, shard, kind), tokens = tokens_of(kept.tokens_at_most);
            if (has_layout(kept, encoding, inputs)) {
                laid_out += layers * tokens * layout_bytes(kept);
                continue;
            }
            N whole = fixed ? kept.elements_per_sequence : tokens * elements_of_a_token(kept, inputs.step, encoding);
            if (fixed && source) whole = tokens * (kept.elements_per_sequence / as<N>(source->source_tokens));
            elements += layers * kept_here(kept, whole, shard, model.kinds[kind].block);
        }
    if (value_of(elements) == 0) return laid_out;
    const Bytes<N> encoded = encoding.bytes(named({name, "_elements"}, elements));
    return value_of(laid_out) == 0 ? encoded : encoded + laid_out;
}

/// One of `recurrent`, `convolution` of one sequence.
template <class N>
Bytes<N> paged_state(const Model& model, const Shard<N>& shard, std::string_view name) {
    Bytes<N> bytes{N(0)};
    for (size_t kind = 0; kind < model.kinds.size(); ++kind)
        for (const Kept<N>& kept : kept_by<N>(model.kinds[kind].block))
            if (kept.name == name && shard.layers[kind] > 0)
                bytes += layers_here<N>(model, shard, kind) *
                         ((kept.elements_per_sequence - kept.padding) / shard.tensor) * bytes_of<N>(kept.dtype);
    return bytes;
}

/// Whether anything is kept of a sequence: encoders keep nothing, and a server claims no memory for them.
inline bool keeps_cache(const Model& model) {
    for (const LayerKind& kind : model.kinds)
        if (!kept_by<double>(kind.block).empty()) return true;
    return model.kinds.empty();
}

/// Sequences that have pages of their own: beams are sequences too.
template <class N>
N held_sequences(const InferenceInputs& inputs) {
    const N sequences = input<N>("sequences", inputs.request.sequences, inputs.sequences_source);
    return inputs.request.beams == 1 ? sequences
                                     : sequences * input<N>("beams", inputs.request.beams, "request: inference.beams");
}

inline bool shares_pages(const InferenceInputs& inputs) {
    const InferenceRequest& request = inputs.request;
    return (request.beams > 1 && request.prompt > 0) || (request.shared_prefix > 0 && request.sequences > 1);
}

/// What sharing saves of one of `keys`, `values`, `latents`: whole pages that several sequences look at. A window's
/// pages are not shared, for they are given back as it moves on.
template <class N>
Bytes<N> shared_cache(const Model& model, const InferenceInputs& inputs, const Shard<N>& shard, std::string_view name) {
    const InferenceRequest& request = inputs.request;
    const N page = input<N>("page_tokens", inputs.runtime->page_tokens, inputs.runtime->page_source);
    const N sequences = input<N>("sequences", request.sequences, inputs.sequences_source);
    N tokens{0};
    if (request.sequences > 1 && request.shared_prefix > 0)
        tokens +=
            (sequences - N(1)) *
            (page *
             rounded_down(input<N>("shared_prefix", request.shared_prefix, "request: inference.shared_prefix") / page));
    if (request.beams > 1 && request.prompt > 0)
        tokens += sequences * (input<N>("beams", request.beams, "request: inference.beams") - N(1)) *
                  (page * rounded_down(input<N>("prompt", request.prompt, inputs.prompt_source) / page));
    tokens = named("tokens_shared", tokens);
    return paged_cache<N>(
        model, inputs, shard, name, [&](const N& window) { return value_of(window) > 0 ? N(0) : tokens; }, false);
}

/// Tokens of a sequence whose logits the sampler is measured with: its own and, with a draft, one that was proposed.
/// Source: vLLM, v1/worker/gpu_model_runner.py (_dummy_sampler_run).
template <class N>
N logits_of_a_sequence(const InferenceRequest& request) {
    return request.draft_tokens > 0 ? input<N>("tokens_judged", 2, "vLLM: _dummy_sampler_run, one drafted token each")
                                    : N(1);
}

/// Recurrent states that are kept of one sequence.
template <class N>
N states_of_a_sequence(const InferenceRequest& request) {
    if (!request.draft_keeps_states || request.draft_tokens == 0) return N(1);
    return N(1) + input<N>("draft_tokens", request.draft_tokens, "request: inference.draft.num_speculative_tokens");
}

}  // namespace plimsoll
