/// Memory of inference as transformers' generate() takes it: contiguous caches that grow, one prefill over the whole
/// prompt, logits of the last token (of all tokens in old releases).
#pragma once

#include <algorithm>

#include "estimate/inference/contiguous/queued.h"
#include "estimate/inference/inference_inputs.h"
#include "estimate/inference/loaded.h"
#include "estimate/ledger/shared_rows.h"
#include "estimate/ledger/whole_weights.h"
#include "policies/encodings/mean_bits.h"

namespace plimsoll {

template <class N>
struct InferenceSizes {
    N context, prompt, sequences, replicas;
};

/// Tokens that a cache has room for once it holds `tokens`: some grow in steps.
template <class N>
N grown(const Runtime& runtime, const N& tokens) {
    if (!capabilities.runtimes || runtime.cache_step == 1) return tokens;
    const N step = input<N>("cache_step", runtime.cache_step, runtime.page_source);
    return step * ceiling(tokens / step);
}

/// What one layer of each of the model's kinds keeps.
template <class N>
using KeptByKind = std::vector<std::vector<Kept<N>>>;

template <class N>
KeptByKind<N> kept_by_kind(const Model& model) {
    KeptByKind<N> kept;
    kept.reserve(model.kinds.size());
    for (const LayerKind& kind : model.kinds) kept.push_back(kept_by<N>(kind.block));
    return kept;
}

/// One child of `kv_cache`: what all layers keep under one name, of every sequence and token; a windowed layer its
/// window.
template <class N>
Row<N> cached(const Ledger<N>& ledger, const Model& model, const KeptByKind<N>& all, const InferenceInputs& inputs,
              const InferenceSizes<N>& sizes, RowId::Known id) {
    Row<N> child{id, Basis::exact, std::vector<Cell<N>>(ledger.phases.size())};
    const Encoding& encoding = id == RowId::values ? *inputs.values : *inputs.keys;
    const std::string_view name = child.id.text();
    for (const size_t phase : {inference_phase::prefill, inference_phase::decode}) {
        const bool growing = phase == inference_phase::prefill && !inputs.request.static_cache;
        const N& tokens = growing ? sizes.prompt : sizes.context;
        N elements{0};
        for (size_t kind = 0; kind < all.size(); ++kind)
            for (const Kept<N>& kept : all[kind]) {
                if (kept.name != name) continue;
                const N layers = as<N>(model.kinds[kind].count);
                const bool window = value_of(kept.tokens_at_most) > 0;
                if (value_of(kept.elements_per_sequence) > 0)
                    elements += layers * kept.elements_per_sequence;  // of a source of fixed length
                else
                    elements += layers *
                                (window ? minimum(tokens, kept.tokens_at_most) : grown<N>(*inputs.runtime, tokens)) *
                                kept.elements_per_token;
            }
        const N stored = named({name, "_elements"}, sizes.sequences * elements);
        child.cells[phase] = exactly<N>({"kv_cache.", name}, sizes.replicas * encoding.bytes(stored));
    }
    return child;
}

/// One child of `state`: recurrent or convolution state of every layer and sequence, whatever the context.
template <class N>
Row<N> state(const Ledger<N>& ledger, const Model& model, const KeptByKind<N>& all, const InferenceSizes<N>& sizes,
             RowId::Known id) {
    Row<N> child{id, Basis::exact, std::vector<Cell<N>>(ledger.phases.size())};
    const std::string_view name = child.id.text();
    Bytes<N> bytes{N(0)};
    for (size_t kind = 0; kind < all.size(); ++kind)
        for (const Kept<N>& kept : all[kind])
            if (kept.name == name)
                bytes += as<N>(model.kinds[kind].count) * (kept.elements_per_sequence * bytes_of<N>(kept.dtype));
    for (const size_t phase : {inference_phase::prefill, inference_phase::decode})
        child.cells[phase] = exactly<N>({"state.", name}, sizes.replicas * (sizes.sequences * bytes));
    return child;
}

/// `kv_cache` and `state`, as far as the model has them.
template <class N>
void add_memory(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs, const InferenceSizes<N>& sizes) {
    const KeptByKind<N> all = kept_by_kind<N>(model);
    const auto add = [&ledger](RowId::Known id, const auto& child_of, std::initializer_list<RowId::Known> names) {
        std::vector<Row<N>> children;
        for (const RowId::Known name : names)
            if (Row<N> child = child_of(name); value_of(child.cells[inference_phase::decode].bytes) != 0)
                children.push_back(std::move(child));
        if (children.empty()) return;
        Row<N>& row = ledger.add(id, Basis::exact);
        row.children = std::move(children);
        sum_children(row);
    };
    add(RowId::kv_cache, [&](RowId::Known name) { return cached(ledger, model, all, inputs, sizes, name); },
        {RowId::keys, RowId::values, RowId::latents});
    add(RowId::state, [&](RowId::Known name) { return state(ledger, model, all, sizes, name); },
        {RowId::recurrent, RowId::convolution});
}

/// The pass that one step makes over `tokens_each` tokens of every sequence, `keys` tokens being in reach of attention.
template <class N>
Pass<N> inference_pass(const Model& model, const InferenceInputs& inputs, const InferenceSizes<N>& sizes,
                       const N& tokens_each, const N& keys) {
    PassOptions options;
    if (inputs.release > 0 && inputs.release < 5000) options.experts = ExpertsKernel::loop;
    options.numerics = {inputs.compute, inputs.compute, false, inputs.fp16};
    options.product = inputs.weights->product;
    const bool flash =
        inputs.request.flash_attention && !(inputs.runtime->queued.buffers > 0 && attends_in_steps(model));
    options.attention = flash ? AttentionKernel::flash : AttentionKernel::eager;
    return {sizes.sequences, tokens_each, keys, named("tokens_computed", sizes.sequences * tokens_each), options};
}

/// Keys and values of a decoding step that are there twice: each layer's are copied into longer ones (DynamicCache,
/// torch.cat), and the old ones are freed layer by layer; before 4.45 when the whole step was done (from_legacy_cache).
template <class N>
Bytes<N> cache_copied(const Model& model, const InferenceInputs& inputs, const InferenceSizes<N>& sizes) {
    if (inputs.request.static_cache) return {N(0)};
    const bool old_release = inputs.request.logits_all;  // the head over every position went with it
    Bytes<N> copied{N(0)};
    for (const LayerKind& kind : model.kinds)
        for (const Kept<N>& kept : kept_by<N>(kind.block)) {
            if (value_of(kept.elements_per_token) == 0) continue;
            const bool window = value_of(kept.tokens_at_most) > 0;
            const Encoding& encoding = kept.name == "values" ? *inputs.values : *inputs.keys;
            const N elements =
                sizes.sequences *
                ((window ? minimum(sizes.context, kept.tokens_at_most) : sizes.context) * kept.elements_per_token);
            const Bytes<N> bytes = encoding.bytes(named({kept.name, "_of_a_layer"}, elements));
            if (old_release)
                copied += as<N>(kind.count) * bytes;
            else if (value_of(bytes) > value_of(copied))
                copied = bytes;
        }
    return {named("cache_being_copied", copied.n)};
}

/// cos and sin of the pass's positions, which all layers share.
template <class N>
Bytes<N> rotation_of(const Model& model, const Pass<N>& pass) {
    for (const LayerKind& kind : model.kinds) {
        bool rotary = false;
        for (const Op& op : kind.block.ops) {
            rotary = rotary || op.is<Rope>();
            if (const Attention* attention = op.as<Attention>(); attention && rotary)
                return {named("rotation", N(2) * pass.tokens * as<N>(attention->head_dim)) *
                        bytes_of<N>(Dtype::sixteen_bit).n};
        }
    }
    return {N(0)};
}

/// What is alive at the fullest moment inside the widest layer; the model's forward() still holds the embeddings it
/// began with.
template <class N>
Bytes<N> inside_a_layer(const Model& model, const Pass<N>& pass, const N& hidden, const Bytes<N>& stream) {
    Bytes<N> widest{N(0)};
    for (const LayerKind& kind : model.kinds)
        if (const Bytes<N> peak = run<N>(kind.block, pass, hidden).forward_peak().alive;
            value_of(peak) > value_of(widest))
            widest = peak;
    return Bytes<N>{named("embeddings_held", stream.n) + widest.n} + rotation_of<N>(model, pass);
}

/// Bytes of the largest tensor that a layer makes.
template <class N>
double largest_in_a_layer(const Model& model, const Pass<N>& pass, const N& hidden) {
    double largest = 0;
    for (const LayerKind& kind : model.kinds)
        run<N>(kind.block, pass, hidden).forward_lives([&largest](const typename Tape<N>::Life& life) {
            largest = maximum(largest, value_of(life.elements) * value_of(bytes_of<N>(life.dtype)));
        });
    return largest;
}

/// What stays cached when logits of a whole prompt follow the layers: a copy in each type that is larger than any block
/// of theirs is made beside these, which the allocator keeps. (CUDACachingAllocator: a block is cut, never joined
/// with another segment's)
template <class N>
Bytes<N> cached_at_head(const Bytes<N>& in_layer, const Bytes<N>& allocated, const N& logits, double largest,
                        Dtype compute) {
    Bytes<N> reserved = in_layer;
    for (const Dtype type : {compute, Dtype::float32})
        if (const Bytes<N> copy = logits * bytes_of<N>(type); value_of(copy) > largest) reserved += copy;
    return {maximum(N(0), (reserved - allocated).n)};
}

/// What one pass has alive at its two fullest moments: inside the widest layer, and at the vocabulary head, the logits
/// apart.
template <class N>
struct PassMoments {
    Bytes<N> in_layer, at_head, logits{N(0)};

