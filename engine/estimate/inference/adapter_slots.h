/// Row `adapters` of inference: low-rank adapters that a runtime holds beside the model, A [rank, in] and B [out, rank]
/// for each target.
///
///     servers          slots for `max_loras` adapters of `max_lora_rank`, made at the start for every linear layer,
///                      whatever is loaded; inputs of a column-parallel layer and outputs of a row-parallel one are
///                      whole on every device
///     llama.cpp, PEFT  the adapters themselves
///
/// Source: vLLM, lora/layers (create_lora_weights); SGLang, lora/mem_pool.py; llama.cpp, src/llama-adapter.cpp; PEFT,
/// tuners/lora/layer.py.
#pragma once

#include "estimate/inference/companions.h"
#include "model/core/profile.h"

namespace plimsoll {

inline bool is_adapted(const Weight<double>& weight, const AdapterSlots& adapters) {
    if (weight.vector || weight.part == Part::norm || weight.part == Part::router || weight.part == Part::embedding ||
        weight.part == Part::head || weight.name == "conv1d")
        return false;
    for (const std::string& target : adapters.targets)
        if (target == "all-linear" || target == weight.name) return true;
    return false;
}

/// Elements of all slots. `layers(kind, experts)`: layers of a kind, or their experts, that are here; `inputs(weight,
/// block)` and `outputs(weight, block)`: of one layer's matrix, all of its copies.
template <class N, class Layers, class Inputs, class Outputs>
N adapter_elements(const Model& model, const AdapterSlots& adapters, Layers layers, Inputs inputs, Outputs outputs) {
    N widths{0};
    for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
        const Block& block = model.kinds[kind].block;
        const std::vector<Weight<double>> plain = weights_of<double>(block);
        const std::vector<Weight<N>> weights = weights_of<N>(block);
        for (const bool experts : {false, true}) {  // these may lie elsewhere than their layer
            N of_a_layer{0};
            for (size_t index = 0; index < plain.size(); ++index)
                if (is_adapted(plain[index], adapters) && (plain[index].part == Part::experts) == experts)
                    of_a_layer += named({plain[index].name, "_in_and_out"},
                                        inputs(weights[index], block) + outputs(weights[index], block));
            if (value_of(of_a_layer) > 0) widths += layers(kind, experts) * named("adapted_in_a_layer", of_a_layer);
        }
    }
    const N slots = input<N>("adapters_held", adapters.slots, "request: inference.lora.max_loras");
    const N rank = input<N>("adapter_rank", adapters.rank, "request: inference.lora.max_lora_rank");
    return slots * rank * widths;
}

/// `vocabulary`: elements of the slots that some models' embeddings and heads have too.
template <class N>
void add_adapters(Ledger<N>& ledger, const AdapterSlots& adapters, const N& elements, double vocabulary) {
    if (value_of(elements) == 0) return;
    const bool exact = !adapters.vocabulary_too;
    Row<N> row{RowId::adapters, exact ? Basis::exact : Basis::modelled, std::vector<Cell<N>>(ledger.phases.size())};
    const Bytes<N> bytes = adapters.encoding->bytes(named("adapter_elements", elements));
    Cell<N> cell = exactly<N>("adapters", bytes);
    if (!exact) cell.high += value_of(adapters.encoding->bytes(vocabulary));
    for (Cell<N>& each : row.cells) each = cell;
    insert_allocated(ledger, std::move(row));
}

}  // namespace plimsoll
