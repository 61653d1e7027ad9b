/// Mixers in place of attention: Mamba's and Mamba 2's. Each is a block that reads `normed` and makes `mixed`.
#pragma once

#include "model/build/sub_layers/append.h"
#include "model/read/architecture.h"

namespace plimsoll {

/// Mamba 1's mixer (and Jamba's, which normalises Δ, B and C).
struct MambaShape {
    Traced hidden, inner, state, kernel, rank;
    bool bias = false, conv_bias = true, inner_norms = false;
};
Block mamba(const MambaShape& shape);

/// Mamba 2's mixer.
struct Mamba2Shape {
    Traced hidden, inner, heads, groups, state, kernel;
    bool bias = false, output_bias = false, conv_bias = true, norm = true;
    Dtype state_dtype = Dtype::sixteen_bit;
};
Block mamba2(const Mamba2Shape& shape, Label to = "mixed");

/// The mixer beside attention, in the fields `mamba_n_heads`, `mamba_n_groups`, `mamba_d_state`, … of the hybrids.
Mamba2Shape read_mamba2(Reader& config, const Traced& hidden, const Traced& inner);

/// A count that may also be the word `auto`.
Traced count_or_auto(Reader& config, const char* name, const Traced& otherwise);

}  // namespace plimsoll
