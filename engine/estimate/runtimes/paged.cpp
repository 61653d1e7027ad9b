#include "estimate/runtimes/paged.h"

namespace plimsoll {
namespace {

Span of_row(const Ledger<double>& ledger, std::string_view id, std::string_view child = {}) {
    for (const Row<double>& row : ledger.rows) {
        if (row.id != id) continue;
        const Cell<double>* cell = child.empty() ? &row.cells.back() : nullptr;
        for (const Row<double>& each : row.children)
            if (each.id == child) cell = &each.cells.back();
        if (cell) return {cell->bytes.n, cell->low, cell->high};
    }
    return {};
}

// What is taken from the share before the cache gets the rest.
Span beside_cache(const Ledger<double>& ledger, FractionOf of) {
    Span sum;
    const auto add = [&sum](const Span& span) { sum.bytes += span.bytes, sum.low += span.low, sum.high += span.high; };
    add(of_row(ledger, "weights"));
    if (of == FractionOf::available) return sum;  // the step's memory comes out of what is not claimed
    add(of_row(ledger, "activations"));
    add(of_row(ledger, "logits"));
    add(of_row(ledger, "workspace", "library"));
    add(of_row(ledger, "communication"));
    if (of == FractionOf::total) return sum;
    add(of_row(ledger, "workspace", "captured_graphs"));
    add(of_row(ledger, "device_context"));
    return sum;
}

double at_least_zero(double value) { return maximum(0, rounded_down(value)); }

// Bytes of the cache for one sequence, `tokens` of it in every layer, or what its window needs.
double cache_bytes(const Model& model, const InferenceInputs& inputs, const Shard<double>& shard, double tokens,
                   bool with_windows) {
    double bytes = 0;
    for (const char* name : {"keys", "values", "latents"})
        bytes += paged_cache<double>(model, inputs, shard, name, [&](double window) {
                     return with_windows && window > 0 ? paged_tokens<double>(inputs, window) : tokens;
                 }).n;
    return bytes;
}

bool has_windows(const Model& model) {
    for (const LayerKind& kind : model.kinds)
        for (const Kept<double>& kept : kept_by<double>(kind.block))
            if (kept.tokens_at_most > 0) return true;
    return false;
}

}  // namespace

Capacity paged_capacity(const Model& model, const InferenceInputs& inputs, const Shard<double>& shard,
                        const Ledger<double>& ledger) {
    const FractionOf of = inputs.runtime->fraction_of;
    const double fraction = inputs.request.memory_fraction, memory = value_of(inputs.device->usable<double>());
    const Span context = of_row(ledger, "device_context"), beside = beside_cache(ledger, of);
    Capacity capacity;
    if (of == FractionOf::free) {
        const double free = memory - beside.bytes;
        capacity.bytes = {at_least_zero(fraction * free), at_least_zero(fraction * (memory - beside.high)),
                          at_least_zero(fraction * (memory - beside.low))};
        capacity.claimed = beside.bytes + capacity.bytes.bytes;
    } else {
        const double base = of == FractionOf::total ? memory : memory - context.bytes;
        capacity.claimed = at_least_zero(fraction * base);
        capacity.bytes = {at_least_zero(capacity.claimed - beside.bytes), at_least_zero(capacity.claimed - beside.high),
                          at_least_zero(capacity.claimed - beside.low)};
    }
    const double page = inputs.runtime->page_tokens, one = cache_bytes(model, inputs, shard, page, false);
    const double sequence = cache_bytes(model, inputs, shard, paged_tokens<double>(inputs, 0), true);
    if (one <= 0 || sequence <= 0) return capacity;
    capacity.sequences = capacity.bytes.bytes / sequence;
    capacity.kv_tokens = has_windows(model) ? rounded_down(capacity.sequences * inputs.request.context)
                                            : page * rounded_down(capacity.bytes.bytes / one);
    return capacity;
}

std::optional<Capacity> paged_capacity(const Model& model, const InferenceInputs& inputs) {
    if (!inputs.device || inputs.request.memory_fraction <= 0) return std::nullopt;
    std::optional<Capacity> least;
    for (size_t stage = 0; stage < static_cast<size_t>(inputs.request.pipeline); ++stage) {
        const Shard<double> shard = shard_of<double>(model, inputs.request, stage);
        const Capacity here = paged_capacity(model, inputs, shard, paged_ledger<double>(model, inputs, shard));
        if (!least || here.kv_tokens < least->kv_tokens) least = here;
    }
    return least;
}

}  // namespace plimsoll
