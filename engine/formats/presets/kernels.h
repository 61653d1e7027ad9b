/// A runtime's kernels for packed weights, in its preset.
#pragma once

#include "formats/presets/preset_fields.h"

namespace plimsoll {

/// Fills in `kernels`, in the order in which they are tried.
void read_kernels(PresetFields& fields, const Json& preset, Runtime& runtime);

}  // namespace plimsoll
