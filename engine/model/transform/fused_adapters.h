/// Adapters that run in the same kernel as the products beside which they stand: Unsloth's LoRA_QKV for queries, keys
/// and values, LoRA_W for the output's product, LoRA_MLP for a gated feed-forward as a whole. Each takes the place of
/// PEFT's operations where all that it computes has an adapter and no bias. (Unsloth, models/llama.py,
/// patch_peft_model; kernels/fast_lora.py)
#pragma once

#include "inputs/workload.h"
#include "model/core/model.h"

namespace plimsoll {

void fuse_adapters(Model& model, const Adapter& adapter);

}  // namespace plimsoll
