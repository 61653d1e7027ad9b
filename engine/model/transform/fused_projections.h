/// Queries, keys and values of one product: a matrix as wide as all three, whose output they are views of.
///
///     q_proj [in, q]   k_proj [in, kv]   v_proj [in, kv]   ──▶   qkv_proj [in, q + 2 kv] ──▶ q | k | v
///
/// Parameters stay as they are; whoever keeps one of the three keeps the whole output. (Megatron-LM; litgpt model.py)
#pragma once

#include "inputs/workload.h"
#include "model/core/model.h"

namespace plimsoll {

/// Does so in every layer that has the three side by side.
void fuse_projections(Model& model);

/// Which parts of the fused matrices those of `q_proj`, `k_proj` and `v_proj` are that `targets` names.
AdaptedParts adapted_parts(const Model& model, const std::vector<std::string>& targets);

}  // namespace plimsoll
