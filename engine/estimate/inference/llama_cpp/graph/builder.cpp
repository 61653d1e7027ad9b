// Both ends of the graph, its matrices and norms, and the layers in their order.
#include "estimate/inference/llama_cpp/graph/builder.h"

#include <algorithm>

#include "policies/runtimes/llama_cpp.h"

namespace plimsoll::llama_cpp {
namespace {

/// Layers that only repeat what came before them.
struct Repetition {
    size_t from, to;
};

// What the allocator does comes round with the layers' pattern, or with two of them, for a layer's result stands in
// turn in two places: three rounds at the start, and what is left at the end, show it all, in a fraction of the time.
Repetition repetition(const std::vector<unsigned short>& order) {
    constexpr size_t rounds = 3, starts = 5;
    for (size_t period = 1; period * (rounds + 2) < order.size(); ++period)
        for (size_t start = 0; start < starts; ++start) {
            size_t end = start + period;
            while (end < order.size() && order[end] == order[end - period]) ++end;
            if (end < start + period * (rounds + 2)) continue;
            const size_t from = start + period * rounds;
            return {from, from + (end - 1 - from) / (2 * period) * (2 * period)};
        }
    return {order.size(), order.size()};
}

}  // namespace

Id Values::at(Label name) const {
    for (size_t index = entries_.size(); index-- > 0;)
        if (entries_[index].name == name) return entries_[index].id;
    return nothing;
}

void Values::set(Label name, Id id) { entries_.push_back({name, id}); }

Builder::Builder(const Model& model, const LlamaContext& context, Steps& steps)
    : model_(model),
      context_(context),
      family_(llama_cpp_family(model)),
      cells_(context.cells, Steps::cells_each, &steps),
      window_cells_(std::min(cells_, Size(context.window_cells))) {
    sequences_ = std::max(1.0, context.sequences);
    streams_ = context.unified ? 1 : sequences_;
    tokens_ = std::min(Size(context.micro_batch), cells_ * streams_).here();
    outputs_ = context.outputs > 0 ? std::min(context.outputs, tokens_) : tokens_;
    tokens_ = std::ceil(tokens_ / sequences_) * sequences_;
    widest_values_ = widest_values<double>(model);
}

Id Builder::matrix(const MatrixName& name, const Size& in, double out, double experts) {
    const Shape shape{in, out, experts, 1};
    if (layer_ < context_.host_matrices.size())
        for (const HostMatrix& listed : context_.host_matrices[layer_])
            if (listed.name == name) return weight(listed.bytes, shape, Place::host);
    return weight(context_.weight_bytes, shape, place_);
}

Id Builder::linear(Id from, const MatrixName& name, double out, bool bias) {
    Shape shape = graph_[from].shape;
    shape[0] = out;
    const Id made = graph_.make(Op::mul_mat, shape, {matrix(name, graph_[from].shape[0], out), from});
    return bias ? graph_.same(Op::add, {made, vector(out)}) : made;
}

Id Builder::normed(Id from, Norm::Kind kind, bool weighted, bool bias) {
    Id made = graph_.same(Norm::takes_mean_off(kind) ? Op::norm : Op::rms_norm, {from});
    graph_[made].width = 4;
    if (weighted) made = graph_.same(Op::mul, {made, vector(graph_[made].shape[0])});
    return bias ? graph_.same(Op::add, {made, vector(graph_[made].shape[0])}) : made;
}

Id Builder::heads_of(Id from, const Size& width, double heads) {
    const Shape shape{width, heads, tokens_, 1};
    return graph_[from].shape == shape ? from : graph_.show(Op::reshape, from, shape);
}

void Builder::embed(double hidden) {
    const Id table = graph_.stored(2, {1, 1, 1, 1}, Place::host);
    const Id ids = graph_.input(4, {tokens_, 1, 1, 1});
    x_ = graph_.make(Op::get_rows, {hidden, tokens_, 1, 1}, {table, ids});
    graph_[x_].place = Place::host;
    if (family_.scales_embedding_first) x_ = graph_.same(Op::scale, {x_});
    graph_.expand(x_);
    if (context_.rules.given_embeddings) graph_.expand(graph_.input(4, {hidden, tokens_, 1, 1}));
    positions_ = graph_.input(4, {tokens_ * family_.positions, 1, 1, 1});
    for (const auto& op : model_.embedding.ops) {
        const Lookup* lookup = op.as<Lookup>();
        if (!lookup || !lookup->by_position) continue;
        const Id position = graph_.make(Op::get_rows, {hidden, tokens_, 1, 1}, {table, positions_});
        graph_[position].place = Place::host;
        x_ = sum(x_, position);
    }
    if (family_.scaled_embedding) x_ = graph_.same(Op::scale, {x_});
    embed_for_layers();
    split_streams();
}

Id Builder::rows_picked(Id id) {
    return graph_.make(Op::get_rows, {graph_[id].shape[0], outputs_, 1, 1}, {id, picked_});
}

void Builder::finish(double vocabulary) {
    Norm::Kind kind = Norm::Kind::rms;
    bool weighted = true, bias = false;
    for (const auto& op : model_.head.ops)
        if (const Norm* norm = op.as<Norm>()) kind = norm->kind, weighted = norm->weight, bias = norm->bias;
    if (has_streams()) merge_streams();
    // a draft model may read the states of all tokens: then the rows that get logits are picked here
    if (family_.drafts == LlamaCppFamily::Drafts::plain) {
        graph_[x_].output = true;
        x_ = rows_picked(x_);
    }
    x_ = normed(x_, kind, weighted, bias);
    graph_[x_].output = true;
    if (family_.drafts == LlamaCppFamily::Drafts::normed) {
        x_ = rows_picked(x_);
        graph_[x_].output = true;
    }
    x_ = linear(x_, {Part::head, "lm_head"}, vocabulary, model_.head_bias);
    if (family_.scaled_logits) x_ = graph_.same(Op::scale, {x_});
    if (family_.softcap) x_ = graph_.same(Op::scale, {graph_.same(Op::unary, {x_})});
    graph_[x_].output = true;
    graph_.expand(x_);
}

Graph Builder::build() {
    const std::vector<unsigned short>& order = model_.order;
    const double layers = static_cast<double>(order.size()), first_on_device = layers + 1 - context_.device_layers;
    place_ = first_on_device > 0 ? Place::host : Place::device;
    embed(model_.hidden_size->value());
    picked_ = graph_.input(4, {outputs_, 1, 1, 1});
    // copies of weights differ from layer to layer
    bool copies = first_on_device > 0 && first_on_device < layers;
    if (context_.backend != LlamaContext::Backend::cpu)
        for (const auto& listed : context_.host_matrices) copies = copies || !listed.empty();
    const Repetition repeated = copies ? Repetition{order.size(), order.size()} : repetition(order);
    for (size_t index = 0; index < order.size(); ++index) {
        if (index == repeated.from) index = repeated.to;
        place_ = static_cast<double>(index) < first_on_device ? Place::host : Place::device;
        layer_ = index;
        layer(model_.kinds[order[index]].block,
              index + 1 == order.size() && family_.drafts == LlamaCppFamily::Drafts::no && predictions_ == nothing);
    }
    place_ = first_on_device > layers ? Place::host : Place::device;
    layer_ = order.size();
    finish(model_.vocab_size->value());
    return std::move(graph_);
}

}  // namespace plimsoll::llama_cpp
