// vLLM. What each line counts and since when: v0/worker/worker.py, v1/worker/gpu_worker.py, v1/core/kv_cache_utils.py,
// vllm/worker/model_runner.py of the versions named. Every GB is 2^30 (`DeviceMemoryProfiler` divides by 2**30).
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line vllm_lines[] = {
    {"vLLM API server version %w", "!"},
    {"LLM engine (v%w) with", "!"},
    {"Initializing an LLM engine", ""},
    {"Memory profiling takes %n seconds", "-"},
    {"Capturing the model for CUDA graphs", ""},
    {"init engine (profile, create kv cache", ""},
    {"CUDA graphs can take additional", ""},

    // Settings, as the configuration and the arguments print them.
    {"config: model=%v", "=model"},
    {"'model_tag': '%w'", "=model"},
    {"'model': '%w'", "=model"},
    {"LLM(model=%v", "=model"},
    {"Starting to load model %w", "=model"},
    {"Resolved architecture: %w", "=arch"},
    {"dtype=%v", "=dtype"},
    {"max_seq_len=%i, download_dir", "=max_model_len"},
    {"'dtype': %v", "=dtype"},
    {"'max_model_len': %i", "=max_model_len"},
    {"Using max model len %i", "=max_model_len"},
    {"max_model_len=%i", "=max_model_len"},
    {"'gpu_memory_utilization': %n", "=gpu_memory_utilization"},
    {"gpu_memory_utilization=%n", "=gpu_memory_utilization"},
    {"'tensor_parallel_size': %i", "=tensor_parallel_size"},
    {"tensor_parallel_size=%i", "=tensor_parallel_size"},
    {"'pipeline_parallel_size': %i", "=pipeline_parallel_size"},
    {"pipeline_parallel_size=%i", "=pipeline_parallel_size"},
    {"'max_num_seqs': %i", "=max_num_seqs"},
    {"max_num_seqs=%i", "=max_num_seqs"},
    {"'max_num_batched_tokens': %i", "=max_num_batched_tokens"},
    {"max_num_batched_tokens=%i", "=max_num_batched_tokens"},
    {"'quantization': %v", "=quantization"},
    {"quantization=%v", "=quantization"},
    {"'kv_cache_dtype': %v", "=kv_cache_dtype"},
    {"kv_cache_dtype=%v", "=kv_cache_dtype"},
    {"'enforce_eager': %v", "=enforce_eager"},
    {"enforce_eager=%v", "=enforce_eager"},
    {"enable_prefix_caching=%v", "=enable_prefix_caching"},
    {"tpu_type=%w", "=device"},
    {"num_chips=%i", "=num_chips"},
    // The kernel of MXFP4 experts, which pads them: by its class to 0.18, by its name since.
    {"mxfp4.py:%i] Using %w backend", "- =mxfp4_kernel"},
    {"Using '%w' Mxfp4 MoE", "=mxfp4_kernel"},

    // Loading: to 0.8.2 "weights took … GB", then "Model loading took … GiB [memory] and … seconds".
    {"Loading model weights took in total %b of device memory", "~weights"},
    {"Loading model weights took %b", "weights"},
    {"Model loading took %b", "weights"},

    // V0: to 0.6.1 blocks alone; a table in 0.6.2 to 0.6.4; two sentences from 0.6.5.
    {"%w blocks: %i, # CPU blocks: %i", "- kv_cache_blocks host_kv_cache_blocks"},
    {"GPU blocks: %i", "kv_cache_blocks"},  // V1 to 0.7
    {"total_gpu_memory=%b", "device_total"},
    {"initial_memory_usage=%b", "device_used"},
    {"peak_torch_memory=%b", "allocated_peak"},
    {"memory_usage_post_profile=%b", "device_used"},
    {"non_torch_memory=%b", "non_torch"},
    {"kv_cache_size=%b", "kv_cache_budget"},
    {"total_gpu_memory (%b) x gpu_memory_utilization (%n) = %b", "device_total =gpu_memory_utilization budget"},
    {"model weights take %b", "weights"},
    {"non_torch_memory takes %b", "non_torch"},
    {"PyTorch activation peak memory takes %b", "activations_peak"},
    {"the rest of the memory reserved for KV Cache is %b", "kv_cache_budget"},

    // V1: tokens from 0.8.0, bytes at INFO from 0.10; what its profile says at DEBUG.
    {"Available KV cache memory: %b", "kv_cache_budget"},
    {"GPU KV cache size: %i tokens", "kv_cache_tokens"},
    {"Maximum concurrency for %i tokens per request: %nx", "=max_model_len concurrency"},
    {"Initial free memory: %b", "device_free"},
    {"Initial free memory %b, reserved %b memory for KV Cache as specified", "device_free kv_cache_budget"},
    {"Requested memory: %n (util), %b", "=gpu_memory_utilization budget"},
    {"Free memory after profiling: %b (total), %b (within requested)", "device_free device_available"},
    {"Total non KV cache memory: %b", "~device_increase"},
    {"total consumed (from mem_get_info): %b", "device_increase"},
    {"torch peak memory increase: %b", "activations_peak"},
    {"non-torch forward increase memory: %b", "non_torch"},
    {"weights memory: %b", "weights"},
    {"Graph capturing finished in %n secs, took %b", "- graphs"},
    {"Estimated CUDA graph memory: %b", "?graphs"},
    {"CUDA graph pool memory: %b (actual), %b (estimated)", "graphs ?graphs"},
    {"Sleep mode freed %b memory, %b memory is still in use", "- device_used"},

    // The account at the end of the start: DEBUG from 0.11, INFO since 2026; what follows `Replace` is advice.
    {"Free memory on device (%G/%b) on startup. Desired GPU memory utilization is (%n, %b)",
     "device_free device_total =gpu_memory_utilization budget"},
    {"Free memory on device %w (%G/%b) on startup. Desired GPU memory utilization is (%n, %b)",
     "@ device_free device_total =gpu_memory_utilization budget"},
    {"Actual usage is %b for weight", "weights"},
    {"Actual usage is %b for consumed memory", "device_increase"},  // weights and what is not torch's
    {"Actual usage: %b for weights", "weights"},                    // vllm-ascend
    {"%b for peak activation,", "activations_peak"},
    {"%b for non-torch memory", "non_torch"},
    {"%b for CUDAGraph memory", "graphs"},
    {"%b for NPU graph memory", "graphs"},
    {"Current kv cache memory in use is %b", "kv_cache_budget"},
    {"Current KV cache memory: %b", "kv_cache_budget"},

    // Why it does not start.
    {"Error in memory profiling. Initial free memory %b, current free memory %b", "device_free device_free"},
    {"Free memory on device %w (%G/%b) on startup is less than desired GPU memory utilization (%n, %b)",
     "@ device_free device_total =gpu_memory_utilization budget"},
    {"Free memory on device (%G/%b) on startup is less than desired GPU memory utilization (%n, %b)",
     "device_free device_total =gpu_memory_utilization budget"},
    {"max seq len (%i), (%b KV cache is needed, which is larger than the available KV cache memory (%b)",
     "=max_model_len ?kv_cache kv_cache_budget"},
    {"max seq len (%i), %b KV cache is needed, which is larger than the available KV cache memory (%b)",
     "=max_model_len ?kv_cache kv_cache_budget"},
    {"max seq len (%i) is larger than the maximum number of tokens that can be stored in KV cache (%i)",
     "=max_model_len kv_cache_tokens"},

    // Gaudi (vllm-fork, hpu_worker.py): the share is of what is free after the weights.
    {"Pre-loading model weights on %w took %b of device memory", "@@ weights"},
    {"Wrapping in HPU Graph took %b of device memory", "graphs"},
    {"Model profiling run took %b of device memory", "activations_peak"},
    {"Free device memory: %b, %b usable (gpu_memory_utilization=%n), %b reserved for HPUGraphs "
     "(VLLM_GRAPH_RESERVED_MEM=%n), %b reserved for KV cache",
     "device_free budget =gpu_memory_utilization ?graphs =VLLM_GRAPH_RESERVED_MEM kv_cache_budget"},
    {"Initializing cache engine took %b of device memory", "kv_cache"},

    // TPU (tpu-inference, tpu_worker.py): sums over a worker's chips, once the weights are there.
    {"total_hbm_limit_gb=%b", "total_of_chips"},
    {"total_hbm_limit_cap_gb=%b", "budget_of_chips"},
    {"total_hbm_used_gb=%b", "weights_of_chips"},
    {"total_hbm_avail_gb=%b", "kv_cache_budget_of_chips"},
};

}  // namespace

extern const Tool vllm;
const Tool vllm = tool_of("vllm", vllm_lines);

}  // namespace plimsoll::logs
