/// The share of a device that a server claims where it is told none: what is left when bytes are set aside for a batch,
/// for graphs, for each device and for drafts.
///
///     reserve   always + devices · of_a_device + max(batch, 2048) · of_a_token + graph_batch · of_a_graph_row
///               + prefill graphs; of large devices ten gibibytes at least; + drafts
///     share     (memory − reserve) / memory, to three digits; of models with a tower less, by the tower's size
///
/// Source: SGLang, server_args.py: __post_init__ (0.4.6: by devices; 0.4.7: by sizes, pull request 7054),
/// _handle_gpu_memory_settings (0.5.3, pull request 10975; prefill graphs by default: pull request 16331),
/// _generate_piecewise_cuda_graph_tokens, adjust_mem_fraction_for_vlm (pull request 6881); arg_groups, 2026.
#pragma once

#include "policies/runtimes/server_defaults.h"

namespace plimsoll {

/// Defaults on a device of this size; null where the rule knows no sizes.
const SizedReserve* sized_reserve(const ShareRule& rule, double memory_bytes);

/// 0 where the rule says none.
double default_share(const ShareRule& rule, const ServerSetting& setting);

}  // namespace plimsoll
