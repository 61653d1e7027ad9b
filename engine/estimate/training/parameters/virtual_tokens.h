/// Learned tokens before every sequence, beside a frozen model.
///
///     prompt    [tokens, hidden] before the sequence's embeddings: the sequence is so much longer
///     prefix    [tokens, keys and values of all layers]: each layer's attention sees so many more; or made by two
///               matrices with a tanh between them from [tokens, keys of a layer]
///
/// Source: PEFT, tuners/prompt_tuning/model.py, tuners/prefix_tuning/model.py, utils/other.py
/// (_prepare_prompt_learning_config: grouped keys and values).
#pragma once

#include "estimate/training/inputs.h"
#include "model/core/profile.h"

namespace plimsoll {

template <class N>
N virtual_tokens(const VirtualTokens& tokens) {
    return input<N>("virtual_tokens", tokens.count, "request: training.prompt.virtual_tokens");
}

/// Keys and values of one token: of all layers, and keys of the first that has any.
template <class N>
struct PrefixWidths {
    N all{0}, of_a_layer{0};
};

template <class N>
PrefixWidths<N> prefix_widths(const Model& model) {
    PrefixWidths<N> widths;
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops)
            if (const Attention* attention = op.as<Attention>()) {
                const N width = named("kv_width", as<N>(attention->kv_heads) * as<N>(attention->head_dim));
                widths.all += as<N>(kind.count) * (N(2) * width);
                if (value_of(widths.of_a_layer) == 0) widths.of_a_layer = width;
            }
    return widths;
}

/// The tensors that are trained.
template <class N>
std::vector<LayeredWeight<N>> virtual_weights(const Model& model, const VirtualTokens& tokens) {
    std::vector<LayeredWeight<N>> list;
    if (tokens.count == 0 || !model.hidden_size) return list;
    const auto add = [&list](Label name, const N& rows, const N& columns) {
        list.push_back({{name, Part::embedding, rows, columns, N(1), value_of(rows) == 1}, N(1), {}});
    };
    const N count = virtual_tokens<N>(tokens);
    if (!tokens.in_layers) {
        add("prompt_embedding", count, as<N>(*model.hidden_size));
        return list;
    }
    const PrefixWidths<N> widths = prefix_widths<N>(model);
    if (tokens.encoder_hidden_size == 0) {
        add("prefix_embedding", count, widths.all);
        return list;
    }
    const N inner = input<N>("encoder_hidden_size", tokens.encoder_hidden_size, "request: training.prompt");
    add("prefix_embedding", count, widths.of_a_layer);
    add("prefix_inner", widths.of_a_layer, inner);
    add("prefix_inner_bias", N(1), inner);
    add("prefix_outer", inner, widths.all);
    add("prefix_outer_bias", N(1), widths.all);
    return list;
}

}  // namespace plimsoll
