/// What Gemma 3n and Gemma 4 add to a layer: an embedding of the token for each layer; and their audio tower.
#pragma once

#include "model/build/towers.h"

namespace plimsoll {

/// x_out, gated by the token's embedding for this layer, of `width`, is added to itself as `x_final`.
void append_layer_input(Block& layer, const Traced& hidden, const Traced& width);

/// The table of those embeddings, and the projection of the usual one that is added to them.
void append_layer_embeddings(Reader& config, Model& model, const Traced& width);

/// The conformer in `audio_config`: two convolutions over the spectrogram, then layers of two feed-forwards, attention
/// with relative positions, and a light convolution. Leaves the reader in `audio_config`.
void conformer_tower(Reader& config, Model& model);

}  // namespace plimsoll
