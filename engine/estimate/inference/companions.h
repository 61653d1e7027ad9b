/// What a runtime holds beside the model that was asked for: a draft model with rows of its own, slots for adapters, a
/// projector. One way for all of them: a companion is a model with inputs of its own, whose rows are nested under one.
#pragma once

#include <memory>

#include "estimate/inference/inference_inputs.h"
#include "estimate/ledger/ledger.h"

namespace plimsoll {

/// Another model that the same runtime holds at the same time.
struct Companion {
    RowId::Known row;                    ///< `draft`
    std::shared_ptr<const Model> model;  ///< a draft head has a layer alone: the target's embedding and head serve it
    std::shared_ptr<InferenceInputs> inputs;
    std::shared_ptr<const Model> graph;  ///< whose graph stands for its own; absent: its own
};

/// Room for low-rank adapters that is taken before any is loaded, or the adapters themselves.
struct AdapterSlots {
    double slots, rank;
    std::vector<std::string> targets;  ///< names of linear layers; `all-linear` for all but the vocabulary's
    const Encoding* encoding;
    bool vocabulary_too;  ///< some models' embeddings have slots as well: above the estimate
};

/// What the towers before a decoder compute at once, and how they are stored where they have a file of their own.
struct SeenImages {
    double patches = 0;                                      ///< that one pass of a tower is given
    double tokens = 0;                                       ///< of the decoder that come out of it
    const Encoding *matrices = nullptr, *vectors = nullptr;  ///< of a file of their own; null: they are in the model's
};

struct Companions {
    std::vector<Companion> models;
    std::optional<AdapterSlots> adapters;
    std::optional<SeenImages> images;
};

/// The row with its name, and those of all rows below, one step further from the top: `draft.weights.norm`. What is
/// summed is summed anew, so that its formula names its parts as they are now called.
template <class N>
void nest(Row<N>& row, std::string_view above) {
    for (size_t phase = 0; phase < row.cells.size(); ++phase) {
        Cell<N>& cell = row.cells[phase];
        if constexpr (std::is_same_v<N, Traced>) {
            const NodePtr& node = cell.bytes.n.node();
            const std::string path =
                std::string(above) + "." + (node->made == Made::row ? node->name : std::string(row.id.text()));
            if (row.children.empty()) {
                if (node->made == Made::row) cell.bytes.n = as_row<N>(path, Traced(node->left));
            } else {
                if (phase == 0)
                    for (Row<N>& child : row.children) nest(child, above);
                sum_children(row, phase, path);
            }
        }
    }
}

/// A row before what lies above the allocated bytes.
template <class N>
void insert_allocated(Ledger<N>& ledger, Row<N> row) {
    size_t at = ledger.rows.size();
    while (at > 0 && !is_allocated(ledger.rows[at - 1].id)) --at;
    ledger.rows.insert(ledger.rows.begin() + static_cast<std::ptrdiff_t>(at), std::move(row));
}

/// A row of another model's rows, of those that `counts` accepts; nothing where there are none.
template <class N, class Counts>
void add_nested(Ledger<N>& ledger, RowId::Known id, std::vector<Row<N>> rows, Counts counts) {
    Row<N> row{id, Basis::exact, std::vector<Cell<N>>(ledger.phases.size())};
    for (Row<N>& child : rows) {
        if (!counts(child.id)) continue;
        nest(child, row.id.text());
        if (child.basis != Basis::exact) row.basis = child.basis;
        row.children.push_back(std::move(child));
    }
    if (row.children.empty()) return;
    sum_children(row);
    insert_allocated(ledger, std::move(row));
}

/// Rows of a companion that are held all the time: its step is never at the same moment as the model's own.
inline bool is_held(const RowId& id) { return id == RowId::weights || id.is_cache(); }

}  // namespace plimsoll
