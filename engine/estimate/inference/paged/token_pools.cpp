#include "estimate/inference/paged/token_pools.h"

#include "estimate/inference/companions.h"
#include "estimate/inference/paged/paged_beside.h"

namespace plimsoll {
namespace {

// A ring of vectors and gates in fp32 for each page of windows, as long as its entries look back; drafts double it.
double ring_bytes(const CompressedAttention& attention, const InferenceInputs& inputs) {
    if (!attention.rate) return 0;
    constexpr double vector_and_gate = 2, fp32 = 4;
    const double series = attention.series.value(), twice = inputs.request.draft_tokens > 0 ? 2 : 1;
    const double width =
        attention.heads.head_dim.value() + (attention.index_width ? attention.index_width->value() : 0);
    const double ring = series * attention.rate->value() * twice / attention.heads.window->value();
    return ring * vector_and_gate * series * width * fp32;
}

// Of one token in one layer; `ratio`: tokens that a layer with a window holds for each of the others'.
double layer_token_bytes(const Block& block, const InferenceInputs& inputs, const Shard<double>& shard,
                         const CrossAttention* source) {
    const double ratio = inputs.pools.window_ratio;
    double bytes = 0;
    for (Kept<double> kept : held_by<double>(block, inputs)) {
        if (kept.name == "recurrent" || kept.name == "convolution") continue;
        if (kept.elements_per_sequence > 0 && source)
            kept.elements_per_token = kept.elements_per_sequence / source->source_tokens.value();
        const double held = kept.tokens_at_most > 0 && ratio > 0 ? ratio : 1;
        bytes += held * token_bytes(kept, inputs, shard, block).n;
    }
    for (const Op& op : block.ops)
        if (const CompressedAttention* compressed = op.as<CompressedAttention>())
            bytes += ratio * ring_bytes(*compressed, inputs);
    return bytes;
}

double model_token_bytes(const Model& model, const InferenceInputs& inputs, const Shard<double>& shard) {
    const CrossAttention* source = fixed_source(model);
    double bytes = 0, window = 0;
    for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
        const Block& block = model.kinds[kind].block;
        bytes += shard.layers[kind] * layer_token_bytes(block, inputs, shard, source);
        for (const Kept<double>& kept : kept_by<double>(block))
            if (kept.tokens_at_most > 0) window = token_bytes(kept, inputs, shard, block).n;
    }
    return bytes + (shard.last ? inputs.pools.idle_layers * inputs.pools.window_ratio * window : 0);
}

// What a running sequence holds in layers with windows: a prompt's part is there while it is computed alone.
double window_tokens(const Model& model, const InferenceInputs& inputs) {
    double window = 0;
    for (const LayerKind& kind : model.kinds)
        for (const Kept<double>& kept : kept_by<double>(kind.block)) window = maximum(window, kept.tokens_at_most);
    return minimum(window, inputs.request.context);
}

}  // namespace

PoolCapacity pool_capacity(const Model& model, const InferenceInputs& inputs, const Shard<double>& shard,
                           double bytes) {
    PoolCapacity capacity;
    const PoolChoice& pools = inputs.pools;
    const double state =
        paged_state<double>(model, shard, "recurrent").n + paged_state<double>(model, shard, "convolution").n;
    double token = model_token_bytes(model, inputs, shard), drafted = 0, slots = 0;
    if (inputs.companions && shard.last)
        for (const Companion& companion : inputs.companions->models)
            drafted += model_token_bytes(*companion.model, *companion.inputs, whole_shard(*companion.model, shard));
    if (!pools.drafts_beyond) token += drafted;
    if (state > 0 && pools.state_ratio > 0 && token > 0) {
        capacity.share = 1 / (1 + pools.state_ratio);
        slots = rounded_down(bytes * pools.state_ratio * capacity.share / state);
    }
    capacity.bytes = bytes - slots * state;
    if (token <= 0) return capacity;
    const double page = inputs.runtime->page_tokens;
    capacity.tokens = page * rounded_down(capacity.bytes / token / page);
    if (pools.drafts_beyond) capacity.beyond = capacity.tokens * drafted;
    capacity.sequences = capacity.tokens / held_tokens<double>(model, inputs, 0);
    const double window = pools.window_ratio > 0 ? window_tokens(model, inputs) : 0;
    if (window > 0) capacity.sequences = minimum(capacity.sequences, capacity.tokens * pools.window_ratio / window);
    if (slots > 0) capacity.sequences = minimum(capacity.sequences, rounded_down(slots / pools.states_of_a_sequence));
    return capacity;
}

}  // namespace plimsoll
