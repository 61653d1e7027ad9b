/// Tables of cos and sin that servers make of a model's positions, each kept whole on every device.
///
///     width      of what is rotated of a head: partial_rotary_factor of it
///     positions  those that the model was made for; of linear and dynamic scaling `factor` times as many, of YaRN
///                `factor` times the original ones, of LongRoPE both kinds one after the other
///
/// Layers that look at a window alone have a table of their own where their rotation is another one.
/// Source: vLLM, layers/rotary_embedding (get_rope and its classes), models/gemma3.py.
#pragma once

#include "model/core/model.h"
#include "model/read/facts.h"

namespace plimsoll {

/// The tables of a model whose blocks are built; none where nothing is rotated, or no length is said.
RotaryTables rotary_tables(const Facts& facts, const Model& model);

}  // namespace plimsoll
