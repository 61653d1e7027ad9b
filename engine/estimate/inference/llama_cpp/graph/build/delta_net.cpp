// The gated delta net as llama.cpp builds it. (src/models/qwen3next.cpp, qwen35.cpp, delta-net-base.cpp)
#include "estimate/inference/llama_cpp/graph/build/builder.h"

namespace plimsoll::llama_cpp {

// Queries or keys of the recurrence: normalised, and repeated where there are more heads of values.
Id Builder::delta_key(Id wide, const DeltaSizes& sizes) {
    const Shape shape{sizes.key_width, sizes.key_heads, sizes.each, sequences_};
    Id made = graph_.same(Op::scale, {graph_.same(Op::rms_norm, {graph_.show(Op::view, wide, shape)})});
    if (!producer("decay_and_rate") || sizes.key_heads == sizes.value_heads) return made;
    const double times = sizes.value_heads / sizes.key_heads;
    made = graph_.show(Op::reshape, made, {sizes.key_width, 1, sizes.key_heads, tokens_});
    made = graph_.make(Op::repeat, {sizes.key_width, times, sizes.key_heads, tokens_}, {made});
    return graph_.show(Op::reshape, made, {sizes.key_width, sizes.value_heads, sizes.each, sequences_});
}

// How fast each head forgets and learns: from one projection (Qwen3-Next) or two.
void Builder::decay_and_rate(Id from, const DeltaSizes& sizes, Id& decay, Id& rate) {
    const Shape flat{sizes.value_heads, sizes.each, sequences_, 1}, tall{1, sizes.value_heads, sizes.each, sequences_};
    if (producer("decay_and_rate")) {
        const double share = sizes.value_heads / sizes.key_heads;
        const Shape piece{share, sizes.key_heads, sizes.each, sequences_};
        const Id both = graph_.show(Op::reshape, linear(from, {Part::mixer, "in_proj_ba"}, 2 * sizes.value_heads),
                                    {2 * share, sizes.key_heads, sizes.each, sequences_});
        decay = graph_.make(Op::cont, flat, {graph_.show(Op::view, both, piece)});
        rate = graph_.make(Op::cont, piece, {graph_.show(Op::view, both, piece)});
        rate = graph_.show(Op::reshape, graph_.same(Op::unary, {rate}), tall);
    } else {
        decay = graph_.show(Op::reshape, linear(from, {Part::mixer, "in_proj_a"}, sizes.value_heads), flat);
        rate = graph_.same(
            Op::unary, {graph_.show(Op::reshape, linear(from, {Part::mixer, "in_proj_b"}, sizes.value_heads), tall)});
    }
    decay = graph_.same(Op::mul,
                        {graph_.same(Op::unary, {sum(decay, vector(sizes.value_heads))}), vector(sizes.value_heads)});
    decay = graph_.show(Op::reshape, decay, tall);
}

// The convolved inputs, and after them the states as rows.
Id Builder::open_delta(Id from, const DeltaSizes& sizes, Id& cache, Id& rows) {
    const ShortConvolution& convolution = *find<ShortConvolution>();
    const double channels = convolution.channels.value(), kernel = convolution.kernel.value();
    graph_.expand(from);
    Id inputs;
    const Id before = extend(channels, kernel, inputs);
    const MatrixName inputs_name{Part::mixer, producer("decay_and_rate") ? "in_proj_qkvz" : "in_proj_qkv"};
    const Id given =
        graph_.show(Op::reshape, linear(from, inputs_name, channels), {channels, sizes.each, sequences_, 1});
    const Id all = joined(before, given, inputs, channels, kernel);
    cache = held(4, {sizes.state, sequences_, 1, 1});
    Id states;
    rows = state_rows(cache, sizes.state, states);
    graph_.expand(rows);
    copy_rest(cache, sizes.state, states);
    return graph_.same(Op::unary, {convolved(all, channels, convolution.bias)});
}

void Builder::gated_delta(const Recurrence& op) {
    const Norm& norm = *find_mixer_norm();
    const double values = op.width.value(), channels = find<ShortConvolution>()->channels.value();
    DeltaSizes sizes{tokens_ / sequences_, op.state.value(), norm.width.value()};
    sizes.value_heads = values / sizes.value_width;
    sizes.key_width = sizes.state / values;
    sizes.key_heads = (channels - values) / 2 / sizes.key_width;
    const Id from = value(producer(mixer_input())->from);
    Id cache, rows, decay, rate;
    const Id wide = open_delta(from, sizes, cache, rows);
    const Shape shape{sizes.value_width, sizes.value_heads, sizes.each, sequences_},
        state{sizes.key_width, sizes.value_width, sizes.value_heads, sequences_};
    const Id q = delta_key(wide, sizes), k = delta_key(wide, sizes), v = graph_.show(Op::view, wide, shape);
    decay_and_rate(from, sizes, decay, rate);
    const Id made = graph_.make(Op::gated_delta_net, {values, tokens_ + sizes.key_width * sequences_, 1, 1},
                                {q, k, v, decay, rate, graph_.show(Op::reshape, rows, state)});
    copy_into(graph_.show(Op::view, cache, {sizes.state * sequences_, 1, 1, 1}), graph_.show(Op::view, made, state));
    const Id out = normed(graph_.show(Op::view, made, shape), norm.kind, true, false);
    const bool fused = producer("decay_and_rate") != nullptr;
    const MatrixName gate_name{Part::mixer, fused ? "in_proj_qkvz" : "in_proj_z", fused ? 1 : 0};
    const Id gate = graph_.same(Op::unary, {graph_.show(Op::reshape, linear(from, gate_name, values), shape)});
    values_.set(op.to, graph_.show(Op::reshape, graph_.same(Op::mul, {out, gate}), {values, tokens_, 1, 1}));
}

}  // namespace plimsoll::llama_cpp
