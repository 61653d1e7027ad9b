#include "estimate/inference/llama_cpp/graph/build/builder.h"

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
    cache = held(4, {size, sequences_, 1, 1});
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
    const Size kernel = graph_[all].shape[0] - tokens_ / sequences_ + 1;
    Id made = graph_.make(Op::ssm_conv, {channels, tokens_ / sequences_, sequences_, 1},
                          {all, weight(4, {kernel, channels, 1, 1}, place_)});
    if (bias) made = sum(made, vector(channels));
    return made;
}

// Whether its steps come of what llama.cpp's scans come of; Griffin's recurrence has none of it.
bool Builder::knows(const Recurrence& op) const {
    if (!find<ShortConvolution>() || !producer(mixer_input())) return false;
    if (is_delta_net()) return find_mixer_norm() != nullptr;
    return !op.parameters.empty() && (op.parameters.front().name == "dt_bias" || producer("delta"));
}

void Builder::visit(const Recurrence& op) {
    const Id from = value(op.from);
    if (!knows(op)) {
        // a recurrence that llama.cpp has no graph for, or that is not described here: its result alone
        if (from != nothing) values_.set(op.to, graph_.make(Op::ssm_scan, {op.width.value(), tokens_, 1, 1}, {from}));
        return;
    }
    if (is_delta_net()) return gated_delta(op);
    op.parameters.front().name == "dt_bias" ? mamba2(op) : mamba(op);
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

const Norm* Builder::find_mixer_norm() const {
    for (const auto& op : block_->ops)
        if (const Norm* norm = op.as<Norm>(); norm && norm->name == "mixer_norm") return norm;
    return nullptr;
}

/// The label of the projection that the convolution's input is a part of.
Label Builder::mixer_input() const {
    const Label from = find<ShortConvolution>()->from;
    for (const auto& op : block_->ops)
        if (const Split* split = op.as<Split>())
            for (const Split::Piece& piece : split->pieces)
                if (piece.to == from) return split->from;
    return from;
}

}  // namespace plimsoll::llama_cpp
