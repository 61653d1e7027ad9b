/// Modules that a published quantisation leaves in 16 bits by name, beside what its format always leaves.
///
/// Source: transformers, utils/quantization_config.py (modules_to_not_convert, llm_int8_skip_modules); compressed-tensors,
/// quantization/quant_config.py (ignore: names, or regular expressions behind "re:"); TensorRT Model Optimizer,
/// hf_quant_config.json (exclude_modules: names with *), and `ignore` in config.json.
#pragma once

#include <string>
#include <vector>

#include "policies/encodings/weight_mix.h"

namespace plimsoll {

/// Gives the matrices of the decoder's layers whose modules are named the encoding `wide`: of some layers of a kind
/// where the names say which.
void leave_wide(const Model& model, const std::vector<std::string>& names, const Encoding& wide, WeightMix& mix);

}  // namespace plimsoll
