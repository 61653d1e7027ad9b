#include <cmath>

#include "estimate/inference/llama_cpp/graph/build/builder.h"

namespace plimsoll::llama_cpp {

CacheInputs Builder::make_cache(const Size& cells, double values_width) {
    const double mask_width = context_.flash_attention && context_.rules.half_masks ? 2 : 4;
    CacheInputs inputs;
    inputs.cells = cells;
    if (context_.rules.row_indices) {
        inputs.keys = graph_.input(8, {tokens_, 1, 1, 1});
        // without flash attention values are stored transposed, element by element, all layers' as wide as the widest
        if (values_width > 0)
            inputs.values = graph_.input(8, {context_.flash_attention ? tokens_ : tokens_ * widest_values_, 1, 1, 1});
    }
    inputs.mask = graph_.input(mask_width, {cells, tokens_ / streams_, 1, streams_});
    if (context_.flash_attention) inputs.mask = narrowed(inputs.mask, mask_width);
    return inputs;
}

CacheInputs& Builder::cache_of(const std::optional<Traced>& window, double values_width) {
    const bool windowed = window && context_.window_cells > 0;
    CacheInputs& inputs = windowed ? window_ : cache_;
    if (inputs.mask == nothing) inputs = make_cache(windowed ? window_cells_ : cells_, values_width);
    return inputs;
}

void Builder::store(Id cache, Id from, Id at, double width, double row, bool transposed) {
    Id given = from, into = cache;
    if (!context_.rules.row_indices) {  // next to each other, as a copy into a part of the cache
        graph_.expand(graph_.show(Op::set_rows, cache, graph_[from].shape, {from, cache}));
        return;
    }
    if (transposed) {
        const bool strided = graph_[from].op == Op::view;
        given = strided ? graph_.make(Op::cont, {width, tokens_, 1, 1}, {from})
                        : graph_.show(Op::reshape, from, {width, tokens_, 1, 1});
        if (width < row) given = graph_.make(Op::concat, {row, tokens_, 1, 1}, {given});  // with zeros
        const Size elements = graph_[cache].shape[0] * graph_[cache].shape[1] * graph_[cache].shape[2];
        into = graph_.show(Op::reshape, cache, {1, elements, 1, 1});
        given = graph_.show(Op::reshape, given, {1, row * tokens_, 1, 1});
    } else {
        given = graph_.show(Op::view, from, {width, tokens_, 1, 1});
        if (streams_ > 1) into = graph_.show(Op::reshape, cache, {width, graph_[cache].shape[1] * streams_, 1, 1});
    }
    graph_.expand(graph_.show(Op::set_rows, cache, graph_[into].shape, {given, at, into}));
}

/// [a, b, c, d] → [a, c, b, d]
Id Builder::permuted(Id from) {
    const Shape& shape = graph_[from].shape;
    return graph_.show(Op::permute, from, {shape[0], shape[2], shape[1], shape[3]});
}

// Kernels read 16-bit caches and quantised ones.
Id Builder::narrowed(Id from, double bytes) {
    const Shape shape = graph_[from].shape;
    return bytes == 4 ? graph_.make(Op::cpy, shape, {from}, 2) : from;
}

// Multi-head latent attention: what attention gives, a latent for each head, through each head's own matrix.
Id Builder::expanded(Id from, const AttentionSizes& sizes) {
    const Shape shape = graph_[from].shape;
    const Id matrices =
        matrix({expansion_->part, expansion_->name, 1}, sizes.value_width, sizes.out_width, sizes.heads);
    return graph_.make(Op::mul_mat, {sizes.out_width, shape[1], shape[2], shape[3]}, {matrices, from});
}

// q, k and v as [width, heads, tokens or cells, streams]
Id Builder::flash(Id q, Id k, Id v, const CacheInputs& cache, const AttentionSizes& sizes) {
    q = permuted(q);
    k = narrowed(permuted(k), context_.key_bytes);
    v = narrowed(permuted(v), sizes.latent ? context_.key_bytes : context_.value_bytes);
    Id made = graph_.make(Op::flash_attention, {sizes.value_width, sizes.heads, tokens_ / streams_, streams_},
                          {q, k, v, cache.mask, sizes.sinks ? vector(sizes.heads) : nothing});
    if (sizes.latent) {
        made = permuted(expanded(permuted(made), sizes));
        made = graph_.make(Op::cont, Shape(graph_[made].shape), {made});
    }
    return graph_.show(Op::reshape, made, {sizes.heads * sizes.out_width, tokens_, 1, 1});
}

// The same in steps; v [cells, heads, width, streams], but of latents as above.
Id Builder::eager(Id q, Id k, Id v, const CacheInputs& cache, const AttentionSizes& sizes) {
    const double rows = tokens_ / streams_;
    Id scores = graph_.make(Op::mul_mat, {cache.cells, rows, sizes.heads, streams_}, {permuted(k), permuted(q)});
    if (family_.softcap) scores = graph_.same(Op::scale, {graph_.same(Op::unary, {graph_.same(Op::scale, {scores})})});
    scores = graph_.same(Op::soft_max, {scores, cache.mask, sizes.sinks ? vector(sizes.heads) : nothing});
    v = permuted(v);
    if (sizes.latent) {
        const Shape turned{cache.cells, sizes.value_width, 1, streams_};
        v = graph_.make(Op::cont, turned, {graph_.show(Op::transpose, v, turned)}, graph_[v].width);
    }
    Id made = graph_.make(Op::mul_mat, {sizes.value_width, rows, sizes.heads, streams_}, {v, scores});
    if (sizes.latent) made = expanded(made, sizes);
    made = graph_.make(Op::cont, {sizes.heads * sizes.out_width, tokens_, 1, 1}, {permuted(made)});
    if (context_.running && context_.placement.cache_on_host) graph_[made].place = on_host;
    return made;
}

// What goes into a quantised cache, and queries for it, are multiplied by a Hadamard matrix.
Id Builder::rotated(Id from, Id& matrix, double size) {
    if (matrix == nothing) matrix = graph_.input(4, {size, size, 1, 1});
    const Shape shape = graph_[from].shape, flat{size, shape[0] * shape[1] * shape[2] / size, 1, 1};
    const Id rows =
        graph_[from].op == Op::view ? graph_.make(Op::cont, flat, {from}) : graph_.show(Op::reshape, from, flat);
    return graph_.show(Op::reshape, graph_.make(Op::mul_mat, flat, {matrix, rows}), shape);
}

namespace {

constexpr double least_rotation = 64;  // columns of the smallest Hadamard matrix

bool turns(const GraphRules& rules, double bytes, double width, const AttentionSizes& sizes) {
    return rules.rotations && bytes < 2 && !sizes.latent && std::fmod(width, least_rotation) == 0;
}

}  // namespace

/// `k` and `v` are nothing in a layer that looks at what an earlier one stored.
Id Builder::attend(Id q, Id k, Id v, CacheInputs& cache, const AttentionSizes& sizes) {
    const bool stores = k != nothing,
               values_turned = turns(context_.rules, context_.value_bytes, sizes.value_width, sizes);
    if (turns(context_.rules, context_.key_bytes, sizes.key_width, sizes)) {
        double size = least_rotation;
        while (std::fmod(sizes.key_width, 2 * size) == 0) size *= 2;
        q = rotated(q, cache.key_rotation, size);
        if (stores) k = rotated(k, cache.key_rotation, size);
    }
    if (values_turned && stores) v = rotated(v, cache.value_rotation, least_rotation);
    const bool keys_first = context_.window_cells > 0;  // the graph for two caches
    graph_.expand(q);
    if (stores) {
        graph_.expand(keys_first ? k : v);
        graph_.expand(keys_first ? v : k);
        store_keys(k, cache, sizes);
        if (!sizes.latent) store_values(v, cache, sizes);
    }
    const Id keys = graph_.show(Op::view, cache.last_keys, {sizes.key_width, sizes.kv_heads, cache.cells, streams_});
    const Id values = sizes.latent ? graph_.show(Op::view, keys, {sizes.value_width, 1, cache.cells, streams_})
                                   : shown_values(cache.last_values, cache, sizes);
    q = graph_.show(Op::view, q, {sizes.key_width, sizes.heads, tokens_ / streams_, streams_});
    Id made = context_.flash_attention ? flash(q, keys, values, cache, sizes) : eager(q, keys, values, cache, sizes);
    graph_.expand(made);
    return values_turned ? rotated(made, cache.value_rotation, least_rotation) : made;
}

void Builder::store_keys(Id k, CacheInputs& cache, const AttentionSizes& sizes) {
    const double row = sizes.key_width * sizes.kv_heads;
    cache.last_keys = held(context_.key_bytes, {row, cache.cells, streams_, 1});
    store(cache.last_keys, k, cache.keys, row, row, false);
}

void Builder::store_values(Id v, CacheInputs& cache, const AttentionSizes& sizes) {
    const double width = sizes.value_width * sizes.kv_heads, row = context_.flash_attention ? width : widest_values_;
    cache.last_values = held(context_.value_bytes, {row, cache.cells, streams_, 1});
    store(cache.last_values, v, cache.values, width, row, !context_.flash_attention);
}

Id Builder::shown_values(Id stored, const CacheInputs& cache, const AttentionSizes& sizes) {
    return graph_.show(Op::view, stored,
                       context_.flash_attention ? Shape{sizes.value_width, sizes.kv_heads, cache.cells, streams_}
                                                : Shape{cache.cells, sizes.kv_heads, sizes.value_width, streams_});
}

namespace {

AttentionSizes sizes_of(const Attention& op) {
    const double head = op.head_dim.value();
    return {op.heads.value(), op.kv_heads.value(), head, head, head, op.sinks, false};
}

}  // namespace

Id Builder::prepared_queries(const Attention& op) {
    Id q = heads_of(value(op.q), op.head_dim.value(), op.heads.value());
    if (family_.scaled_queries) q = graph_.same(Op::scale, {q});
    if (family_.tempered_queries && !has_positions(op)) {
        if (temperature_ == nothing) temperature_ = graph_.input(4, {1, 1, tokens_, 1});
        q = graph_.same(Op::mul, {q, temperature_});
    }
    return q;
}

void Builder::visit(const Attention& op) {
    const AttentionSizes sizes = sizes_of(op);
    const Id q = prepared_queries(op);
    const Id k = heads_of(value(op.k), sizes.key_width, sizes.kv_heads);
    const Id v = heads_of(value(op.v), sizes.value_width, sizes.kv_heads);
    values_.set(op.to, attend(q, k, v, cache_of(op.window, sizes.value_width * sizes.kv_heads), sizes));
}

// Keys and values of the last layer that stored some: of those with a window, or of those without. An encoder's text
// is not in this graph.
void Builder::visit(const CrossAttention& op) {
    const Attention& inner = op.attention;
    if (op.source != CrossAttention::Source::none) return;
    CacheInputs& cache = inner.window && context_.window_cells > 0 ? window_ : cache_;
    const Id q = prepared_queries(inner);
    const Shape flat{inner.heads.value() * inner.head_dim.value(), tokens_, 1, 1};
    values_.set(inner.to, cache.last_keys == nothing ? graph_.show(Op::reshape, q, flat)  // no layer has stored any
                                                     : attend(q, nothing, nothing, cache, sizes_of(inner)));
}

bool Builder::has_positions(const Attention& op) const {
    for (const auto& each : block_->ops)
        if (const Rope* rope = each.as<Rope>(); rope && rope->to == op.q) return true;
    return false;
}

// Keys and values are read out of the latents: what would expand them is multiplied into queries and results.
void Builder::visit(const LatentAttention& op) {
    const double heads = op.heads.heads.value(), rank = op.latent.value(), rope = op.rope.value();
    const double nope = op.key_width.value() - rope;
    expansion_ = producer(op.kv);
    const Id q = heads_of(value(op.q), nope + rope, heads);
    const Id plain =
        graph_.show(Op::permute, graph_.show(Op::view, q, {nope, heads, tokens_, 1}), {nope, tokens_, heads, 1});
    const Id absorb = matrix({expansion_->part, expansion_->name, 0}, nope, rank, heads);
    const Id absorbed = graph_.make(Op::mul_mat, {rank, tokens_, heads, 1}, {absorb, plain});
    const Id turned = graph_.show(Op::permute, absorbed, {rank, heads, tokens_, 1});
    const Id query_rope = graph_.same(Op::rope, {graph_.show(Op::view, q, {rope, heads, tokens_, 1}), positions_});
    const Id query = graph_.make(Op::concat, {rank + rope, heads, tokens_, 1}, {turned, query_rope});
    const Id latent = value(expansion_->from);
    const Id values = graph_.show(Op::reshape, latent, {rank, 1, tokens_, 1});
    const Id both = graph_.base(value(op.k_rope));
    const Id key_rope = graph_.same(Op::rope, {graph_.show(Op::view, both, {rope, 1, tokens_, 1}), positions_});
    const Id keys = graph_.make(Op::concat, {rank + rope, 1, tokens_, 1}, {values, key_rope});
    const AttentionSizes sizes{heads, 1, rank + rope, rank, op.heads.head_dim.value(), false, true};
    values_.set(op.heads.to, attend(query, keys, values, cache_of(std::nullopt, 0), sizes));
}

}  // namespace plimsoll::llama_cpp
