/// The part of a model that one device runs when several share its matrices, its experts or its layers: a model of its
/// own, with fewer heads, narrower matrices and fewer layers, which all else then treats as any other.
///
///     tensor    heads, and the widths inside attention and feed-forward; the vocabulary, after padding. What lies
///               between the products (norms, routers, residual stream) is whole
///     expert    whole experts, or each in parts; each device of a group works for the tokens of all of them, an equal
///               share of those that are routed, or so many times that as the device has which is chosen most. Devices
///               that share matrices have a part of the tokens each: those that share an expert work for all of theirs
///     pipeline  a run of layers; the first stage has the embedding, the last one the final norm and the head
///
/// Source: Megatron-LM, core/tensor_parallel/layers.py, core/tensor_parallel/vocab_utils (padding to 128 × tensor),
/// core/transformer/moe; core/transformer/transformer_block.py (get_num_layers_to_build); PyTorch, DTensor.
#pragma once

#include "inputs/layout.h"
#include "model/core/model.h"
#include "number/result.h"

namespace plimsoll {

/// Experts of the layer that has most of them; 0 where none has any.
double most_experts(const Model& model);

/// Why a model cannot be divided so; nothing where it can.
std::optional<Error> refused_division(const Model& model, const TrainingLayout& layout);

/// What each device of a group holds that shares matrices and experts. The model must not be refused.
Model shared_model(const Model& whole, const TrainingLayout& layout);

/// Share of a model's parameters that lies in its experts; their router, and what is computed around all of them, every
/// copy of the model has.
double share_in_experts(const Model& model);

/// The kinds of the layers that a stage of a pipeline runs, in their order.
std::vector<unsigned short> order_of_stage(const Model& whole, const TrainingLayout& layout, size_t stage);

/// The layers of one stage of a pipeline, and what of the model's ends belongs to it. With several parts a stage, its
/// layers are taken from as many places.
Model stage_model(const Model& whole, const TrainingLayout& layout, size_t stage);

/// Layers from one on, up to another, and which of the model's ends are with them; the head of a tied model reads its
/// embedding, which must be with it. Towers are where the embedding is.
Model layers_of(const Model& whole, size_t begin, size_t end, bool embedding, bool head);

}  // namespace plimsoll
