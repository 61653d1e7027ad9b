/// What lies in memory beside a model's weights once transformers has loaded them.
#pragma once

#include <algorithm>

#include "estimate/inference/inference_inputs.h"
#include "estimate/ledger/shared_rows.h"

namespace plimsoll {

template <class N>
void add_beside_weights(Row<N>& row, RowId::Known id, const Bytes<N>& bytes, bool from_load) {
    Row<N> child{id, Basis::modelled, std::vector<Cell<N>>(row.cells.size())};
    for (size_t phase = from_load ? 0 : 1; phase < row.cells.size(); ++phase)
        child.cells[phase] = estimated<N>({"workspace.", child.id.text()}, bytes);
    row.children.push_back(std::move(child));
}

/// cos and sin for every position, in each layer: releases before 4.45 kept them as buffers (transformers 4.38,
/// Qwen2RotaryEmbedding and its copies).
template <class N>
Bytes<N> rotary_tables(const Model& model) {
    N widths{0};
    for (const LayerKind& kind : model.kinds) {
        const bool rotary =
            std::any_of(kind.block.ops.begin(), kind.block.ops.end(), [](const Op& op) { return op.is<Rope>(); });
        for (const Op& op : kind.block.ops)
            if (const Attention* attention = op.as<Attention>(); attention && rotary)
                widths += as<N>(kind.count) * as<N>(attention->head_dim);
    }
    const N positions = input<N>("positions", model.context_limit, "config.json: max_position_embeddings");
    return N(2) * positions * widths * bytes_of<N>(Dtype::sixteen_bit);
}

/// Children of `workspace`, beside the matrix library's. `release`: 4.38 as 4038; 0 where it was not said.
template <class N>
void add_loaded(Ledger<N>& ledger, const Model& model, const Loaded& loaded, const Runtime& runtime, double release,
                const N& copies) {
    Row<N>* found = row_named(ledger, RowId::workspace);
    if (!found || !runtime.torch_allocator) return;
    Row<N>& row = *found;
    row.children.push_back({RowId::matrix_library, Basis::measured, row.cells});
    const auto bytes = [&](const char* symbol, double value, const char* source) {
        return copies * Bytes<N>{input<N>(symbol, std::floor(value), source)};
    };
    // since 4.50 all weights, or half of quantised ones, are cut out of one large block (caching_allocator_warmup)
    const double cut_of_today = loaded.quantised ? 0.5 : 0, cut = release < 4050 ? 1 : cut_of_today;
    if (loaded.left_over * cut > 0)
        add_beside_weights(
            row, RowId::block_rounding,
            bytes("left_over_in_blocks", loaded.left_over * cut, "PyTorch CUDACachingAllocator, should_split"), true);
    if (loaded.dequantised > 0)
        add_beside_weights(row, RowId::dequantized_matrix,
                           copies * input<N>("largest_matrix", loaded.dequantised, runtime.loader.source) *
                               bytes_of<N>(Dtype::sixteen_bit),
                           true);
    if (model.tied && model.hidden_size && model.vocab_size && (loaded.tied_head_loaded || loaded.tied_head_kept)) {
        const Bytes<N> head =
            copies * (as<N>(*model.vocab_size) * as<N>(*model.hidden_size)) * bytes_of<N>(Dtype::sixteen_bit);
        add_beside_weights(row, RowId::tied_head_again, head, true);
        if (!loaded.tied_head_kept)
            for (size_t phase = 1; phase < row.cells.size(); ++phase) row.children.back().cells[phase] = {};
    }
    if (release > 0 && release < 4045 && model.context_limit > 0)
        add_beside_weights(row, RowId::rotary_tables, copies * rotary_tables<N>(model), false);
    if (row.children.size() == 1) return row.children.clear();  // the matrix library alone is the row
    sum_children(row);
}

}  // namespace plimsoll
