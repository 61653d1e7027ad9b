/// transformers over several devices: whole layers on each, in order, the embedding on the first and the head behind the
/// last layer; what fits nowhere lies in the host's memory, and is copied matrix by matrix to the first device as it is
/// computed there, where its cache is.
///
/// Source: transformers, integrations/accelerate.py (_get_device_map); accelerate, big_modeling.py (dispatch_model:
/// main_device), hooks.py (AlignDevicesHook).
#pragma once

#include "estimate/inference/contiguous/contiguous.h"
#include "estimate/ledger/placed.h"

namespace plimsoll {

/// The layers of one place, and which of the model's ends are with them.
struct ModelPart {
    size_t begin = 0, end = 0;
    bool embedding = false, head = false;

    bool empty() const { return begin == end && !embedding && !head; }
};

/// One for each device, and the host's last.
std::vector<ModelPart> parts_of(const Model& model, const InferenceInputs& inputs);

/// The part as a model of its own, and the inputs with its share of the mix.
Model model_of(const Model& whole, const ModelPart& part);
InferenceInputs inputs_of(const Model& whole, const InferenceInputs& inputs, const ModelPart& part, size_t device);

/// Adds what a row of the same name keeps: of layers that lie elsewhere.
template <class N>
void add_cells(Ledger<N>& ledger, const Row<N>& other) {
    Row<N>* row = row_named(ledger, other.id.known());
    if (!row) return ledger.rows.push_back(other);
    for (const Row<N>& child : other.children)
        for (Row<N>& mine : row->children)
            if (mine.id == child.id)
                for (size_t phase = 0; phase < mine.cells.size(); ++phase)
                    mine.cells[phase] = exactly<N>({row->id.text(), ".", mine.id.text()},
                                                   mine.cells[phase].bytes + child.cells[phase].bytes);
    sum_children(*row);
}

/// What lies on the host is computed on the first device: its cache is there, and one matrix at a time.
template <class N>
void add_offloaded(Placed<N>& placed, const Model& model, const InferenceInputs& inputs) {
    const Ledger<N> away = contiguous_ledger<N>(model, inputs);
    Ledger<N>& first = placed.devices.front().ledger;
    for (const Row<N>& row : away.rows) {
        if (row.id.is_cache()) add_cells(first, row);
        if (row.id == RowId::weights) placed.host.rows.push_back(row);
    }
    double largest = 0;
    for (const LayeredWeight<double>& each : weights_of<double>(model))
        largest = maximum(largest, each.weight.rows * each.weight.cols * each.weight.copies);
    Row<N>& row = first.add(RowId::loading, Basis::modelled);
    const Bytes<N> matrix{input<N>("largest_matrix", rounded_down(largest * inputs.weights->bits / 8),
                                   "accelerate, hooks.py: AlignDevicesHook")};
    for (const size_t phase : {inference_phase::prefill, inference_phase::decode})
        row.cells[phase] = estimated<N>("loading", matrix);
}

/// What the first device and those with modules hold; another is never touched, and has no context even.
template <class N>
Ledger<N> ledger_of(const Model& model, const InferenceInputs& inputs, const ModelPart& part, size_t device) {
    if (part.empty() && device > 0) {
        Ledger<N> idle;
        idle.phases = inference_phase::names();
        return idle;
    }
    return contiguous_ledger<N>(model_of(model, part), inputs_of(model, inputs, part, device));
}

template <class N>
Placed<N> several_devices(const Model& model, const InferenceInputs& inputs) {
    const std::vector<ModelPart> parts = parts_of(model, inputs);
    Placed<N> placed;
    placed.host.phases = inference_phase::names();
    for (size_t device = 0; device + 1 < parts.size(); ++device) {
        DeviceClass<N> part{"device " + std::to_string(device), 1, ledger_of<N>(model, inputs, parts[device], device)};
        if (inputs.devices) part.device = &(*inputs.devices)[device];
        placed.devices.push_back(std::move(part));
    }
    if (!parts.back().empty())
        add_offloaded<N>(placed, model_of(model, parts.back()), inputs_of(model, inputs, parts.back(), 0));
    return placed;
}

}  // namespace plimsoll
