// vLLM's, SGLang's and TensorRT-LLM's logs, across versions. The forms are the sources' own (named in engine/formats/logs/servers); the figures are
// made up.
#include "engine/formats/logs/logs.h"

namespace plimsoll::test::servers {

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

TEST_CASE("vLLM's account at the end of its start, in three wordings and however it is wrapped") {
    const std::string advice =
        " Replace gpu_memory_utilization config with `--kv-cache-memory=12884901888` (12.00 GiB) to fit into requested "
        "memory, or `--kv-cache-memory=13958643712` (13.00 GiB) to fully utilize gpu memory. Current kv cache memory "
        "in "
        "use is 11.50 GiB.";
    const std::string start =
        "(Worker_TP1 pid=7) INFO 08-02 07:03:49 [gpu_worker.py:857] Free memory on device (15.25/15.50 GiB) on "
        "startup. "
        "Desired GPU memory utilization is (0.9, 14.00 GiB). ";
    const std::string parts =
        "Actual usage is 0.75 GiB for weight, 1.25 GiB for peak activation, 0.50 GiB for non-torch memory, and 0.25 "
        "GiB "
        "for CUDAGraph memory.";
    std::string wrapped = start + parts + advice;
    for (size_t column = 70; column < wrapped.size(); column += 70)
        if (const size_t space = wrapped.rfind(' ', column); space != wrapped.npos) wrapped[space] = '\n';
    for (const std::string& text : {start + parts + advice, wrapped}) {
        const logs::Log log = logs::read_log(text);
        CHECK(log.tool == "vllm");
        CHECK(bytes(log, "device_free") == 15.25 * gib);
        CHECK(bytes(log, "device_total") == 15.5 * gib);
        CHECK(bytes(log, "budget") == 14 * gib);
        CHECK(bytes(log, "weights") == 0.75 * gib);
        CHECK(bytes(log, "activations_peak") == 1.25 * gib);
        CHECK(bytes(log, "non_torch") == 0.5 * gib);
        CHECK(bytes(log, "graphs") == 0.25 * gib);
        CHECK(bytes(log, "kv_cache_budget") == 11.5 * gib);
        CHECK(log.figures.size() == 8);
        CHECK(setting(log, "gpu_memory_utilization") == "0.9");
    }
    // a rank stands far before the last of a long sentence
    for (const logs::Figure& each : logs::read_log(start + parts + advice).figures) CHECK(each.device == "TP1");
    const logs::Log newer = logs::read_log(
        start +
        "Actual usage is 4.50 GiB for consumed memory (weights + non-torch), 1.25 GiB for peak activation, and "
        "0.25 GiB for CUDAGraph memory." +
        advice);
    CHECK(bytes(newer, "device_increase") == 4.5 * gib);
    CHECK(newer.figures.size() == 7);
    const logs::Log ascend = logs::read_log(
        start +
        "Actual usage: 1.25 GiB for weights, 0.25 GiB for peak activation, 0.50 GiB for non-torch memory, 0.75 "
        "GiB for NPU graph memory. Current KV cache memory: 9.50 GiB.");
    CHECK(bytes(ascend, "weights") == 1.25 * gib);
    CHECK(bytes(ascend, "graphs") == 0.75 * gib);
    CHECK(bytes(ascend, "kv_cache_budget") == 9.5 * gib);
    CHECK(logs::read_log("It needs 14.00 GiB for weights, and 3 GiB for peak activations.").figures.empty());
}

TEST_CASE("vLLM's other lines of memory") {
    const logs::Log given = logs::read_log(
        "INFO [gpu_worker.py:492] Initial free memory 31.25 GiB, reserved 4.25 GiB memory for KV Cache as specified by "
        "kv_cache_memory_bytes config and skipped memory profiling.");
    CHECK(bytes(given, "device_free") == 31.25 * gib);
    CHECK(bytes(given, "kv_cache_budget") == 4.25 * gib);
    const logs::Log debug = logs::read_log(
        "DEBUG [gpu_worker.py:284] Free memory after profiling: 7.50 GiB (total), 5.75 GiB (within requested)\n"
        "DEBUG [gpu_worker.py:289] Memory profiling takes 3.10 seconds. Total non KV cache memory: 16.25GiB; torch "
        "peak "
        "memory increase: 1.25GiB; total consumed (from mem_get_info): 15.00GiB; weights memory: 14.50GiB.");
    CHECK(bytes(debug, "device_free") == 7.5 * gib);
    CHECK(bytes(debug, "device_available") == 5.75 * gib);
    REQUIRE(figures(debug, "device_increase").size() == 2);
    CHECK(figures(debug, "device_increase")[0].restated);
    CHECK(bytes(debug, "weights") == 14.5 * gib);
    const logs::Log sleeping = logs::read_log("Sleep mode freed 14.50 GiB memory, 1.25 GiB memory is still in use.");
    CHECK(bytes(sleeping, "device_used") == 1.25 * gib);
    CHECK(sleeping.figures.size() == 1);
    const logs::Log failed = logs::read_log(
        "AssertionError: Error in memory profiling. Initial free memory 23.25 GiB, current free memory 23.50 GiB.");
    CHECK(figures(failed, "device_free").size() == 2);
    const logs::Log blocks = logs::read_log("INFO kv_cache_utils.py:395] # GPU blocks: 1381");
    CHECK(blocks.tool == "vllm");
    CHECK(figure(blocks, "kv_cache_blocks").value == 1381);
    CHECK(figure(logs::read_log("# GPU blocks: 7000, # CPU blocks: 512"), "kv_cache_blocks").value == 7000);
}

TEST_CASE("SGLang from its first line to its pools, and its lines of 2024 in small letters") {
    const logs::Log log = logs::read_log(
        "[2025-10-16 09:06:09 TP7] Init torch distributed begin. avail mem=78.50 GB\n"
        "[2025-10-16 09:06:09 TP7] Init torch distributed ends. elapsed=1.50 s, mem usage=1.75 GB\n"
        "[2025-10-16 09:06:39 TP7] Load weight end. elapsed=1.5 s, type=BigForCausalLM, quant=fp8, fmt=e4m3, avail "
        "mem=17.50 GB, mem usage=54.00 GB.\n"
        "[2025-10-16 09:06:53 TP7] Memory profiling: available_gpu_memory=57.00 GB, total_gpu_memory=93.50 GB, "
        "mem_fraction_static=0.60, rest_memory=19.50 GB\n"
        "[2025-10-16 09:06:53 TP7] DSV4 memory calculation: bytes_per_full_token=7705.45, available_bytes=19.50 GB, "
        "c128_state_fixed=0.11 GB, full_token=1317632\n"
        "[2025-10-16 09:06:53 TP7] Use sliding window memory pool. full_layer_tokens=375360, swa_layer_tokens=300288\n"
        "[2025-10-16 09:06:53 TP7] Allocating 64.00 GB host memory for hierarchical KV cache.\n"
        "Capturing batches (bs=496 avail_mem=20.14 GB):   2%\n");
    CHECK(log.tool == "sglang");
    CHECK(bytes(log, "non_torch") == 1.75 * gib);
    CHECK(bytes(log, "weights") == 54 * gib);
    CHECK(setting(log, "quantization") == "fp8");
    REQUIRE(figures(log, "kv_cache_budget").size() == 2);
    CHECK(figures(log, "kv_cache_budget")[1].restated);
    REQUIRE(figures(log, "kv_cache_tokens").size() == 2);
    CHECK(figures(log, "kv_cache_tokens")[1].value == 375360);
    CHECK(bytes(log, "host_kv_cache") == 64 * gib);
    CHECK(log.figures.size() == 11);
    for (const logs::Figure& each : log.figures) CHECK(each.device == "TP7");
    const logs::Log old = logs::read_log(
        "[gpu=1] load weight begin. avail mem=23.25 GB\n"
        "[gpu=1] load weight end. type=SmallForCausalLM, dtype=torch.bfloat16, avail mem=8.00 GB\n"
        "[gpu=1] memory pool end. avail mem=3.50 GB\n");
    CHECK(old.tool == "sglang");
    CHECK(figures(old, "device_free").size() == 3);
    CHECK(figures(old, "device_free")[2].device == "1");
    CHECK(setting(old, "arch") == "SmallForCausalLM");
    const logs::Log negative = logs::read_log(
        "Memory profiling: available_gpu_memory=57.00 GB, total_gpu_memory=93.50 GB, mem_fraction_static=0.50, "
        "rest_memory=-3.50 GB");
    CHECK(figure(negative, "kv_cache_budget").refused == logs::Refused::negative);
}

TEST_CASE("a rank of a pipeline's stage is called by both, and a replica's by its own") {
    const auto device = [](const std::string& begin) {
        return figure(logs::read_log(begin + " Memory pool end. avail mem=3.50 GB"), "device_free").device;
    };
    CHECK(device("[2026-01-01 00:00:00 PP1 TP3]") == "PP1 TP3");
    CHECK(device("[2026-01-01 00:00:00 DP1 TP3 EP3]") == "TP3");
    CHECK(device("[2026-01-01 00:00:00 DP1]") == "DP1");
    CHECK(device("[gpu_id=2]") == "2");
    CHECK(device("[2024-01-19 08:21:59] [PID:6553] [RANK:5]") == "rank 5");
    CHECK(device("[2026-01-01 00:00:00]").empty());
}

TEST_CASE("TensorRT-LLM's older lines, and what its runtime was given") {
    const logs::Log log = logs::read_log(
        "[TensorRT-LLM][INFO] TRTGptModel maxNumSequences: 64\n[TensorRT-LLM][INFO] TRTGptModel maxBatchSize: 32\n"
        "[TensorRT-LLM][INFO] TRTGptModel maxSequenceLen: 384\n[TensorRT-LLM][INFO] TRTGptModel maxNumTokens: 8192\n"
        "[TensorRT-LLM][INFO] Max KV cache blocks per sequence: 65 [window size=2051], tokens per block=32, primary "
        "blocks=116617, secondary blocks=0\n"
        "[TensorRT-LLM][INFO] Allocate 69524783104 bytes for k/v cache. \n"
        "[TensorRT-LLM][INFO] Using 132608 tokens in paged KV cache.\n"
        "[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 631\n");
    CHECK(bytes(log, "kv_cache") == 69524783104);
    CHECK(figure(log, "kv_cache_tokens").value == 132608);
    CHECK(figure(log, "kv_cache_blocks").value == 631);
    CHECK(setting(log, "max_num_requests") == "64");
    CHECK(setting(log, "max_batch_size") == "32");
    CHECK(setting(log, "max_seq_len") == "384");
    CHECK(setting(log, "max_num_tokens") == "8192");
    CHECK(log.figures.size() == 3);
}

TEST_CASE("a TPU worker of vLLM sums over its chips") {
    const logs::Log log = logs::read_log(
        "INFO 07-06 [__init__.py:59] TPU info: node_name=host | tpu_type=v5p-8 | worker_id=0 | num_chips=4\n"
        "INFO 07-06 [core.py:107] Initializing a V1 LLM engine (v0.19.2) with config: model='org/some-1b'\n"
        "INFO 07-06 [tpu_worker.py:340] Memory statistics | total_hbm_limit_gb=382.00GiB | "
        "total_hbm_limit_cap_gb=344.00GiB | total_hbm_used_gb=2.00GiB | total_hbm_avail_gb=342.00GiB\n");
    CHECK(setting(log, "num_chips") == "4");
    CHECK(bytes(log, "total_of_chips") == 382 * gib);
    CHECK(bytes(log, "budget_of_chips") == 344 * gib);
    CHECK(bytes(log, "weights_of_chips") == 2 * gib);
    CHECK(bytes(log, "kv_cache_budget_of_chips") == 342 * gib);
    CHECK(figures(log, "device_total").empty());
}

TEST_CASE("vLLM names the kernel of MXFP4 experts, to 0.18 and since") {
    CHECK(setting(logs::read_log("INFO [mxfp4.py:162] Using Marlin backend"), "mxfp4_kernel") == "Marlin");
    CHECK(setting(logs::read_log("INFO [mxfp4.py:352] Using 'MARLIN' Mxfp4 MoE backend."), "mxfp4_kernel") == "MARLIN");
    CHECK(setting(logs::read_log("INFO [rocm.py:306] Using Rocm Attention backend on V1 engine."), "mxfp4_kernel")
              .empty());
}

}  // namespace plimsoll::test::servers
