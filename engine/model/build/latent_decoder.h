/// DeepSeek-V2's and -V3's models and those of their kin.
#pragma once

#include "model/build/decoder.h"

namespace plimsoll {

/// The layer with latent attention and a dense feed-forward.
LayerShape read_latent_layer(Reader& config);

/// Latent attention, experts after some dense layers, an indexer where `indexed`.
Model latent_decoder(Reader& config, bool indexed, bool correction_buffer = true);

}  // namespace plimsoll
