#include "estimate/inference/llama_cpp/graph/build/builder.h"

namespace plimsoll::llama_cpp {

// An embedding of each token for each layer is looked up on the host, all layers' as one row; what projects the usual
// embedding to the same width is computed where the first layer is, and both are laid out layer after layer.
// Source: llama.cpp, src/models/gemma4.cpp: build_inp_per_layer, project_per_layer_inputs.
void Builder::embed_for_layers() {
    double all = 0;
    for (const auto& op : model_.embedding.ops)
        if (const Lookup* lookup = op.as<Lookup>(); lookup && lookup->name == "embed_tokens_per_layer")
            all = lookup->width.value();
    if (all == 0) return;
    const double layers = static_cast<double>(model_.order.size());
    const Shape parts{all / layers, layers, tokens_, 1};
    Id rows = graph_.make(Op::get_rows, {all, tokens_, 1, 1}, {table(), graph_.input(4, {tokens_, 1, 1, 1})});
    rows = graph_.same(Op::scale, {graph_.show(Op::reshape, rows, parts)});
    graph_.expand(rows);
    const Id projected = graph_.same(Op::scale, {linear(x_, {Part::embedding, "per_layer_model_projection"}, all)});
    const Id normed_parts = normed(graph_.show(Op::reshape, projected, parts), Norm::Kind::rms, true, false);
    const Id both = graph_.same(Op::scale, {sum(normed_parts, rows)});
    layer_inputs_ = graph_.make(Op::cont, {all / layers, tokens_, layers, 1}, {permuted(both)});
}

Id Builder::layer_input() {
    const Shape& all = graph_[layer_inputs_].shape;
    return graph_.show(Op::view, layer_inputs_, {all[0], all[1], 1, 1});
}

}  // namespace plimsoll::llama_cpp
