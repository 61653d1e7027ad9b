// Mamba's mixers as llama.cpp builds them. (src/models/mamba-base.cpp)
#include "estimate/inference/llama_cpp/graph/build/builder.h"

namespace plimsoll::llama_cpp {

// The input's projection, and what the convolution makes of a part of it; the second Mamba's have their dimensions told
// apart after the product, the first's before it.
Scan Builder::open_scan(const Recurrence& op, bool second) {
    const ShortConvolution& convolution = *find<ShortConvolution>();
    const Linear& input = *producer(mixer_input());
    const double kernel = convolution.kernel.value(), width = input.out.value();
    Scan scan{tokens_ / sequences_, convolution.channels.value(), op.width.value(), op.state.value()};
    Id cache;
    const Id before = extend(scan.channels, kernel, cache);
    Id from = value(input.from);
    if (!second) from = graph_.show(Op::reshape, from, {graph_[from].shape[0], scan.each, sequences_, 1});
    const Shape shape{width, scan.each, sequences_, 1};
    scan.projected =
        graph_.make(Op::mul_mat, shape, {matrix({input.part, input.name}, graph_[from].shape[0], width), from});
    if (second) scan.projected = graph_.show(Op::reshape, scan.projected, shape);
    const Id given = graph_.show(Op::view, scan.projected, {scan.channels, scan.each, sequences_, 1});
    const Id all = joined(before, given, cache, scan.channels, kernel);
    scan.cache = held(4, {scan.size, sequences_, 1, 1});
    state_rows(scan.cache, scan.size, scan.states);
    scan.wide = graph_.same(Op::unary, {convolved(all, scan.channels, convolution.bias)});
    return scan;
}

// One token after the other: the result is the outputs of all tokens and, behind them, the new states. The first Mamba's
// decays are as many as a state's elements, the second's one a head.
Id Builder::run_scan(const Scan& scan, const Shape& states, std::initializer_list<Id> given) {
    const Size decays = states[1] == 1 ? Size(scan.size) : states[2];
    const Id made = graph_.make(Op::ssm_scan, {scan.inner * tokens_ + scan.size * sequences_, 1, 1, 1},
                                {graph_.show(Op::reshape, scan.states, states), given.begin()[0], given.begin()[1],
                                 vector(decays), given.begin()[2], given.begin()[3], state_from_});
    graph_.expand(made);
    copy_rest(scan.cache, scan.size, scan.states);
    const Shape all{scan.size * sequences_, 1, 1, 1};
    copy_into(graph_.show(Op::view, scan.cache, all), graph_.show(Op::view, made, all));
    return made;
}

// scan + D·x, gated by a part of the projection
Id Builder::gated_scan(const Scan& scan, Id made, Id x, const Shape& shape, double gains) {
    const Id gate = graph_.make(Op::cont, shape, {graph_.show(Op::view, scan.projected, shape)});
    const Id y = sum(graph_.show(Op::view, made, shape), graph_.same(Op::mul, {x, vector(gains)}));
    return graph_.make(Op::glu, shape, {gate, y});
}

void Builder::mamba(const Recurrence& op) {
    const Scan scan = open_scan(op, false);
    const double kept = scan.size / scan.inner, rank = producer("delta")->in.value();
    const Shape shape{scan.inner, scan.each, sequences_, 1}, piece{kept, 1, scan.each, sequences_};
    const Id x = graph_.show(Op::reshape, scan.wide, {1, scan.inner, scan.each, sequences_});
    const Id low = graph_.make(Op::mul_mat, {rank + 2 * kept, scan.each, sequences_, 1},
                               {matrix({Part::mixer, "x_proj"}, scan.inner, rank + 2 * kept), scan.wide});
    const bool norms = has_inner_norms();
    Id delta = graph_.show(Op::view, low, {rank, scan.each, sequences_, 1});
    delta = norms ? normed(delta, Norm::Kind::rms, true, false) : graph_.same(Op::cont, {delta});
    delta = sum(graph_.make(Op::mul_mat, shape, {matrix({Part::mixer, "dt_proj"}, rank, scan.inner), delta}),
                vector(scan.inner));
    Id b = graph_.show(Op::view, low, piece), c = graph_.show(Op::view, low, piece);
    if (norms) b = normed(b, Norm::Kind::rms, true, false), c = normed(c, Norm::Kind::rms, true, false);
    const Id made = run_scan(scan, {kept, 1, scan.inner, sequences_}, {x, delta, b, c});
    values_.set(op.to, gated_scan(scan, made, scan.wide, shape, scan.inner));
}

void Builder::mamba2(const Recurrence& op) {
    const Scan scan = open_scan(op, true);
    const double heads = op.parameters.front().cols.value(), head = scan.inner / heads, kept = scan.size / scan.inner;
    const double groups = (scan.channels - scan.inner) / 2 / kept;
    const Shape shape{head, heads, scan.each, sequences_}, low{kept, groups, scan.each, sequences_};
    const Id x = graph_.show(Op::view, scan.wide, shape);
    const Shape steps{heads, scan.each, sequences_, 1};
    const Id delta = sum(graph_.make(Op::cont, steps, {graph_.show(Op::view, scan.projected, steps)}), vector(heads));
    const Id b = graph_.show(Op::view, scan.wide, low), c = graph_.show(Op::view, scan.wide, low);
    const Id made = run_scan(scan, {kept, head, heads, sequences_}, {x, delta, b, c});
    Id y = gated_scan(scan, made, x, shape, heads);
    if (const Norm* norm = find_mixer_norm()) {
        y = graph_.show(Op::reshape, y, {scan.inner / groups, groups, scan.each, sequences_});
        y = normed(y, norm->kind, false, false);
        y = graph_.same(Op::mul, {y, vector(scan.inner)});
    }
    values_.set(op.to, graph_.show(Op::reshape, y, {scan.inner, tokens_, 1, 1}));
}

bool Builder::has_inner_norms() const {
    for (const auto& op : block_->ops)
        if (const Norm* norm = op.as<Norm>(); norm && norm->name == "dt_layernorm") return true;
    return false;
}

}  // namespace plimsoll::llama_cpp
