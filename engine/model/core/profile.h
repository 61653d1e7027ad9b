/// A model's answers, gathered over its layers: parameters by part, what generation keeps, what a pass saves. Each is
/// compiled once for either number (profile.cpp).
#pragma once

#include <string_view>
#include <vector>

#include "model/core/model.h"

namespace plimsoll {

/// One of a block's weights, and how many layers have it.
template <class N>
struct LayeredWeight {
    Weight<N> weight;
    N layers;
    std::string_view part = {};  ///< of the decoder, or the name of a tower
    bool tower = false;
};

template <class N>
struct PartParameters {
    std::string_view name;  ///< of a part of the decoder, or of a tower of the model
    N elements;
};

/// The weights of a block, operation by operation.
template <class N>
std::vector<Weight<N>> weights_of(const Block& block);

/// Those of the operations that are not frozen.
template <class N>
std::vector<Weight<N>> unfrozen_weights_of(const Block& block);

/// Every weight of the model once; a tied head is the embedding and is not listed again. Prediction layers are left out.
template <class N>
std::vector<LayeredWeight<N>> weights_of(const Model& model);

/// Parameters of one block.
template <class N>
N parameters(const Block& block);

/// Parameters of one tower.
template <class N>
N parameters(const Tower& tower);

/// Adds to the entry of that name, or begins one.
template <class N>
void add_to_part(std::vector<PartParameters<N>>& parts, std::string_view name, const N& elements);

/// Parameters by part, in the order in which the parts first appear.
template <class N>
std::vector<PartParameters<N>> parameters_by_part(const Model& model);

/// Parameters of the whole model: as typed by hand, else the sum of its parts.
template <class N>
N parameters(const Model& model);

/// Parameters that one token visits: all but the experts it is not routed to.
double active_parameters(const Model& model);

/// The block's attention; null where it has none whose heads could be divided.
const Attention* attention_of(const Block& block);

/// Runs a block's operations over a tape that holds the block's input `x` [tokens, hidden].
template <class N>
Tape<N> run(const Block& block, const Pass<N>& pass, const N& hidden);

/// What one operation of a block takes of a device, and which it is.
template <class N>
struct BlockCost {
    Cost<N> cost;
    size_t operation;  ///< index in the block
};

/// What a pass over a block takes of a device, operation by operation.
template <class N>
std::vector<BlockCost<N>> cost_of(const Block& block, const Pass<N>& pass, const N& hidden);

/// What generation keeps of a block's operations.
template <class N>
std::vector<Kept<N>> kept_by(const Block& block);

}  // namespace plimsoll