    bool head_is_fuller() const { return value_of(at_head) + value_of(logits) > value_of(in_layer); }
};

template <class N>
PassMoments<N> moments_of(const Model& model, const InferenceInputs& inputs, const InferenceSizes<N>& sizes,
                          const Pass<N>& pass, bool prefill) {
    const N hidden = as<N>(*model.hidden_size);
    const bool all = inputs.request.logits_all;
    const Bytes<N> stream = pass.tokens * hidden * bytes_of<N>(inputs.compute);
    PassMoments<N> at{inside_a_layer<N>(model, pass, hidden, stream), stream};
    if (prefill) {
        const Bytes<N> queued = queued_work<N>(model, inputs, pass.tokens, hidden);
        if (value_of(queued) > value_of(at.in_layer)) at.in_layer = queued;
    } else {
        const Bytes<N> copied = cache_copied<N>(model, inputs, sizes);
        at.in_layer += copied;
        if (all) at.at_head += copied;
    }
    if (model.vocab_size)
        at.logits = (prefill && all ? pass.tokens : sizes.sequences) * as<N>(*model.vocab_size) *
                    Bytes<N>{bytes_of<N>(inputs.compute).n + bytes_of<N>(Dtype::float32).n};
    return at;
}

/// No row for logits that are made when less is alive.
template <class N>
void drop_empty_logits(Ledger<N>& ledger) {
    const Row<N>& logits = ledger.rows.back();
    for (const size_t phase : {inference_phase::prefill, inference_phase::decode})
        if (value_of(logits.cells[phase].bytes) != 0) return;
    ledger.rows.pop_back();
}

/// `activations` and `logits` at the fuller of two moments: inside the widest layer, or at the vocabulary head, when of
/// the body only its last norm's output is left.
template <class N>
std::vector<Bytes<N>> add_step(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs,
                               const InferenceSizes<N>& sizes) {
    std::vector<Bytes<N>> cached(ledger.phases.size(), Bytes<N>{N(0)});
    if (!model.hidden_size || model.kinds.empty()) return cached;
    ledger.add(RowId::activations, Basis::modelled);
    if (model.vocab_size) ledger.add(RowId::logits, Basis::modelled);
    Row<N>& activations = ledger.rows[ledger.rows.size() - (model.vocab_size ? 2 : 1)];
    for (const size_t phase : {inference_phase::prefill, inference_phase::decode}) {
        const bool prefill = phase == inference_phase::prefill;
        const N tokens_each = prefill ? prompt_at_once<N>(inputs, sizes.prompt) : N(1);
        const Pass<N> pass =
            inference_pass<N>(model, inputs, sizes, tokens_each, prefill ? sizes.prompt : sizes.context);
        const PassMoments<N> at = moments_of<N>(model, inputs, sizes, pass, prefill);
        const bool fuller = at.head_is_fuller();
        if (prefill && inputs.request.logits_all && model.vocab_size)
            cached[phase] =
                sizes.replicas * cached_at_head<N>(at.in_layer, fuller ? at.at_head + at.logits : at.in_layer,
                                                   pass.tokens * as<N>(*model.vocab_size),
                                                   largest_in_a_layer<N>(model, pass, as<N>(*model.hidden_size)),
                                                   inputs.compute);
        activations.cells[phase] = estimated<N>("activations", sizes.replicas * (fuller ? at.at_head : at.in_layer));
        if (model.vocab_size && fuller)
            ledger.rows.back().cells[phase] = estimated<N>("logits", sizes.replicas * at.logits);
    }
    if (model.vocab_size) drop_empty_logits(ledger);
    return cached;
}

template <class N>
Ledger<N> contiguous_ledger(const Model& model, const InferenceInputs& inputs) {
    const InferenceRequest& request = inputs.request;
    InferenceSizes<N> sizes;
    sizes.context = input<N>("context", request.context, inputs.context_source);
    sizes.prompt = request.prompt > 0 ? input<N>("prompt", request.prompt, inputs.prompt_source) : sizes.context;
    sizes.sequences = input<N>("sequences", request.sequences, inputs.sequences_source);
    if (request.beams > 1)  // each beam is a sequence from the prefill on, with a copy of the prompt's cache
        sizes.sequences = sizes.sequences * input<N>("beams", request.beams, "request: inference.beams");
    sizes.replicas =
        request.replicas == 1 ? N(1) : input<N>("replicas", request.replicas, "request: inference.replicas");
    Ledger<N> ledger;
    ledger.phases = inference_phase::names();
    ledger.rows.reserve(8);
    add_whole_weights<N>(ledger, model, inputs, sizes.replicas);
    add_memory<N>(ledger, model, inputs, sizes);
    const std::vector<Bytes<N>> cached = add_step<N>(ledger, model, inputs, sizes);
    add_workspace<N>(ledger, inputs.device, *inputs.runtime, inputs.request.framework, sizes.replicas);
    add_loaded<N>(ledger, model, inputs.loaded, *inputs.runtime, inputs.release, sizes.replicas);
    add_overhead<N>(ledger, inputs.device, *inputs.runtime, request.framework, sizes.replicas, 0.02, cached);
    return ledger;
}

}  // namespace plimsoll
