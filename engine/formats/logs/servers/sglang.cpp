// SGLang: model_executor/model_runner.py, mem_cache/memory_pool.py, managers/scheduler.py. Every GB is 2^30, and `avail mem`
// is what the device has free, whoever took the rest.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line sglang_lines[] = {
    {"Init torch distributed begin. avail mem=%b", "device_free"},
    {"Init torch distributed ends. %*mem usage=%b", "non_torch"},
    {"Load weight begin. avail mem=%b", "device_free"},
    {"Load weight end. %*type=%w, dtype=%w, avail mem=%b, mem usage=%b", "=arch/draft =dtype device_free weights"},
    {"Load weight end. %*type=%w, quant=%w, %*avail mem=%b, mem usage=%b",
     "=arch/draft =quantization device_free weights"},
    {"Load weight end. %*type=%w, %*avail mem=%b, mem usage=%b", "=arch/draft device_free weights"},
    {"Load weight end. %*type=%w, dtype=%w, avail mem=%b", "=arch/draft =dtype device_free"},  // to 0.4.1
    {"Load weight end. %*type=%w, %*avail mem=%b", "=arch/draft device_free"},
    {"load weight begin. avail mem=%b", "device_free"},  // small letters to 0.3
    {"load weight end. %*type=%w, dtype=%w, avail mem=%b", "=arch/draft =dtype device_free"},
    {"memory pool end. avail mem=%b", "device_free"},
    {"Using KV cache dtype: %w", "=kv_dtype"},

    // How the pool's size is found: the second figure is what was free before anything was loaded.
    {"Memory profiling: available_gpu_memory=%b, total_gpu_memory=%b, mem_fraction_static=%n, rest_memory=%b",
     "device_free device_free =mem_fraction_static kv_cache_budget"},
    {"memory calculation: bytes_per_full_token=%n, available_bytes=%b, %*full_token=%i",
     "- ~kv_cache_budget kv_cache_tokens"},
    {"Use sliding window memory pool. full_layer_tokens=%i, swa_layer_tokens=%i", "kv_cache_tokens -"},
    {"Allocating %b host memory for hierarchical KV cache", "host_kv_cache"},

    // #tokens since 0.4.3; the type of the cache within the line in newer builds. Latent attention has one size.
    {"KV Cache is allocated. %*dtype: %w, #tokens: %i, K size: %b, V size: %b",
     "=kv_dtype kv_cache_tokens kv_cache_keys kv_cache_values"},
    {"KV Cache is allocated. %*dtype: %w, #tokens: %i, KV size: %b", "=kv_dtype kv_cache_tokens kv_cache"},
    {"KV Cache is allocated. %*#tokens: %i, K size: %b, V size: %b", "kv_cache_tokens kv_cache_keys kv_cache_values"},
    {"KV Cache is allocated. %*#tokens: %i, KV size: %b", "kv_cache_tokens kv_cache"},
    {"KV Cache is allocated. %*K size: %b, V size: %b", "kv_cache_keys kv_cache_values"},
    {"KV Cache is allocated. %*KV size: %b", "kv_cache"},
    {"SWAKVPool mem usage: %b, swa size: %i, full size: %i", "kv_cache - kv_cache_tokens"},
    {"Mamba Cache is allocated. %*conv_state size: %b, ssm_state size: %b", "state state"},
    {"intermediate_ssm_state_cache size: %b", "state"},
    {"intermediate_conv_window_cache size: %b", "state"},
    {"Memory pool end. avail mem=%b", "device_free"},

    // "cuda graph", "npu graph", "target verify CUDA graph"; the two figures changed places.
    {"Capture %*graph begin. %*avail mem=%b", "device_free"},
    {"Capture %*graph end. %*mem usage=%b%*avail mem=%b", "graphs device_free"},
    {"Capture %*graph end. %*avail mem=%b%*mem usage=%b", "device_free graphs"},
    {"Capture %*graph end. %*avail mem=%b", "device_free"},
    {"max_total_num_tokens=%i", "kv_cache_tokens"},
    {"available_gpu_mem=%b", "device_free"},
    {"The server is fired up and ready to roll", ""},

    {"server_args=ServerArgs(model_path=%v", "=model"},
    {"chunked_prefill_size=%i", "=chunked_prefill_size"},
    {"max_running_requests=%i", "=max_running_requests"},
    {"max_total_tokens=%i", "=max_total_tokens"},
    {"mem_fraction_static=%n", "=mem_fraction_static"},
    {"context_length=%i", "=context"},
    {"context_len=%i", "=context"},
    {"tp_size=%i", "=tp_size"},
    {"pp_size=%i", "=pp_size"},
    {"dp_size=%i", "=dp_size"},
    {"ep_size=%i", "=ep_size"},
    {"speculative_draft_model_path=%v", "=draft"},
};

}  // namespace

extern const Tool sglang;
const Tool sglang = tool_of("sglang", sglang_lines);

}  // namespace plimsoll::logs
