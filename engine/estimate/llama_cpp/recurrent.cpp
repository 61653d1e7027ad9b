#include "estimate/llama_cpp/builder.h"

namespace plimsoll::llama_cpp {

// The state of each sequence, cleared, and copied to where the batch's sequences stand; what scans reads it itself.
Id Builder::state_rows(Id cache, double size, Id& states) {
    if (state_from_ == nothing) {
        const Id places = graph_.input(4, {sequences_, 1, 1, 1});
        state_from_ = graph_.show(Op::view, places, {sequences_, 1, 1, 1});
        state_rest_ = graph_.show(Op::view, places, {0, 1, 1, 1});
    }
    states = graph_.show(Op::reshape, cache, {size, sequences_, 1, 1});
    graph_.expand(graph_.same_view(Op::scale, graph_.show(Op::view, states, {size, 1, 1, 1})));
    return graph_.make(Op::get_rows, {size, sequences_, 1, 1}, {states, state_from_});
}

// States of sequences outside the batch: none here, but the nodes are there.
void Builder::copy_rest(Id cache, double size, Id states) {
    const Id rest = graph_.make(Op::get_rows, {size, 0, 1, 1}, {states, state_rest_});
    copy_into(graph_.show(Op::view, cache, {size, 0, 1, 1}), rest);
}

void Builder::copy_into(Id shown, Id from) {
    graph_.expand(graph_.show(Op::cpy, shown, graph_[shown].shape, {from, shown}));
}

// given [channels, tokens] behind the last kernel − 1 inputs of each sequence; `convolve` makes the product of it.
Id Builder::extend(double channels, double kernel, Id& cache) {
    const double size = (kernel - 1) * channels;
    cache = graph_.stored(4, {size, sequences_, 1, 1});
    Id states;
    const Id rows = state_rows(cache, size, states);
    graph_.expand(rows);
    copy_rest(cache, size, states);
    const Id shown = graph_.show(Op::reshape, rows, {kernel - 1, channels, sequences_, 1});
    graph_.expand(shown);
    return shown;
}

Id Builder::joined(Id before, Id given, Id cache, double channels, double kernel) {
    const double each = tokens_ / sequences_;
    const Id turned = graph_.show(Op::transpose, given, {each, channels, sequences_, 1});
    const Id all = graph_.make(Op::concat, {kernel - 1 + each, channels, sequences_, 1}, {before, turned});
    const Id last = graph_.show(Op::view, all, {kernel - 1, channels, sequences_, 1});
    copy_into(graph_.show(Op::view, cache, {(kernel - 1) * channels * sequences_, 1, 1, 1}), last);
    return all;
}

Id Builder::convolved(Id all, double channels, bool bias) {
    Id made = graph_.make(Op::ssm_conv, {channels, tokens_ / sequences_, sequences_, 1}, {all, weight()});
    if (bias) made = sum(made, weight());
    return made;
}

// One token after the other: the result is the outputs of all tokens and, behind them, the new states.
Id Builder::scanned(Id states_cache, double size, double outputs, std::initializer_list<Id> given, Id states) {
    const Id scan = graph_.make(Op::ssm_scan, {outputs * tokens_ + size * sequences_, 1, 1, 1}, given);
    graph_.expand(scan);
    copy_rest(states_cache, size, states);
    copy_into(graph_.show(Op::view, states_cache, {size * sequences_, 1, 1, 1}),
              graph_.show(Op::view, scan, {size * sequences_, 1, 1, 1}));
    return scan;
}

void Builder::mamba(const Recurrence& op, bool second) {
    const ShortConvolution& convolution = *find<ShortConvolution>();
    const double each = tokens_ / sequences_, channels = convolution.channels.value(), inner = op.width.value();
    const double size = op.state.value();
    Id cache;
    const Id before = extend(channels, convolution.kernel.value(), cache);
    const Linear& input = *producer(mixer_input());
    Id from = value(input.from);
    if (!second) from = graph_.show(Op::reshape, from, {graph_[from].shape[0], each, sequences_, 1});
    const double width = input.out.value();
    Id projected = graph_.make(Op::mul_mat, {width, each, sequences_, 1}, {weight(), from});
    if (second) projected = graph_.show(Op::reshape, projected, {width, each, sequences_, 1});
    const Id given = graph_.show(Op::view, projected, {channels, each, sequences_, 1});
    const Id all = joined(before, given, cache, channels, convolution.kernel.value());
    const Id states_cache = graph_.stored(4, {size, sequences_, 1, 1});
    Id states;
    state_rows(states_cache, size, states);
    const Id wide = graph_.same(Op::unary, {convolved(all, channels, convolution.bias)});
    const double heads = second ? op.parameters.front().cols.value() : inner, head = inner / heads;
    const double kept = size / inner;
    Id scan, y, gate;
    const Id sixth = state_from_;
    const Id own = graph_.show(Op::reshape, states, {kept, head, heads, sequences_});
    if (second) {
        const double groups = (channels - inner) / 2 / kept;
        const Id x = graph_.show(Op::view, wide, {head, heads, each, sequences_});
        Id delta = graph_.make(Op::cont, {heads, each, sequences_, 1},
                               {graph_.show(Op::view, projected, {heads, each, sequences_, 1})});
        delta = sum(delta, weight());
        const Shape low{kept, groups, each, sequences_};
        const Id b = graph_.show(Op::view, wide, low), c = graph_.show(Op::view, wide, low);
        scan = scanned(states_cache, size, inner, {own, x, delta, weight(), b, c, sixth}, states);
        const Shape shape{head, heads, each, sequences_};
        gate = graph_.make(Op::cont, shape, {graph_.show(Op::view, projected, shape)});
        y = sum(graph_.show(Op::view, scan, shape), graph_.same(Op::mul, {x, weight()}));
        y = graph_.make(Op::glu, shape, {gate, y});
        if (const Norm* norm = find_mixer_norm()) {
            y = graph_.show(Op::reshape, y, {inner / groups, groups, each, sequences_});
            y = normed(y, norm->kind, true, false);
        }
        y = graph_.show(Op::reshape, y, {inner, tokens_, 1, 1});
        return values_.set(op.to, y);
    }
    const Id x = graph_.show(Op::reshape, wide, {1, inner, each, sequences_});
    const double rank = producer("delta")->in.value();
    const Id low = graph_.make(Op::mul_mat, {rank + 2 * kept, each, sequences_, 1}, {weight(), wide});
    const bool norms = has_inner_norms();
    Id delta = graph_.show(Op::view, low, {rank, each, sequences_, 1});
    delta = norms ? normed(delta, Norm::Kind::rms, true, false) : graph_.same(Op::cont, {delta});
    delta = graph_.make(Op::mul_mat, {inner, each, sequences_, 1}, {weight(), delta});
    delta = sum(delta, weight());
    const Shape piece{kept, 1, each, sequences_};
    Id b = graph_.show(Op::view, low, piece), c = graph_.show(Op::view, low, piece);
    if (norms) b = normed(b, Norm::Kind::rms, true, false), c = normed(c, Norm::Kind::rms, true, false);
    scan = scanned(states_cache, size, inner, {own, x, delta, weight(), b, c, sixth}, states);
    const Shape shape{inner, each, sequences_, 1};
    gate = graph_.make(Op::cont, shape, {graph_.show(Op::view, projected, shape)});
    y = sum(graph_.show(Op::view, scan, shape), graph_.same(Op::mul, {wide, weight()}));
    values_.set(op.to, graph_.make(Op::glu, shape, {gate, y}));
}

void Builder::gated_delta(const Recurrence& op) {
    const ShortConvolution& convolution = *find<ShortConvolution>();
    const Norm& norm = *find_mixer_norm();
    const double each = tokens_ / sequences_, channels = convolution.channels.value(), values = op.width.value();
    const double value_width = norm.width.value(), value_heads = values / value_width, size = op.state.value();
    const double key_width = size / values, key_heads = (channels - values) / 2 / key_width;
    const Id from = value(producer(mixer_input())->from);
    graph_.expand(from);
    Id cache;
    const Id before = extend(channels, convolution.kernel.value(), cache);
    const auto project = [&](double out) { return graph_.make(Op::mul_mat, {out, tokens_, 1, 1}, {weight(), from}); };
    const Id given = graph_.show(Op::reshape, project(channels), {channels, each, sequences_, 1});
    const Id all = joined(before, given, cache, channels, convolution.kernel.value());
    const Id states_cache = graph_.stored(4, {size, sequences_, 1, 1});
    Id states;
    const Id rows = state_rows(states_cache, size, states);
    graph_.expand(rows);
    copy_rest(states_cache, size, states);
    const Id wide = graph_.same(Op::unary, {convolved(all, channels, convolution.bias)});
    const bool fused = value_heads != key_heads && producer("decay_and_rate");
    const auto key = [&] {
        const Shape shape{key_width, key_heads, each, sequences_};
        Id made = graph_.show(Op::view, wide, shape);
        made = graph_.same(Op::scale, {graph_.same(Op::rms_norm, {made})});
        if (!fused) return made;
        const double times = value_heads / key_heads;
        made = graph_.show(Op::reshape, made, {key_width, 1, key_heads, tokens_});
        made = graph_.make(Op::repeat, {key_width, times, key_heads, tokens_}, {made});
        return graph_.show(Op::reshape, made, {key_width, value_heads, each, sequences_});
    };
    const Id q = key(), k = key();
    const Id v = graph_.show(Op::view, wide, {value_width, value_heads, each, sequences_});
    const Shape flat{value_heads, each, sequences_, 1}, tall{1, value_heads, each, sequences_};
    Id decay, rate;
    if (producer("decay_and_rate")) {
        const Shape piece{value_heads / key_heads, key_heads, each, sequences_};
        const Id both = graph_.show(Op::reshape, project(2 * value_heads),
                                    {2 * value_heads / key_heads, key_heads, each, sequences_});
        decay = graph_.make(Op::cont, flat, {graph_.show(Op::view, both, piece)});
        rate = graph_.make(Op::cont, piece, {graph_.show(Op::view, both, piece)});
        rate = graph_.show(Op::reshape, graph_.same(Op::unary, {rate}), tall);
    } else {
        decay = graph_.show(Op::reshape, project(value_heads), flat);
        rate = graph_.same(Op::unary, {graph_.show(Op::reshape, project(value_heads), tall)});
    }
    decay = graph_.same(Op::mul, {graph_.same(Op::unary, {sum(decay, weight())}), weight()});
    decay = graph_.show(Op::reshape, decay, tall);
    const Id own = graph_.show(Op::reshape, rows, {key_width, value_width, value_heads, sequences_});
    const Id made =
        graph_.make(Op::gated_delta_net, {values, tokens_ + key_width * sequences_, 1, 1}, {q, k, v, decay, rate, own});
    copy_into(graph_.show(Op::view, states_cache, {size * sequences_, 1, 1, 1}),
              graph_.show(Op::view, made, {key_width, value_width, value_heads, sequences_}));
    const Shape shape{value_width, value_heads, each, sequences_};
    const Id out = normed(graph_.show(Op::view, made, shape), norm.kind, true, false);
    const Id gate = graph_.same(Op::unary, {graph_.show(Op::reshape, project(values), shape)});
    values_.set(op.to, graph_.show(Op::reshape, graph_.same(Op::mul, {out, gate}), {values, tokens_, 1, 1}));
}

void Builder::visit(const Recurrence& op) {
    const Id from = value(op.from);
    if (!find<ShortConvolution>() || !producer(mixer_input()) || (is_delta_net() && !find_mixer_norm())) {
        // a recurrence that llama.cpp has no graph for, or that is not described here: its result alone
        if (from != nothing) values_.set(op.to, graph_.make(Op::ssm_scan, {op.width.value(), tokens_, 1, 1}, {from}));
        return;
    }
    if (is_delta_net()) return gated_delta(op);
    mamba(op, op.parameters.front().name == "dt_bias");
}

// LFM2's: the product of two projections is convolved, and gated by a third.
void Builder::visit(const ShortConvolution& op) {
    if (find<Recurrence>()) return;
    const double channels = op.channels.value(), kernel = op.kernel.value();
    const Id given = value(op.from);
    Id cache;
    const Id before = extend(channels, kernel, cache);
    values_.set(op.to, convolved(joined(before, given, cache, channels, kernel), channels, op.bias));
}

bool Builder::is_delta_net() const {
    const Recurrence* recurrence = find<Recurrence>();
    return recurrence && recurrence->dtype == Dtype::float32 && recurrence->parameters.size() == 2;
}

bool Builder::has_inner_norms() const {
    for (const auto& op : block_->ops)
        if (const Norm* norm = std::get_if<Norm>(&op); norm && norm->name == "dt_layernorm") return true;
    return false;
}

const Norm* Builder::find_mixer_norm() const {
    for (const auto& op : block_->ops)
        if (const Norm* norm = std::get_if<Norm>(&op); norm && norm->name == "mixer_norm") return norm;
    return nullptr;
}

/// The label of the projection that the convolution's input is a part of.
Label Builder::mixer_input() const {
    const Label from = find<ShortConvolution>()->from;
    for (const auto& op : block_->ops)
        if (const Split* split = std::get_if<Split>(&op))
            for (const Split::Piece& piece : split->pieces)
                if (piece.to == from) return split->from;
    return from;
}

}  // namespace plimsoll::llama_cpp
