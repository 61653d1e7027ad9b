// Both ends of the graph, its matrices and norms, and the layers in their order.
#include "estimate/inference/llama_cpp/graph/build/builder.h"

#include <algorithm>

#include "policies/runtimes/llama_cpp.h"

namespace plimsoll::llama_cpp {

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
    if (layer_ < context_.file_matrices.size())
        for (const FileMatrix& listed : context_.file_matrices[layer_])
            if (listed.name == name) return weight(listed.bytes, shape, cpu_alone() ? on_host : listed.place);
    return weight(context_.weight_bytes, shape, name.part == Part::experts ? place_of_experts() : place_);
}

Id Builder::weight(double width, const Shape& shape, Place place) {
    const Id made = graph_.stored(place, width, shape);
    graph_[made].weight = true;
    return made;
}

Id Builder::held(double width, const Shape& shape) {
    return graph_.stored(context_.placement.cache_on_host ? on_host : place_, width, shape);
}

Place Builder::place_of(size_t layer) const {
    if (cpu_alone()) return on_host;
    const Placement& placement = context_.placement;
    return layer < placement.layers.size() ? placement.layers[layer] : placement.head;
}

Id Builder::linear(Id from, const MatrixName& name, double out, bool bias) {
    Shape shape = graph_[from].shape;
    shape[0] = out;
    const Id made = graph_.make(Op::mul_mat, shape, {matrix(name, graph_[from].shape[0], out), from});
    return bias ? graph_.same(Op::add, {made, vector(out)}) : made;
}

namespace {

constexpr double small_batch = 32;  // llama-context.cpp: graph_get_cb

}  // namespace

Id Builder::normed(Id from, Norm::Kind kind, bool weighted, bool bias) {
    Id made = graph_.same(Norm::takes_mean_off(kind) ? Op::norm : Op::rms_norm, {from});
    graph_[made].width = 4;
    // a run keeps a layer's norms where its weights are, not where what they read was made; of small batches always
    if (context_.running && (weighted || bias) && layer_ < model_.order.size() &&
        (context_.all_on_devices() || tokens_ < small_batch))
        graph_[made].place = place_;
    if (weighted) made = graph_.same(Op::mul, {made, vector(graph_[made].shape[0])});
    return bias ? graph_.same(Op::add, {made, vector(graph_[made].shape[0])}) : made;
}

Id Builder::heads_of(Id from, const Size& width, double heads) {
    const Shape shape{width, heads, tokens_, 1};
    return graph_[from].shape == shape ? from : graph_.show(Op::reshape, from, shape);
}

void Builder::embed(double hidden) {
    const Id ids = graph_.input(4, {tokens_, 1, 1, 1});
    x_ = graph_.make(Op::get_rows, {hidden, tokens_, 1, 1}, {table(), ids});
    if (family_.scales_embedding_first) x_ = graph_.same(Op::scale, {x_});
    graph_.expand(x_);
    if (context_.rules.given_embeddings) graph_.expand(graph_.input(4, {hidden, tokens_, 1, 1}));
    positions_ = graph_.input(4, {tokens_ * family_.positions, 1, 1, 1});
    for (const auto& op : model_.embedding.ops) {
        const Lookup* lookup = op.as<Lookup>();
        if (!lookup || !lookup->by_position) continue;
        x_ = sum(x_, graph_.make(Op::get_rows, {hidden, tokens_, 1, 1}, {table(), positions_}));
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
    place_ = place_of(0);
    embed(model_.hidden_size->value());
    picked_ = graph_.input(4, {outputs_, 1, 1, 1});
    for (size_t index = 0; index < order.size(); ++index) {
        place_ = place_of(index);
        layer_ = index;
        layer(model_.kinds[order[index]].block,
              index + 1 == order.size() && family_.drafts == LlamaCppFamily::Drafts::no && predictions_ == nothing);
    }
    place_ = place_of(order.size());
    layer_ = order.size();
    finish(model_.vocab_size->value());
    return std::move(graph_);
}

}  // namespace plimsoll::llama_cpp
