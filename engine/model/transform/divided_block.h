/// One block of a model as a device of a tensor-parallel group runs it, and as one of a group does that exchanges heads
/// for tokens.
///
///     scans    by heads, and by the groups of heads that share what goes into the state; a scan of single channels by
///              channels: its product of Δ, B and C reads divided channels, and is summed over the devices
///     experts   by their width: each by as many devices as the layout says where experts are divided among devices
///     whole     what a product gives that is not divided by its outputs, and all that is cut of it
///
/// Source: Megatron-LM, core/parallel_state.py (expert_tensor_parallel_size), core/tensor_parallel/layers.py, core/ssm/mamba_mixer.py, core/ssm/gated_delta_net.py; vLLM,
/// layers/mamba/mamba_mixer.py, short_conv.py; DeepSpeed, runtime/sequence_parallel/ulysses_sp.py.
#pragma once

#include "inputs/layout.h"
#include "model/core/model.h"
#include "number/result.h"

namespace plimsoll {

/// Why the devices of a group cannot share a block's matrices; nothing where they can.
std::optional<Error> refused_widths(const Block& block, const TrainingLayout& layout);

/// Why the devices that share a sequence cannot exchange a block's heads for tokens; nothing where they can.
std::optional<Error> refused_exchange(const Block& block, const TrainingLayout& layout);

/// Rows of the vocabulary on one device, of as many as there are after padding.
Traced vocabulary_here(const Traced& vocabulary, const TrainingLayout& layout);

/// Gives each operation its share of heads and widths.
void divide_block(const Model& whole, const TrainingLayout& layout, Block& block);

/// Sets an exchange before each attention and one behind it.
void exchange_heads(const TrainingLayout& layout, Block& block);

}  // namespace plimsoll
