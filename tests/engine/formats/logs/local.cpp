// Ollama, LM Studio and mlx-lm, which serve one machine, across versions. The forms are the sources' own (named in
// engine/formats/logs/servers); the figures are made up.
#include "engine/formats/logs/logs.h"

namespace plimsoll::test::local {

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

TEST_CASE("Ollama says what devices have now, and leaves what they had before alone") {
    const logs::Log log = logs::read_log(
        "time=2024-11-14T05:50:32.716Z level=DEBUG source=gpu.go:398 msg=\"updating system memory data\" "
        "before.total=\"62.0 GiB\" before.free=\"45.8 GiB\" before.free_swap=\"455.8 MiB\" now.total=\"62.0 GiB\" "
        "now.free=\"45.5 GiB\" now.free_swap=\"455.8 MiB\"\n"
        "time=2024-11-14T05:50:32.779Z level=DEBUG source=gpu.go:448 msg=\"updating cuda memory data\" gpu=GPU-6217 "
        "name=\"NVIDIA GeForce RTX 4090\" overhead=\"0 B\" before.total=\"23.6 GiB\" before.free=\"21.3 GiB\" "
        "now.total=\"23.5 GiB\" now.free=\"21.0 GiB\" now.used=\"2.5 GiB\"\n");
    CHECK(log.tool == "ollama");
    CHECK(bytes(log, "host_free") == 45.5 * gib);
    CHECK(bytes(log, "device_free") == 21 * gib);
    CHECK(bytes(log, "device_used") == 2.5 * gib);
    CHECK(figure(log, "device_used").device == "GPU-6217");
    CHECK(log.figures.size() == 5);
    const logs::Log shared = logs::read_log(
        "time=2024-11-19T11:57:03.647-06:00 level=INFO source=sched.go:507 msg=\"updated VRAM based on existing loaded "
        "models\" gpu=GPU-a9fe library=cuda total=\"15.5 GiB\" available=\"6.5 GiB\"\n");
    CHECK(bytes(shared, "device_total") == 15.5 * gib);
    CHECK(figure(shared, "device_free").device == "GPU-a9fe");
    const logs::Log first = logs::read_log(
        "ollama[243665]: [GPU-e2df] CUDA totalMem 80994 mb\nollama[243665]: [GPU-e2df] CUDA freeMem 80580 mb\n");
    CHECK(bytes(first, "device_total") == 80994 * mib);
    CHECK(figure(first, "device_free").device == "GPU-e2df");
}

TEST_CASE("Ollama's runner says what it was asked for, and its scheduler what it expects") {
    const logs::Log log = logs::read_log(
        "time=2025-11-13T10:10:51.937+08:00 level=INFO source=runner.go:1222 msg=load request=\"{Operation:fit "
        "LoraPath:[] Parallel:2 BatchSize:512 FlashAttention:true KvSize:8192 KvCacheType: NumThreads:8 GPULayers:[] "
        "MultiUserCache:false}\"\n"
        "time=2026-07-13T10:10:51.925+08:00 level=INFO source=sched.go:562 msg=\"llama-server model fits alongside "
        "existing models\" predicted=\"6.5 GiB\" available=\"20.0 GiB\" gpu_free=\"20.5 GiB\" system_free=\"60.0 "
        "GiB\"\n"
        "time=2026-07-13T10:10:51.925+08:00 level=INFO source=routes.go:2058 msg=\"vram-based default context\" "
        "total_vram=\"23.6 GiB\" default_num_ctx=4096\n");
    CHECK(setting(log, "n_parallel") == "2");
    CHECK(setting(log, "n_ctx") == "8192");
    CHECK(setting(log, "flash_attn") == "true");
    CHECK(setting(log, "kv_cache_type").empty());
    CHECK(setting(log, "context_default") == "4096");
    CHECK(figure(log, "total").estimate);
    CHECK(bytes(log, "device_available") == 20 * gib);
    CHECK(bytes(log, "host_free") == 60 * gib);
    CHECK(log.figures.size() == 4);
    CHECK(setting(
              logs::read_log("Parallel:1 BatchSize:512 FlashAttention:true KvSize:4096 KvCacheType:q8_0 NumThreads:8"),
              "kv_cache_type") == "q8_0");
    CHECK(setting(logs::read_log("msg=\"offload to gpu\" layers.real=-1 layers.estimate=33"), "layers_offloaded") ==
          "33");
}

TEST_CASE("ollama ps is read with tabs, too") {
    const logs::Log log = logs::read_log(
        "NAME              \tID          \tSIZE  \tPROCESSOR\tUNTIL              \n"
        "some:latest\t2ae6f6dd7a3d\t6.3 GB\t100% GPU \t4 minutes from now\n"
        "another-with-a-long-name:70b\t2ae6f6dd7a3e\t41 GB\t23%/77% CPU/GPU\tForever\n");
    CHECK(log.tool == "ollama-ps");
    const std::vector<logs::Figure> totals = figures(log, "total_of_all_devices");
    REQUIRE(totals.size() == 2);
    CHECK(totals[0].bytes == 6300000000);
    CHECK(totals[0].device == "100% GPU");
    CHECK(totals[1].bytes == 41000000000);
    CHECK(setting(log, "model") == "some:latest");
}

TEST_CASE("LM Studio's tables, refusals and messages") {
    const logs::Log tables = logs::read_log(
        "$ lms ps\n"
        "IDENTIFIER           MODEL                STATUS    SIZE        CONTEXT    PARALLEL    DEVICE    TTL\n"
        "some/some-4b-2507    some/some-4b-2507    IDLE      2.25 GB     4096       4           Local     60m / 1h\n\n"
        "$ lms ls\nYou have 3 models, taking up 12.10 GB of disk space.\n"
        "LLM                                  PARAMS    ARCH      SIZE         DEVICE\n"
        "some/some-4b-2507 (1 variant)        4B        some      2.50 GB      Local     ✓ LOADED\n");
    CHECK(tables.tool == "lm-studio");
    REQUIRE(figures(tables, "file_size").size() == 2);
    CHECK(figures(tables, "file_size")[0].bytes == 2250000000);
    CHECK(setting(tables, "model") == "some/some-4b-2507");
    CHECK(setting(tables, "n_ctx") == "4096");
    CHECK(tables.figures.size() == 2);
    const logs::Log refused = logs::read_log(
        "Error: Model loading was stopped due to insufficient system resources. Under the current settings, this model "
        "requires approximately 22.50 GB of memory, and continuing to load it would likely overload your system.");
    CHECK(refused.tool == "lm-studio");
    CHECK(bytes(refused, "total") == 22500000000);
    CHECK(figure(refused, "total").estimate);
    const logs::Log message = logs::read_log(
        "{ \"title\": \"Failed to load model\", \"errorData\": { \"n_ctx\": 2048, \"n_gpu_layers\": 81 }, \"data\": { "
        "\"memory\": { \"ram_capacity\": \"15.75 GB\", \"ram_unused\": \"512.00 KB\" }, \"gpu\": { "
        "\"vram_recommended_capacity\": \"2.00 GB\", \"vram_unused\": \"1.50 GB\" } } }");
    CHECK(message.tool == "lm-studio");
    CHECK(bytes(message, "device_total") == 2 * gib);
    CHECK(bytes(message, "host_free") == 512 * 1024);
    CHECK(setting(message, "n_gpu_layers") == "81");
    CHECK(bytes(logs::read_log("  • Path: a/b\n  • Size: 4.50 GB\n"), "file_size") == 4500000000);
    CHECK(bytes(logs::read_log("Model loaded successfully in 8.40s.\n(11.25 GiB)"), "file_size") == 11.25 * gib);
    CHECK(setting(logs::read_log("[INFO] [some/some-4b] Running chat completion on conversation with 2 messages."),
                  "model") == "some/some-4b");
}

TEST_CASE("mlx-lm's warning counts by 2^20, and scripts' counters by 2^30") {
    const logs::Log log = logs::read_log(
        "[WARNING] Generating with a model that requires 98765 MB which is close to the maximum recommended size of "
        "98304 MB. This can be slow.\nMetal active memory: 3.50 GB\nMetal cache memory: 0.25 GB\nMetal peak memory: "
        "5.25 "
        "GB\n");
    CHECK(log.tool == "mlx");
    CHECK(bytes(log, "weights") == 98765 * mib);
    CHECK(figure(log, "weights").estimate);
    CHECK(bytes(log, "budget") == 98304 * mib);
    CHECK(bytes(log, "allocated") == 3.5 * gib);
    CHECK(bytes(log, "unallocated") == 0.25 * gib);
    CHECK(bytes(log, "allocated_peak") == 5.25 * gib);
}

}  // namespace plimsoll::test::local
