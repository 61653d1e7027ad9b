/// 2:4 sparsity: of every four values along a row two are zero and left out; two bits beside each value that is kept
/// say where it stood.
#pragma once

#include "policies/encodings/weight_mix.h"

namespace plimsoll {

/// Has the decoder's linear layers that `mix` stores in `dense` stored as 2:4; an empty mix stores all in `dense`.
/// Embeddings, routers, the vocabulary head and towers stay, as pruning recipes leave them.
/// Source: PyTorch, torch/sparse/semi_structured.py (packed values and metadata) and ATen/native/sparse/cuda/
/// cuSPARSELtOps.cpp (compression to 9/16 of 16-bit values, 10/16 of 8-bit ones); vLLM, gptq_marlin_24 (4-bit values).
void leave_out_two_of_four(const Model& model, const Encoding& dense, WeightMix& mix);

}  // namespace plimsoll
