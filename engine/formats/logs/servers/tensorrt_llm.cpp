// TensorRT-LLM: cpp/tensorrt_llm/batch_manager, runtime; tensorrt_llm/_torch/pyexecutor/_util.py of the PyTorch backend.
// Every unit is of 2^10 steps (`/ (1 << 30)`, `/ 1048576.0`).
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line tensorrt_llm_lines[] = {
    {"TensorRT-LLM version: %w", "!"},
    {"[TensorRT-LLM]", ""},
    {"[TRT-LLM]", ""},

    {"Number of tokens per block: %i", "=tokens_per_block"},
    {"tokens per block=%i", "=tokens_per_block"},
    {"max sequence length=%i", "=max_seq_len"},
    {"max_seq_len=%i", "=max_seq_len"},
    {"max_num_requests=%i", "=max_num_requests"},
    {"max_num_tokens=%i", "=max_num_tokens"},
    {"max_batch_size=%i", "=max_batch_size"},

    // What the C++ runtime was given (TrtGptModel).
    {"TRTGptModel maxNumSequences: %i", "=max_num_requests"},
    {"TRTGptModel maxBatchSize: %i", "=max_batch_size"},
    {"TRTGptModel maxSequenceLen: %i", "=max_seq_len"},
    {"TRTGptModel maxNumTokens: %i", "=max_num_tokens"},

    {"Allocate %B bytes for k/v cache", "kv_cache"},  // to 0.9
    {"Using %i tokens in paged KV cache", "kv_cache_tokens"},
    {"Number of blocks in KV cache primary pool: %i", "kv_cache_blocks"},
    {"Allocated %b for max tokens in paged KV cache (%i)", "kv_cache kv_cache_tokens"},
    {"Memory usage when calculating max tokens in paged kv cache: total: %b, available: %b",
     "device_total device_free"},
    {"Allocated %b for execution context memory", "activations"},
    {"Allocated %b GPU memory for runtime buffers", "runtime_buffers"},
    {"Allocated %b GPU memory for decoder", "runtime_buffers"},
    {"Loaded engine size: %b", "weights"},
    {"gpu_peak_mem(gb)~%G", "device_used_peak"},

    // Building an engine, and TensorRT's own accounts.
    {"[MemUsageChange] TensorRT-managed allocation in %t: CPU %n, GPU %M, now: CPU %n, GPU %M (MiB)",
     "- - runtime_increase - runtime_managed"},
    {"[MemUsageChange] %t: CPU %n, GPU %M, now: CPU %n, GPU %M (MiB)", "- - device_increase - device_used"},
    {"Peak memory usage of TRT CPU/GPU memory allocators: CPU %b, GPU %b", "- build_peak"},

    // The PyTorch backend (1.x) measures a trial run.
    {"Memory used after loading model weights (inside torch) in memory usage profiling: %b", "weights"},
    {"Memory used after loading model weights (outside torch) in memory usage profiling: %b", "non_torch"},
    {"Memory dynamically allocated during inference (inside torch) in memory usage profiling: %b", "activations_peak"},
    {"Memory used outside torch (e.g., NCCL and CUDA graphs) in memory usage profiling: %b", "non_torch"},
    {"Peak memory during memory usage profiling (torch + non-torch): %b, available KV cache memory when calculating "
     "max "
     "tokens: %b",
     "device_used_peak kv_cache_budget"},
    {"fraction is set %n", "=free_gpu_memory_fraction"},
    {"device total memory %b", "device_total"},
    {"Estimated max memory in KV cache : %b", "~kv_cache_budget"},
};

}  // namespace

extern const Tool tensorrt_llm;
const Tool tensorrt_llm = tool_of("tensorrt-llm", tensorrt_llm_lines);

}  // namespace plimsoll::logs
