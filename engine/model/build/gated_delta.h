/// Models of gated delta-net layers and layers of gated attention: Qwen3-Next and Qwen3.5.
#pragma once

#include "model/build/decoder.h"

namespace plimsoll {

/// Dense or with experts, after `layer_types`, else attention in each `full_attention_interval`th layer. `fused`: the
/// delta net's q, k, v and gate come from one matrix, its decay and rate from another.
/// Source: transformers, models/qwen3_next, qwen3_5, qwen3_5_moe: modeling; vLLM, qwen3_next_mtp.py.
Model gated_delta_decoder(Reader& config, bool fused);

}  // namespace plimsoll
