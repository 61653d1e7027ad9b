#include "estimate/llama_cpp/builder.h"

namespace plimsoll::llama_cpp {

CacheInputs Builder::make_cache(double cells, double values_width) {
    const double mask_width = context_.flash_attention ? 2 : 4;
    CacheInputs inputs;
    inputs.cells = cells;
    inputs.keys = graph_.input(8, {tokens_, 1, 1, 1});
    // without flash attention values are stored transposed, element by element
    if (values_width > 0)
        inputs.values = graph_.input(8, {context_.flash_attention ? tokens_ : tokens_ * values_width, 1, 1, 1});
    inputs.mask = graph_.input(mask_width, {cells, tokens_ / streams_, 1, streams_});
    return inputs;
}

CacheInputs& Builder::cache_of(const std::optional<Traced>& window, double values_width) {
    const bool windowed = window && context_.window_cells > 0;
    CacheInputs& inputs = windowed ? window_ : cache_;
    if (inputs.mask == nothing) inputs = make_cache(windowed ? context_.window_cells : context_.cells, values_width);
    return inputs;
}

void Builder::store(Id cache, Id from, Id at, double width, bool transposed) {
    Id given = from, into = cache;
    if (transposed) {
        const bool strided = graph_[from].op == Op::view;
        given = strided ? graph_.make(Op::cont, {width, tokens_, 1, 1}, {from})
                        : graph_.show(Op::reshape, from, {width, tokens_, 1, 1});
        const double elements = graph_[cache].shape[0] * graph_[cache].shape[1] * graph_[cache].shape[2];
        into = graph_.show(Op::reshape, cache, {1, elements, 1, 1});
        given = graph_.show(Op::reshape, given, {1, width * tokens_, 1, 1});
    } else {
        given = graph_.show(Op::view, from, {width, tokens_, 1, 1});
        if (streams_ > 1) into = graph_.show(Op::reshape, cache, {width, graph_[cache].shape[1] * streams_, 1, 1});
    }
    graph_.expand(graph_.show(Op::set_rows, cache, graph_[into].shape, {given, at, into}));
}

// q [width, heads, tokens], keys and values as the cache shows them.
Id Builder::flash(Id q, Id k, Id v, const CacheInputs& cache, const AttentionSizes& sizes) {
    const auto permuted = [this](Id from) {
        const Shape& shape = graph_[from].shape;
        return graph_.show(Op::permute, from, {shape[0], shape[2], shape[1], shape[3]});
    };
    q = permuted(graph_.show(Op::view, q, {sizes.key_width, sizes.heads, tokens_ / streams_, streams_}));
    k = permuted(k);
    v = permuted(v);
    const auto narrowed = [this](Id from, double bytes) {
        const Shape shape = graph_[from].shape;
        return bytes == 4 ? graph_.make(Op::cpy, shape, {from}, 2) : from;
    };
    k = narrowed(k, context_.key_bytes);
    v = narrowed(v, sizes.latent ? context_.key_bytes : context_.value_bytes);
    Id made = graph_.make(Op::flash_attention, {sizes.value_width, sizes.heads, tokens_ / streams_, streams_},
                          {q, k, v, cache.mask, sizes.sinks ? weight() : nothing});
    if (sizes.latent) {
        made = permuted(made);
        made = graph_.make(Op::mul_mat, {sizes.out_width, tokens_ / streams_, sizes.heads, streams_}, {weight(), made});
        made = permuted(made);
        made = graph_.make(Op::cont, graph_[made].shape, {made});
    }
    return graph_.show(Op::reshape, made, {sizes.heads * sizes.out_width, tokens_, 1, 1});
}

Id Builder::eager(Id q, Id k, Id v, const CacheInputs& cache, const AttentionSizes& sizes) {
    const double rows = tokens_ / streams_;
    const auto permuted = [this](Id from, const Shape& shape) { return graph_.show(Op::permute, from, shape); };
    q = permuted(graph_.show(Op::view, q, {sizes.key_width, sizes.heads, rows, streams_}),
                 {sizes.key_width, rows, sizes.heads, streams_});
    k = permuted(k, {sizes.key_width, cache.cells, sizes.kv_heads, streams_});
    Id scores = graph_.make(Op::mul_mat, {cache.cells, rows, sizes.heads, streams_}, {k, q});
    if (dialect_.softcap) scores = graph_.same(Op::scale, {graph_.same(Op::unary, {graph_.same(Op::scale, {scores})})});
    scores = graph_.make(Op::soft_max, graph_[scores].shape, {scores, cache.mask, sizes.sinks ? weight() : nothing});
    if (sizes.latent) {
        v = permuted(v, {sizes.value_width, cache.cells, 1, streams_});
        const Shape turned{cache.cells, sizes.value_width, 1, streams_};
        v = graph_.make(Op::cont, turned, {graph_.show(Op::transpose, v, turned)}, graph_[v].width);
    } else {
        v = permuted(v, {cache.cells, sizes.value_width, sizes.kv_heads, streams_});
    }
    Id made = graph_.make(Op::mul_mat, {sizes.value_width, rows, sizes.heads, streams_}, {v, scores});
    if (sizes.latent) {
        made = graph_.make(Op::mul_mat, {sizes.out_width, rows, sizes.heads, streams_}, {weight(), made});
        // no kernel of Vulkan's repeats a matrix over the streams
        if (streams_ > 1 && context_.backend == LlamaContext::Backend::vulkan) graph_[made].place = Place::host;
    }
    made = permuted(made, {sizes.out_width, sizes.heads, rows, streams_});
    return graph_.make(Op::cont, {sizes.heads * sizes.out_width, tokens_, 1, 1}, {made});
}

Id Builder::attend(Id q, Id k, Id v, const CacheInputs& cache, const AttentionSizes& sizes) {
    const bool keys_first = context_.window_cells > 0;  // the graph for two caches
    graph_.expand(q);
    graph_.expand(keys_first ? k : v);
    graph_.expand(keys_first ? v : k);
    const double key_row = sizes.key_width * sizes.kv_heads, value_row = sizes.value_width * sizes.kv_heads;
    const Id keys = graph_.stored(context_.key_bytes, {key_row, cache.cells, streams_, 1});
    store(keys, k, cache.keys, key_row, false);
    const Id shown_keys = graph_.show(Op::view, keys, {sizes.key_width, sizes.kv_heads, cache.cells, streams_});
    Id shown_values;
    if (sizes.latent) {
        shown_values = graph_.show(Op::view, shown_keys, {sizes.value_width, 1, cache.cells, streams_});
    } else {
        const bool turned = !context_.flash_attention;
        const Id values = graph_.stored(context_.value_bytes, {value_row, cache.cells, streams_, 1});
        store(values, v, cache.values, value_row, turned);
        shown_values = graph_.show(Op::view, values,
                                   turned ? Shape{cache.cells, sizes.value_width, sizes.kv_heads, streams_}
                                          : Shape{sizes.value_width, sizes.kv_heads, cache.cells, streams_});
    }
    const Id made = context_.flash_attention ? flash(q, shown_keys, shown_values, cache, sizes)
                                             : eager(q, shown_keys, shown_values, cache, sizes);
    graph_.expand(made);
    return made;
}

void Builder::visit(const Attention& op) {
    const AttentionSizes sizes{op.heads.value(),
                               op.kv_heads.value(),
                               op.head_dim.value(),
                               op.head_dim.value(),
                               op.head_dim.value(),
                               op.sinks,
                               false};
    Id q = heads_of(value(op.q), sizes.key_width, sizes.heads);
    if (dialect_.scaled_queries) q = graph_.same(Op::scale, {q});
    if (dialect_.tempered_queries && !rotated(op)) {
        if (temperature_ == nothing) temperature_ = graph_.input(4, {1, 1, tokens_, 1});
        q = graph_.same(Op::mul, {q, temperature_});
    }
    const Id k = heads_of(value(op.k), sizes.key_width, sizes.kv_heads);
    const Id v = heads_of(value(op.v), sizes.value_width, sizes.kv_heads);
    values_.set(op.to, attend(q, k, v, cache_of(op.window, sizes.value_width * sizes.kv_heads), sizes));
}

bool Builder::rotated(const Attention& op) const {
    for (const auto& each : block_->ops)
        if (const Rope* rope = std::get_if<Rope>(&each); rope && rope->to == op.q) return true;
    return false;
}

// Keys and values are read out of the latents: what would expand them is multiplied into queries and results.
void Builder::visit(const LatentAttention& op) {
    const double heads = op.heads.heads.value(), rank = op.latent.value(), rope = op.rope.value();
    const double nope = op.key_width.value() - rope;
    const Id q = heads_of(value(op.q), nope + rope, heads);
    const Id plain =
        graph_.show(Op::permute, graph_.show(Op::view, q, {nope, heads, tokens_, 1}), {nope, tokens_, heads, 1});
    const Id absorbed = graph_.make(Op::mul_mat, {rank, tokens_, heads, 1}, {weight(), plain});
    const Id turned = graph_.show(Op::permute, absorbed, {rank, heads, tokens_, 1});
    const Id query_rope = graph_.same(Op::rope, {graph_.show(Op::view, q, {rope, heads, tokens_, 1}), positions_});
    const Id query = graph_.make(Op::concat, {rank + rope, heads, tokens_, 1}, {turned, query_rope});
    const Linear* expansion = producer(op.kv);
    const Id latent = value(expansion->from);
    const Id values = graph_.show(Op::reshape, latent, {rank, 1, tokens_, 1});
    const Id both = graph_.base(value(op.k_rope));
    const Id key_rope = graph_.same(Op::rope, {graph_.show(Op::view, both, {rope, 1, tokens_, 1}), positions_});
    const Id keys = graph_.make(Op::concat, {rank + rope, 1, tokens_, 1}, {values, key_rope});
    const AttentionSizes sizes{heads, 1, rank + rope, rank, op.heads.head_dim.value(), false, true};
    values_.set(op.heads.to, attend(query, keys, values, cache_of(std::nullopt, 0), sizes));
}

}  // namespace plimsoll::llama_cpp
