/// One pool of equal pages for layers that keep different things.
///
///     groups    layers of one type (all tokens, a window, a state) in groups of as many layers: the fewest of any type,
///               or the most where that is less than half more; the last group of a type is padded
///     page      of one layer: `page` tokens of attention; where a state is larger, so many more tokens that it fits
///     sequence  of each group ⌈tokens / tokens of a page⌉ pages; a window's tokens are those of the window and of a
///               step, and a page more; a state is one page, one more where prefixes are kept, and one for each
///               drafted token
///
/// Source: vLLM, v1/core/kv_cache_utils.py (_get_kv_cache_groups_uniform_page_size, unify_kv_cache_spec_page_size,
/// get_max_concurrency_for_kv_cache_config), v1/kv_cache_interface.py (SlidingWindowSpec, ChunkedLocalAttentionSpec,
/// MambaSpec), platforms/interface.py (attention block size of hybrids), model_executor/layers/mamba/mamba_utils.py.
#pragma once

#include "estimate/inference/paged/paged_cache.h"

namespace plimsoll {

struct PageGroups {
    double page_bytes = 0;         ///< of one layer
    double layers = 0;             ///< of one group: a page of the pool is so many pages of a layer
    double pages_of_sequence = 0;  ///< of the longest length, over all groups
};

/// Nothing where all layers keep alike, or where pages of the types do not divide each other.
std::optional<PageGroups> page_groups(const Model& model, const InferenceInputs& inputs, const Shard<double>& shard);

}  // namespace plimsoll
