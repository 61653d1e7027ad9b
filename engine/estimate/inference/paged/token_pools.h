/// Pools of SGLang: every layer has a place for each token, whatever it keeps.
///
///     token      bytes of all layers; layers with windows have a pool of their own, of a share of the tokens, in the
///                classes that the runtime knows; of others they hold all tokens
///     states     of recurrent layers: so many slots that they take `state_ratio` of what tokens get; a sequence takes
///                several, for the prefixes that it ends
///     compressed of entries that stand for many tokens: what goes into the next ones, a ring for each page of windows
///     draft      a token of its layers, too, since releases count it
///
/// Source: SGLang, model_executor/pool_configurator.py (DefaultPoolConfigurator, HybridSWAPoolConfigurator),
/// model_runner_kv_cache_mixin.py (handle_max_mamba_cache, MAMBA_CACHE_SIZE_MAX_RUNNING_REQUESTS_RATIO),
/// memory_profiler.py (DSv4MemoryCalculator), deepseekv4_memory_pool.py (get_compress_state_ring_size); pull request
/// 23862 (drafts).
#pragma once

#include "estimate/inference/paged/paged_cache.h"

namespace plimsoll {

struct PoolCapacity {
    double bytes = 0;  ///< that tokens get
    double share = 1;  ///< of what is left, as a rule
    double tokens = 0, sequences = 0;
    double beyond = 0;  ///< bytes of drafts' pools that are not of the share
};

/// What so many bytes hold on one device of a stage.
PoolCapacity pool_capacity(const Model& model, const InferenceInputs& inputs, const Shard<double>& shard, double bytes);

}  // namespace plimsoll
