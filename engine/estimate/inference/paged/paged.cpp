#include "estimate/inference/paged/paged.h"

#include "estimate/inference/paged/page_groups.h"
#include "estimate/inference/paged/token_pools.h"

namespace plimsoll {
namespace {

double at_least_zero(double value) { return maximum(0, rounded_down(value)); }

// Bytes of the cache for one sequence, `tokens` of it in every layer, or what its window needs.
double cache_bytes(const Model& model, const InferenceInputs& inputs, const Shard<double>& shard, double tokens,
                   bool with_windows) {
    double bytes = 0;
    if (inputs.companions && shard.last)
        for (const Companion& companion : inputs.companions->models)
            bytes += cache_bytes(*companion.model, *companion.inputs, whole_shard(*companion.model, shard), tokens,
                                 with_windows);
    for (const char* name : {"keys", "values", "latents"})
        bytes += paged_cache<double>(model, inputs, shard, name, [&](double window) {
                     return with_windows && window > 0 ? paged_tokens<double>(inputs, window) : tokens;
                 }).n;
    return bytes;
}

// Layers that keep no more of a sequence than they do: how many tokens fit follows from whole sequences.
bool has_limits(const Model& model) {
    for (const LayerKind& kind : model.kinds)
        for (const Kept<double>& kept : kept_by<double>(kind.block))
            if (kept.tokens_at_most > 0 ||
                (kept.elements_per_sequence > 0 && kept.name != "recurrent" && kept.name != "convolution"))
                return true;
    return false;
}

// By how much other releases' shares of `base` bytes differ.
void add_spread(Capacity& capacity, const InferenceInputs& inputs, double base) {
    const double fraction = inputs.request.memory_fraction;
    capacity.less = maximum(0, (fraction - inputs.least_fraction) * base);
    capacity.more = maximum(0, (inputs.most_fraction - fraction) * base);
}

// What a device's share leaves for the cache.
Capacity room_for_cache(const InferenceInputs& inputs, const BesideCache& beside, double context) {
    const FractionOf of = inputs.runtime->fraction_of;
    const Device& device = *inputs.device;
    const Bytes<double> there = of == FractionOf::total ? device.shared_out<double>() : device.usable<double>();
    const double fraction = inputs.request.memory_fraction, memory = value_of(there);
    Capacity capacity;
    if (of == FractionOf::free) {
        capacity.share = fraction;
        capacity.bytes.bytes = at_least_zero(fraction * (memory - beside.bytes));
        capacity.claimed = beside.bytes + capacity.bytes.bytes;
    } else {
        const double base = of == FractionOf::total ? memory : memory - context;
        capacity.claimed = at_least_zero(fraction * base);
        capacity.bytes.bytes = at_least_zero(capacity.claimed - beside.bytes);
        if (of == FractionOf::available) capacity.context_share = fraction;
    }
    if (inputs.most_fraction > 0) add_spread(capacity, inputs, of == FractionOf::free ? memory - beside.bytes : memory);
    return capacity;
}

void fill_pools(Capacity& capacity, const Model& model, const InferenceInputs& inputs, const Shard<double>& shard) {
    const PoolCapacity pools = pool_capacity(model, inputs, shard, capacity.bytes.bytes);
    capacity.bytes.bytes = at_least_zero(pools.bytes);
    capacity.claimed += pools.beyond;
    capacity.share = pools.share;
    capacity.kv_tokens = pools.tokens;
    capacity.sequences = pools.sequences;
    capacity.by_sequences = pools.share < 1 || inputs.pools.window_ratio > 0;
}

}  // namespace

LayerBytes layer_bytes(const Model& model, const InferenceInputs& inputs, const Shard<double>& shard) {
    LayerBytes bytes;
    size_t index = weights_of<double>(model.embedding).size();
    for (size_t kind = 0; kind < model.kinds.size(); ++kind)
        for (const Weight<double>& weight : weights_of<double>(model.kinds[kind].block)) {
            const Encoding* encoding = inputs.weights;
            for (const StoredWeight& stored : inputs.mix.weights)
                if (stored.weight == index) encoding = stored.encoding;
            ++index;
            const double one =
                encoding->bytes(divided(weight, weight.elements(), model, shard, model.kinds[kind].block)).n;
            bytes.all += shard.layers[kind] * one;
            if (shard.layers[kind] > 0) bytes.largest = maximum(bytes.largest, one);
        }
    return bytes;
}

Capacity paged_capacity(const Model& model, const InferenceInputs& inputs, size_t stage, BesideCache beside,
                        double context) {
    const Shard<double> shard = shard_of<double>(model, inputs.request, stage);
    Capacity capacity = room_for_cache(inputs, beside, context);
    capacity.beside = std::move(beside.rows);
    capacity.device = stage;
    if (inputs.pools.used) {
        fill_pools(capacity, model, inputs, shard);
        return capacity;
    }
    const auto groups = inputs.step.grouped_pages ? page_groups(model, inputs, shard) : std::nullopt;
    if (groups) {
        const double pages = rounded_down(capacity.bytes.bytes / groups->page_bytes / groups->layers);
        capacity.sequences = pages / groups->pages_of_sequence;
        capacity.kv_tokens = rounded_down(capacity.sequences * inputs.request.context);
        return capacity;
    }
    const double page = inputs.runtime->page_tokens, one = cache_bytes(model, inputs, shard, page, false);
    const double sequence = cache_bytes(model, inputs, shard, paged_tokens<double>(inputs, 0), true);
    if (one <= 0 || sequence <= 0) return capacity;
    capacity.sequences = capacity.bytes.bytes / sequence;
    capacity.kv_tokens = has_limits(model) ? rounded_down(capacity.sequences * inputs.request.context)
                                           : page * rounded_down(capacity.bytes.bytes / one) *
                                                 inputs.request.context_parallel;  // each device has its share
    return capacity;
}

}  // namespace plimsoll
