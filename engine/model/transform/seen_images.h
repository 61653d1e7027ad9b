/// A model whose vision tower runs: its blocks become layers before the decoder's, and are held, recomputed and stepped as
/// those are, over vectors of their own.
///
///     token ids ── embedding ─▶ embeddings ──────────────────────▶ x ── the decoder's layers ─▶
///     pixels ── tower ─▶ patches ── projector ─▶ image tokens ─────┘ take the places that are theirs
///
/// Source: transformers, models/siglip, qwen2_5_vl, pixtral, internvl: modeling_*.py (get_image_features, masked_scatter);
/// LLaMA-Factory, freeze_vision_tower and freeze_multi_modal_projector.
#pragma once

#include "inputs/choices.h"
#include "inputs/workload.h"
#include "model/core/model.h"

namespace plimsoll {

/// Whether a tower's blocks are described as they run.
bool has_running_tower(const Model& model);

/// How many of a model's layers are of a tower that runs: the first ones.
size_t tower_layers(const Model& model);

/// Whether checkpointing recomputes layers of the kind: what stands before and behind a tower's layers it does not.
inline bool is_checkpointed(const LayerKind& kind) {
    return kind.stream == Stream::hidden_states || kind.stream == Stream::patches_of_layer;
}

/// The width of what the layers of a kind are given: of a tower's, that of its first product, or of its norm.
Traced width_of(const LayerKind& kind, const Traced& hidden);

/// Puts the running blocks of its towers before the decoder's layers. `trained`: which of them are; a convolution of
/// patches has no adapter (`adapters`), and no gradient is asked for of pixels.
void run_towers(Model& model, TrainedTowers trained, bool adapters);

/// Once a tower's adapters are known: below the first of them no gradient is asked for, and nothing is kept.
void follow_adapters(Model& model, const Adapter& adapter);

}  // namespace plimsoll
