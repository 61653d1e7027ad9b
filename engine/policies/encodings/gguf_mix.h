/// The type of every tensor of a GGUF file, as llama.cpp's quantizer chooses it.
#pragma once

#include "policies/encodings/weight_mix.h"

namespace plimsoll {

/// The mix of a file type (`gguf-q4_k_m`, …), without an importance matrix. Vision and audio towers are in a file of
/// their own (mmproj) and not in the mix. `mxfp4_experts`: the model is published with its experts in MXFP4, which the
/// converter passes through. `placement` may be null: then all is at place 0.
WeightMix gguf_mix(const Model& model, const Encoding& file_type, const Encodings& encodings, bool mxfp4_experts,
                   const Placement* placement);

}  // namespace plimsoll
