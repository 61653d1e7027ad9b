// Servers' logs, across versions. The forms are the sources' own (named in engine/formats/logs/servers); the figures are
// made up.
#include "engine/formats/logs/logs.h"

namespace plimsoll::test {

TEST_CASE("vLLM's GB are GiB, and its settings are those of its configuration") {
    const logs::Log log = logs::read_log(
        "INFO 11-02 [api_server.py:1772] vLLM API server version 0.12.0\n"
        "INFO 11-02 [core.py:93] Initializing a V1 LLM engine (v0.12.0) with config: model='org/some-8b', "
        "speculative_config=None, dtype=torch.bfloat16, max_seq_len=32768, download_dir=None, tensor_parallel_size=2, "
        "pipeline_parallel_size=1, quantization=None, enforce_eager=False, kv_cache_dtype=fp8, device_config=cuda\n"
        "(Worker_TP1 pid=9) INFO 11-02 [gpu_model_runner.py:1] Model loading took 7.5000 GiB memory and 3.5 seconds\n"
        "INFO 11-02 [gpu_model_runner.py:1] Estimated CUDA graph memory: 0.50 GiB total\n"
        "INFO 11-02 [gpu_worker.py:1] Available KV cache memory: 22.75 GiB\n"
        "INFO 11-02 [kv_cache_utils.py:1] GPU KV cache size: 993,760 tokens\n"
        "INFO 11-02 [kv_cache_utils.py:1] Maximum concurrency for 32,768 tokens per request: 30.33x\n"
        "INFO 11-02 [gpu_model_runner.py:1] Graph capturing finished in 27 secs, took 0.75 GiB\n");
    CHECK(log.tool == "vllm");
    CHECK(log.version == "0.12.0");
    CHECK(setting(log, "model") == "org/some-8b");
    CHECK(setting(log, "dtype") == "bfloat16");
    CHECK(setting(log, "kv_cache_dtype") == "fp8");
    CHECK(setting(log, "max_model_len") == "32768");
    CHECK(setting(log, "tensor_parallel_size") == "2");
    CHECK(setting(log, "quantization").empty());
    CHECK(bytes(log, "weights") == 7.5 * gib);
    CHECK(figure(log, "weights").device == "TP1");
    CHECK(bytes(log, "kv_cache_budget") == 22.75 * gib);
    CHECK(figure(log, "kv_cache_tokens").value == 993760);
    CHECK(figure(log, "concurrency").value == Approx(30.33));
    const std::vector<logs::Figure> graphs = figures(log, "graphs");
    REQUIRE(graphs.size() == 2);
    CHECK(graphs[0].estimate);
    CHECK(!graphs[1].estimate);
}

TEST_CASE("vLLM's V0 engine shares out a budget, in three forms") {
    const logs::Log late = logs::read_log(
        "INFO worker.py:241] the current vLLM instance can use total_gpu_memory (79.25GiB) x gpu_memory_utilization "
        "(0.90) = "
        "71.32GiB\nINFO worker.py:241] model weights take 8.50GiB; non_torch_memory takes 0.25GiB; PyTorch activation "
        "peak "
        "memory takes 1.00GiB; the rest of the memory reserved for KV Cache is 61.50GiB.\n"
        "INFO executor_base.py:110] # cuda blocks: 5517, # CPU blocks: 9362");
    CHECK(bytes(late, "weights") == 8.5 * gib);
    CHECK(bytes(late, "non_torch") == 0.25 * gib);
    CHECK(bytes(late, "activations_peak") == gib);
    CHECK(bytes(late, "kv_cache_budget") == 61.5 * gib);
    CHECK(setting(late, "gpu_memory_utilization") == "0.90");
    CHECK(figure(late, "kv_cache_blocks").value == 5517);
    const logs::Log middle = logs::read_log(
        "INFO worker.py:232] Memory profiling results: total_gpu_memory=79.25GiB initial_memory_usage=0.50GiB "
        "peak_torch_memory=16.00GiB memory_usage_post_profile=15.50GiB non_torch_memory=0.75GiB kv_cache_size=54.50GiB "
        "gpu_memory_utilization=0.90");
    CHECK(bytes(middle, "allocated_peak") == 16 * gib);
    CHECK(bytes(middle, "kv_cache_budget") == 54.5 * gib);
    const logs::Log early = logs::read_log("INFO model_runner.py:1014] Loading model weights took 2.5000 GB");
    CHECK(bytes(early, "weights") == 2.5 * gib);
}

TEST_CASE("vLLM says why it does not start") {
    const logs::Log cache = logs::read_log(
        "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is "
        "needed, "
        "which is larger than the available KV cache memory (5.50 GiB). Based on the available memory, the estimated "
        "maximum model length is 44928.");
    CHECK(bytes(cache, "kv_cache") == 16 * gib);
    CHECK(bytes(cache, "kv_cache_budget") == 5.5 * gib);
    CHECK(setting(cache, "max_model_len") == "131072");
    const logs::Log device = logs::read_log(
        "ValueError: Free memory on device (4.25/23.50 GiB) on startup is less than desired GPU memory utilization "
        "(0.9, "
        "21.15 GiB).");
    CHECK(bytes(device, "device_free") == 4.25 * gib);
    CHECK(bytes(device, "device_total") == 23.5 * gib);
}

TEST_CASE("SGLang's readings of free memory and its pools, in old and new order") {
    const logs::Log log = logs::read_log(
        "[2026-02-04 11:30:29 TP0] Load weight begin. avail mem=78.50 GB\n"
        "[2026-02-04 11:30:29 TP0] Load weight end. elapsed=0.38 s, type=Qwen2ForCausalLM, dtype=torch.bfloat16, avail "
        "mem=77.50 GB, mem usage=1.00 GB.\n"
        "[2026-02-04 11:30:29 TP0] KV Cache is allocated. #tokens: 20480, K size: 0.12 GB, V size: 0.25 GB\n"
        "[2026-02-04 11:30:29 TP0] Memory pool end. avail mem=77.00 GB\n"
        "[2026-02-04 11:30:30 TP0] Capture cuda graph end. Time elapsed: 1.01 s. mem usage=0.50 GB. avail mem=76.50 "
        "GB.\n"
        "[2026-02-04 11:30:31 TP0] max_total_num_tokens=20480, chunked_prefill_size=8192, max_prefill_tokens=16384, "
        "max_running_requests=128, context_len=32768, available_gpu_mem=76.50 GB\n");
    CHECK(log.tool == "sglang");
    CHECK(figures(log, "device_free").size() == 5);
    CHECK(bytes(log, "weights") == gib);
    CHECK(bytes(log, "graphs") == 0.5 * gib);
    CHECK(bytes(log, "kv_cache_values") == 0.25 * gib);
    CHECK(figures(log, "kv_cache_tokens").size() == 2);
    CHECK(setting(log, "arch") == "Qwen2ForCausalLM");
    CHECK(setting(log, "context") == "32768");
    const logs::Log old = logs::read_log(
        "KV Cache is allocated. K size: 16.50 GB, V size: 16.50 GB.\n"
        "Capture cuda graph end. Time elapsed: 8.32 s. avail mem=5.50 GB. mem usage=1.25 GB.");
    CHECK(bytes(old, "kv_cache_keys") == 16.5 * gib);
    CHECK(bytes(old, "graphs") == 1.25 * gib);
    CHECK(bytes(old, "device_free") == 5.5 * gib);
}

TEST_CASE("a second model in SGLang is its draft") {
    const logs::Log log = logs::read_log(
        "Load weight end. elapsed=5.1 s, type=BigForCausalLM, quant=fp8, avail mem=17.50 GB, mem usage=94.00 GB.\n"
        "Load weight end. elapsed=1.5 s, type=BigForCausalLMNextN, quant=fp8, avail mem=14.75 GB, mem usage=2.75 "
        "GB.\n");
    CHECK(setting(log, "arch") == "BigForCausalLM");
    CHECK(setting(log, "draft") == "BigForCausalLMNextN");
    CHECK(setting(log, "quantization") == "fp8");
}

TEST_CASE("TensorRT-LLM, the C++ runtime and the PyTorch backend") {
    const logs::Log log = logs::read_log(
        "[TensorRT-LLM] TensorRT-LLM version: 0.17.0\n[TensorRT-LLM][INFO] Number of tokens per block: 64.\n"
        "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 26.50 GiB for max tokens in paged KV cache (220480).\n"
        "[TensorRT-LLM][INFO] [MemUsageChange] Init cuBLAS/cuBLASLt: CPU +0, GPU +64, now: CPU 56027, GPU 28529 "
        "(MiB)\n");
    CHECK(log.tool == "tensorrt-llm");
    CHECK(log.version == "0.17.0");
    CHECK(bytes(log, "kv_cache") == 26.5 * gib);
    CHECK(figure(log, "kv_cache_tokens").value == 220480);
    CHECK(bytes(log, "device_increase") == 64 * mib);
    CHECK(bytes(log, "device_used") == 28529 * mib);
    CHECK(setting(log, "tokens_per_block") == "64");
    const logs::Log torch = logs::read_log(
        "[TRT-LLM] [I] Peak memory during memory usage profiling (torch + non-torch): 91.50 GiB, available KV cache "
        "memory "
        "when calculating max tokens: 41.25 GiB, fraction is set 0.85, kv size is 35136. device total memory 139.75 "
        "GiB");
    CHECK(bytes(torch, "device_used_peak") == 91.5 * gib);
    CHECK(bytes(torch, "kv_cache_budget") == 41.25 * gib);
    CHECK(bytes(torch, "device_total") == 139.75 * gib);
}

TEST_CASE("Ollama's estimates are told from what it allocated") {
    const logs::Log log = logs::read_log(
        "ollama  | time=2025-01-10T22:05:21.891+08:00 level=INFO source=server.go:104 msg=\"system memory\" "
        "total=\"31.2 GiB\" "
        "free=\"21.2 GiB\" free_swap=\"21.3 GiB\"\n"
        "ollama  | time=2025-01-10T22:05:21.891+08:00 level=INFO source=memory.go:356 msg=\"offload to cuda\" "
        "layers.requested=-1 layers.model=41 layers.offload=29 layers.split=\"\" memory.available=\"[6.9 GiB]\" "
        "memory.required.full=\"9.5 GiB\" memory.required.partial=\"6.5 GiB\" memory.required.kv=\"400.0 MiB\" "
        "memory.required.allocations=\"[6.5 GiB]\" memory.weights.total=\"8.5 GiB\" memory.graph.full=\"266.0 MiB\"\n"
        "time=2025-10-22T02:17:58.181Z level=INFO source=device.go:240 msg=\"model weights\" device=CUDA0 size=\"18.5 "
        "GiB\"\n");
    CHECK(log.tool == "ollama");
    CHECK(figure(log, "kv_cache").estimate);
    CHECK(bytes(log, "kv_cache") == 400 * mib);
    CHECK(bytes(log, "total") == 6.5 * gib);
    const std::vector<logs::Figure> weights = figures(log, "weights");
    REQUIRE(weights.size() == 2);
    CHECK(weights[0].estimate);
    CHECK(!weights[1].estimate);
    CHECK(weights[1].device == "CUDA0");
    CHECK(setting(log, "layers_offloaded") == "29");
    CHECK(figure(log, "layers_total").value == 41);
}

TEST_CASE("ollama ps and LM Studio count by thousands") {
    const logs::Log ps = logs::read_log(
        "$ ollama list\nNAME          ID              SIZE      MODIFIED\n"
        "some:8b       8f68893c685c    4.5 GB    7 months ago\n\n"
        "$ ollama ps\nNAME       ID              SIZE      PROCESSOR          CONTEXT    UNTIL\n"
        "some:8b    8f68893c685c    17 GB     93%/7% CPU/GPU     32768      4 minutes from now\n");
    CHECK(ps.tool == "ollama-ps");
    CHECK(bytes(ps, "file_size") == 4500000000);
    CHECK(bytes(ps, "total_of_all_devices") == 17000000000);
    CHECK(figure(ps, "total_of_all_devices").high == 18000000000);  // Go's int() cuts
    CHECK(setting(ps, "n_ctx") == "32768");
    const logs::Log studio = logs::read_log(
        "2025-08-12 00:27:55 [DEBUG]\n [LM Studio] Live GPU memory info (source 'LMS Core'):\n"
        "  GPU 0: NVIDIA GeForce RTX 3060 Ti (Used: 1.50 GB, Total: 8.59 GB, Free: 7.09 GB)\n"
        " [LM Studio] Model load size estimate with raw num offload layers 'max' and context length '4096':\n"
        "  Model: 65.25 GB\n  Context: 803.12 MB\n  Total: 66.05 GB\n");
    CHECK(studio.tool == "lm-studio");
    CHECK(bytes(studio, "kv_cache") == 803120000);
    CHECK(figure(studio, "total").estimate);
    CHECK(bytes(studio, "device_total") == 8590000000);
    CHECK(setting(studio, "n_ctx") == "4096");
}

TEST_CASE("mlx counts by thousands, with a unit and without") {
    const logs::Log log = logs::read_log(
        "Prompt: 3601 tokens, 421.470 tokens-per-sec\nGeneration: 1877 tokens, 30.542 tokens-per-sec\nPeak memory: "
        "14.5 GB\n");
    CHECK(log.tool == "mlx");
    CHECK(bytes(log, "allocated_peak") == 14500000000);
    CHECK(setting(log, "prompt") == "3601");
    CHECK(bytes(logs::read_log("Trial 1:  prompt_tps=786.761, peak_memory=15.5, total_time=4.6."), "allocated_peak") ==
          15500000000);
}

}  // namespace plimsoll::test
