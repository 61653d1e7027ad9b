/// What the towers before a decoder take while they look at images: a layer's input and its norm's output beside the
/// widest product and its activation, for every patch at once. A rule of thumb for all towers alike: kernels differ.
#pragma once

#include "estimate/inference/companions.h"
#include "estimate/ledger/shared_rows.h"

namespace plimsoll {

inline bool sees(const Tower& tower) {
    return tower.name == "vision" || tower.name == "audio" || tower.name == "projector";
}

/// Width of the tower's layers, and the widest of their matrices' outputs.
template <class N>
N widths_alive(const Tower& tower) {
    N hidden{0}, widest{0};
    for (const LayerKind& kind : tower.kinds) {
        if (kind.name != "layer") continue;
        for (const Weight<N>& weight : weights_of<N>(kind.block)) {
            if (weight.vector) continue;
            if (value_of(hidden) == 0) hidden = weight.rows;
            if (value_of(weight.cols) > value_of(widest)) widest = weight.cols;
        }
    }
    return N(2) * (hidden + widest);
}

/// Bytes of one tower's pass over the patches; `width` of a value.
template <class N>
Bytes<N> tower_pass(const Model& model, const SeenImages& images, const Bytes<N>& width) {
    N widest{0};
    for (const Tower& tower : model.towers)
        if (tower.name == "vision")
            if (const N alive = widths_alive<N>(tower); value_of(alive) > value_of(widest)) widest = alive;
    return input<N>("patches_at_once", images.patches, "request: inference.images") *
           named("values_alive_of_a_patch", widest) * width;
}

/// Where the pass over the images is a fuller moment than the decoder's step, it is the row; a server that measures both
/// holds the images' outputs beside its step. (vLLM, v1/worker/gpu_model_runner.py: profile_run, encoder_cache)
template <class N>
void see_images(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs) {
    const SeenImages& images = *inputs.companions->images;
    if (!model.hidden_size) return;
    const Bytes<N> out = input<N>("image_tokens", images.tokens, "request: inference.images") *
                         as<N>(*model.hidden_size) * bytes_of<N>(inputs.compute);
    const Bytes<N> pass = tower_pass<N>(model, images, bytes_of<N>(inputs.compute)) + out;
    for (Row<N>& row : ledger.rows) {
        if (row.id != RowId::activations) continue;
        for (size_t phase = 1; phase < row.cells.size(); ++phase) {
            if (phase == inference_phase::decode && inputs.runtime->memory_fraction == 0)
                continue;  // measured at the start
            const bool measures = inputs.runtime->memory_fraction > 0;
            const Bytes<N> step = measures ? row.cells[phase].bytes + out : row.cells[phase].bytes;
            if (value_of(pass) > value_of(step))
                row.cells[phase] = estimated<N>("activations", pass), row.basis = Basis::rule;
            else if (measures)
                row.cells[phase] = estimated<N>("activations", step);
        }
    }
}

/// The towers of a file of their own (mmproj), and the buffer that encoding one image computes in, in fp32.
/// Source: llama.cpp, tools/mtmd/clip.cpp: on the first device, whatever the layers' placement.
template <class N>
void add_projector(Ledger<N>& ledger, const Model& model, const SeenImages& images) {
    Bytes<N> bytes{N(0)};
    for (const Tower& tower : model.towers) {
        if (!sees(tower)) continue;
        for (const LayerKind& kind : tower.kinds)
            for (const Weight<N>& weight : weights_of<N>(kind.block)) {
                const N elements = as<N>(kind.count) * named(weight.name, weight.elements());
                bytes += (weight.vector ? images.vectors : images.matrices)->values(elements);
            }
    }
    if (value_of(bytes) == 0) return;
    Row<N> weights{RowId::weights, Basis::modelled, std::vector<Cell<N>>(ledger.phases.size())};
    always(weights, estimated<N>("weights", bytes));
    Row<N> work{RowId::activations, Basis::rule, std::vector<Cell<N>>(ledger.phases.size())};
    always(work, estimated<N>("activations", tower_pass<N>(model, images, bytes_of<N>(Dtype::float32))));
    add_nested<N>(ledger, RowId::projector, {std::move(weights), std::move(work)}, any_row);
}

}  // namespace plimsoll
