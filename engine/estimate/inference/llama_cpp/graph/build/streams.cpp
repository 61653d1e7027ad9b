#include <utility>

#include "estimate/inference/llama_cpp/graph/build/builder.h"

namespace plimsoll::llama_cpp {
namespace {

// Gemma 3n's first layers let only the largest twentieth of a gate's values through.
constexpr size_t sparse_layers = 10;

}  // namespace

// Gemma 3n: hidden states are several streams, [hidden, tokens, streams], of which the first runs through the layer;
// the layer predicts all of them first and corrects them afterwards by what came out of it. Differences stand as
// quotients, square roots as squares: the allocator treats them alike. Source: llama.cpp, src/models/gemma3n.cpp.
bool Builder::has_streams() const {
    for (const auto& op : model_.kinds.front().block.ops)
        if (const Linear* linear = op.as<Linear>(); linear && linear->name == "modality_router") return true;
    return false;
}

/// [hidden, tokens] or more of the streams from one on.
Id Builder::stream(Id of, double count) {
    const Shape& shape = graph_[of].shape;
    return graph_.show(Op::view, of, {shape[0], shape[1], count, 1});
}

Id Builder::magnitude(Id of) {
    const Shape& shape = graph_[of].shape;
    const Id sums = graph_.make(Op::sum_rows, {1, shape[1], shape[2], 1}, {graph_.same(Op::sqr, {of})});
    return graph_.same(Op::sqr, {sums});
}

// Projected, by a matrix that is where the head is, and as large as the first stream.
Id Builder::aligned(Id streams, Id first) {
    const double hidden = model_.hidden_size->value();
    const Id target = magnitude(first);
    const Place here = std::exchange(place_, place_of(model_.order.size()));
    const size_t layer = std::exchange(layer_, model_.order.size());
    const Id projection = matrix({Part::head, "altup_projections"}, hidden, hidden, 3);
    place_ = here;
    layer_ = layer;
    const Id made = graph_.make(Op::mul_mat, Shape(graph_[streams].shape), {projection, streams});
    const Id size = magnitude(made);
    return graph_.same(Op::div, {graph_.same(Op::mul, {made, target}), size});
}

void Builder::split_streams() {
    if (!has_streams()) return;
    const double hidden = model_.hidden_size->value();
    const Id copies = graph_.make(Op::repeat, {hidden, tokens_, 3, 1}, {x_});
    x_ = graph_.make(Op::concat, {hidden, tokens_, 4, 1}, {x_, aligned(copies, x_)});
}

void Builder::merge_streams() {
    const Id first = stream(x_, 1), others = aligned(stream(x_, 3), first);
    Id merged = stream(x_, 1);
    for (int each = 0; each < 3; ++each) merged = sum(merged, stream(others, 1));
    x_ = rows_picked(graph_.same(Op::scale, {merged}));
}

/// Numbers for each stream and token, from the first stream.
Id Builder::modalities(Id from) {
    const Id routed = graph_.same(Op::scale, {normed(from, Norm::Kind::rms, true, false)});
    return graph_.same(Op::unary, {linear(routed, {Part::mixer, "modality_router"}, 4)});
}

void Builder::predict_streams() {
    const double hidden = model_.hidden_size->value();
    const Id factors = graph_.show(
        Op::reshape, linear(modalities(stream(x_, 1)), {Part::mixer, "prediction_coefs"}, 16), {4, 4, tokens_, 1});
    const Id turned =
        graph_.make(Op::cont, {4, hidden, tokens_, 1}, {graph_.show(Op::permute, x_, {4, hidden, tokens_, 1})});
    const Id mixed = graph_.make(Op::mul_mat, {hidden, 4, tokens_, 1}, {turned, factors});
    predictions_ = sum(graph_.make(Op::cont, {hidden, tokens_, 4, 1}, {permuted(mixed)}), x_);
    values_.set("x", stream(predictions_, 1));
}

void Builder::correct_streams(Id made) {
    const double hidden = model_.hidden_size->value();
    const Id routed = modalities(made);
    const Id difference = graph_.same(Op::div, {made, stream(predictions_, 1)});
    Id factors = graph_.same(Op::scale, {linear(routed, {Part::mixer, "correction_coefs"}, 4)});
    factors = graph_.make(Op::cont, {1, tokens_, 4, 1}, {graph_.show(Op::transpose, factors, {tokens_, 4, 1, 1})});
    const Id all = graph_.make(Op::repeat, {hidden, tokens_, 4, 1}, {difference});
    predictions_ = sum(graph_.same(Op::mul, {all, factors}), predictions_);
    values_.set("x_out", graph_.same(Op::mul, {stream(predictions_, 1), vector(hidden)}));
}

/// Adds of a layer with streams; the others are done by whoever predicts and corrects.
void Builder::add_in_stream(const Add& op) {
    if (op.part == Part::mixer) return;
    const Id a = value(op.a), b = value(op.b);
    if (op.to == "laurel") return values_.set(op.to, sum(b, a));
    if (op.to == "x_attended") return values_.set(op.to, graph_.same(Op::scale, {sum(a, b)}));
    if (op.to == "x_out") return correct_streams(sum(b, a));
    if (op.to != "x_final") return values_.set(op.to, sum(b, a));
    const Id rest = sum(stream(predictions_, 3), b);
    x_ = graph_.make(Op::concat, {graph_[rest].shape[0], tokens_, 4, 1}, {stream(predictions_, 1), rest});
}

/// The product of a gate and what stands beside it, which is not fused here.
Id Builder::gated_in_stream(Id gate, Id up) {
    if (layer_ < sparse_layers) {
        const Shape one{1, tokens_, 1, 1};
        const Id mean = graph_.make(Op::sum_rows, one, {gate});
        const Id squares = graph_.same(Op::sqr, {graph_.same(Op::div, {gate, mean})});
        const Id deviation =
            graph_.same(Op::sqr, {graph_.same(Op::scale, {graph_.make(Op::sum_rows, one, {squares})})});
        gate = graph_.same(Op::unary, {graph_.same(Op::div, {gate, sum(mean, graph_.same(Op::scale, {deviation}))})});
    }
    return graph_.same(Op::mul, {up, graph_.same(Op::unary, {gate})});
}

}  // namespace plimsoll::llama_cpp
