/// Which parts of a model a backward pass reaches, and which of its two ends are trained.
#pragma once

#include "estimate/training/parameters/trained.h"

namespace plimsoll {

/// The first layer that a backward pass reaches: what is below is frozen by name, or by the share that is trained, which
/// the last layers make up.
inline size_t first_trained(const Model& model, const TrainingRequest& request) {
    size_t position = 0;
    while (position < model.order.size() && !model.kinds[model.order[position]].block.runs_backward()) ++position;
    if (position > 0 || request.method.parts) return position;
    const double frozen = 1 - trained_share<double>(request);
    return static_cast<size_t>(rounded_down(frozen * static_cast<double>(model.order.size())));
}

/// Index of the vocabulary product among a head's operations.
inline size_t vocabulary_product(const Block& head) {
    size_t product = head.ops.size();
    while (product > 0 && !head.ops[product - 1].is<Linear>()) --product;
    return product > 0 ? product - 1 : head.ops.size();
}

/// Whether everything is trained: no adapters, and nothing frozen.
inline bool trains_all(const Model& model, const TrainingRequest& request) {
    return !request.method.adapter && !request.method.parts && first_trained(model, request) == 0;
}

/// Whether the vocabulary matrix is, as it stands in the head.
inline bool trains_head(const Model& model, const TrainingRequest& request) {
    if (request.method.parts) return !model.head.is_frozen(vocabulary_product(model.head));
    return trains_all(model, request);
}

/// Whether the embedding is.
inline bool trains_embedding(const Model& model, const TrainingRequest& request) {
    return request.method.parts ? model.embedding.runs_backward() : trains_all(model, request);
}

/// What lies above the layers; where cut cross-entropy takes the vocabulary product along, without its logits.
inline Block head_of(const Model& model, const TrainingRequest& request) {
    Block block = model.head;
    const size_t product = vocabulary_product(block);
    if (!model.vocab_size || product >= block.ops.size()) return block;
    const LossKernel kernel = request.loss.kernel;
    if (kernel == LossKernel::cut) (*block.ops[product].as<Linear>()).in_loss = true;
    const auto capped = block.ops.begin() + static_cast<std::ptrdiff_t>(product) + 1;
    if (kernel == LossKernel::fused) block.ops.erase(capped, block.ops.end());  // the loss caps its own logits
    return block;
}

/// What runs between the last layer and the vocabulary head.
inline Block before_head(const Model& model) {
    Block block = model.head;
    if (model.vocab_size)
        block.ops.erase(block.ops.begin() + static_cast<std::ptrdiff_t>(vocabulary_product(block)), block.ops.end());
    return block;
}

}  // namespace plimsoll
