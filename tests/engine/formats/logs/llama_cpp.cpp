// llama.cpp's lines from 2023 to today, and its command lines. The forms are the source's; the figures are made up.
#include "engine/formats/logs/logs.h"

namespace plimsoll::test::llama_cpp {

TEST_CASE("each device has its buffers, whatever it is called") {
    const logs::Log log = logs::read_log(
        "build: 6895 (4341dc8bc) with cc (GCC) 15.2.1\n"
        "load_tensors: offloaded 49/49 layers to GPU\n"
        "load_tensors:   CPU_Mapped model buffer size =   166.50 MiB\n"
        "load_tensors:        CUDA0 model buffer size =  8509.25 MiB\n"
        "llama_context: n_ctx         = 16384\n"
        "llama_kv_cache:      CUDA0 KV buffer size =  1600.00 MiB\n"
        "llama_kv_cache: RPC[10.0.0.1:50052] KV buffer size =   656.00 MiB\n"
        "llama_kv_cache: size = 2256.00 MiB ( 16384 cells,  48 layers,  1/1 seqs), K (q8_0): 1128.00 MiB, V (f16): "
        "1128.00 "
        "MiB\n"
        "llama_memory_recurrent:      CUDA0 RS buffer size =    62.50 MiB\n"
        "llama_context: AMD Radeon RX 7900 XTX (RADV NAVI31) compute buffer size =   306.75 MiB\n"
        "llama_context:  CUDA_Host  output buffer size =     0.50 MiB\n");
    CHECK(log.tool == "llama.cpp");
    CHECK(log.version == "6895 (4341dc8bc)");
    CHECK(figures(log, "model_buffer").size() == 2);
    CHECK(figures(log, "model_buffer")[1].device == "CUDA0");
    CHECK(figures(log, "model_buffer")[1].bytes == 8509.25 * mib);
    CHECK(figures(log, "kv_buffer")[1].device == "RPC[10.0.0.1:50052]");
    CHECK(figure(log, "kv_cache").restated);
    CHECK(figure(log, "kv_cache").bytes == 2256 * mib);
    CHECK(figure(log, "rs_buffer").bytes == 62.5 * mib);
    CHECK(figure(log, "compute_buffer").device == "AMD Radeon RX 7900 XTX");
    CHECK(figure(log, "output_buffer").device == "CUDA_Host");
    CHECK(setting(log, "kv_type_k") == "q8_0");
    CHECK(setting(log, "kv_type_v") == "f16");
    CHECK(setting(log, "n_ctx") == "16384");
    CHECK(setting(log, "layers_offloaded") == "49");
}

TEST_CASE("2023's totals, and 2024's buffers without a word for the model") {
    const logs::Log log = logs::read_log(
        "main: build = 1671 (8fe03ff)\nllm_load_print_meta: model ftype      = Q4_0\n"
        "llm_load_print_meta: model params     = 6.74 B\nllm_load_print_meta: model size       = 3.56 GiB (4.54 BPW)\n"
        "llm_load_tensors: mem required  =   70.50 MiB\nllm_load_tensors: VRAM used: 3577.50 MiB\n"
        "llama_new_context_with_model: KV self size  =  256.00 MiB, K (f16):  128.00 MiB, V (f16):  128.00 MiB\n"
        "llama_new_context_with_model: compute buffer total size = 73.50 MiB\n"
        "llama_new_context_with_model: total VRAM used: 3904.00 MiB (model: 3577.50 MiB, context: 326.50 MiB)\n");
    CHECK(log.version == "1671 (8fe03ff)");
    CHECK(bytes(log, "host_weights") == 70.5 * mib);
    CHECK(figures(log, "weights").size() == 2);
    CHECK(bytes(log, "context") == 326.5 * mib);
    CHECK(bytes(log, "file_size") == Approx(3.56 * gib));
    CHECK(setting(log, "params") == "6.74 B");
    const logs::Log fork = logs::read_log(
        "llm_load_tensors:     CUDA10 buffer size = 21354.00 MiB\n"
        "llama_new_context_with_model: KV self size  =  137.25 MiB, c^KV (f16):  137.25 MiB, kv^T: not used\n");
    CHECK(figure(fork, "model_buffer").device == "CUDA10");
    CHECK(bytes(fork, "kv_cache") == 137.25 * mib);
}

TEST_CASE("Metal's limit is printed by 10^6 where the rest is in MiB, and by 2^20 where it is in MB") {
    const std::string metal = "ggml_metal_init: recommendedMaxWorkingSetSize  = 51539.61 MB\n";
    CHECK(bytes(logs::read_log(metal + "llama_kv_cache_init: Metal KV buffer size = 64.00 MiB"), "budget") ==
          51539610000);
    CHECK(bytes(logs::read_log(metal + "llama_new_context_with_model: kv self size = 64.00 MB"), "budget") ==
          Approx(51539.61 * mib));
}

TEST_CASE("the account at the end, where a difference may have wrapped around") {
    const logs::Log log = logs::read_log(
        "llama_memory_breakdown_print: | memory breakdown [MiB]  | total    free     self   model   context   compute  "
        "  "
        "unaccounted |\n"
        "llama_memory_breakdown_print: |   - SYCL0 (Intel(R) Arc(TM) A770 Graphics) | 15473 = 15473 + (14014 = 13486 + "
        "    224 "
        "+     304) + 17592186030401 |\n"
        "llama_memory_breakdown_print: |   - Host    |    1054 =  1039 +       0 +      15    |\n");
    CHECK(figure(log, "total").device == "SYCL0");
    CHECK(bytes(log, "total") == 14014 * mib);
    CHECK(bytes(log, "weights") == 13486 * mib);
    CHECK(figure(log, "weights").restated);
    CHECK(bytes(log, "host_buffers") == 1054 * mib);
    CHECK(log.figures.size() == 7);
}

TEST_CASE("what fit expects is an estimate") {
    const logs::Log log = logs::read_log(
        "llama_params_fit_impl: projected to use 61807 MiB of device memory vs. 24077 MiB of free device memory\n"
        "llama_params_fit_impl: cannot fulfill margin of 1024 MiB, need to reduce device memory by 42444 MiB\n"
        "llama_params_fit_impl:   - CUDA0 (NVIDIA GeForce RTX 4090): 48 layers (34 overflowing),  19187 MiB used,   "
        "1199 MiB "
        "free\n");
    CHECK(figures(log, "total").size() == 2);
    for (const logs::Figure& each : figures(log, "total")) CHECK(each.estimate);
    CHECK(figures(log, "total")[1].device == "CUDA0");
    CHECK(bytes(log, "device_free") == 24077 * mib);
}

TEST_CASE("a failed allocation is a request, printed twice") {
    const logs::Log log = logs::read_log(
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1216.50 MiB on device 1: cudaMalloc failed: out of "
        "memory\n"
        "ggml_gallocr_reserve_n: failed to allocate CUDA1 buffer of size 1275592704\n");
    const std::vector<logs::Figure> requested = figures(log, "requested");
    REQUIRE(requested.size() == 2);
    CHECK(requested[0].device == "1");
    CHECK(requested[1].restated);
    CHECK(requested[1].bytes == 1275592704);
}

TEST_CASE("a command line says what was asked for") {
    const logs::Log log = logs::read_log(
        "(base) user@host:~$ CUDA_VISIBLE_DEVICES=\"0\" ./build/bin/llama-server \\\n"
        "    --model /path/Some-30B-A3B-UD-Q5_K_XL-00001-of-00003.gguf \\\n"
        "    --ctx-size 65536 -ctk q8_0 -ctv q4_0 -fa -ub 4096 \\\n"
        "    -ot \"exps=CPU\" --n-gpu-layers=99 -np 4\n"
        "llama_context: n_ctx = 65536\n");
    CHECK(setting(log, "model_file") == "Some-30B-A3B-UD-Q5_K_XL-00001-of-00003.gguf");
    CHECK(setting(log, "model") == "Some-30B-A3B");
    CHECK(setting(log, "ftype") == "UD-Q5_K_XL");
    CHECK(setting(log, "arg_ctx") == "65536");
    CHECK(setting(log, "arg_cache_type_k") == "q8_0");
    CHECK(setting(log, "arg_cache_type_v") == "q4_0");
    CHECK(setting(log, "arg_flash_attn") == "true");
    CHECK(setting(log, "arg_ubatch") == "4096");
    CHECK(setting(log, "override_tensor") == "exps=CPU");
    CHECK(setting(log, "n_gpu_layers") == "99");
    CHECK(setting(log, "n_parallel") == "4");
    const logs::Log two = logs::read_log("llama-server -ot \"blk.1.=CUDA0\" --override-tensor exps=CPU -c 1\n");
    CHECK(setting(two, "override_tensor") == "blk.1.=CUDA0");
    CHECK(two.settings.front().values == std::vector<std::string>{"blk.1.=CUDA0", "exps=CPU"});
    CHECK(setting(logs::read_log(".\\llama-server -m f:\\x\\small-Q4_K_M.gguf -fa off"), "arg_flash_attn") == "off");
    CHECK(setting(logs::read_log("tar -c foo && ls -m bar"), "arg_ctx").empty());
    const logs::Log measured =
        logs::read_log("perplexity: calculating perplexity over 60 chunks, n_ctx=512, batch_size=2048, n_seq=4");
    CHECK(setting(measured, "n_seq_max") == "4");
    CHECK(setting(measured, "n_ctx") == "512");
}

TEST_CASE("fit's first form, which says a deficit for what is free") {
    const logs::Log log = logs::read_log(
        "llama_params_fit: projected memory use with initial parameters [MiB]:\n"
        "llama_params_fit:   - ROCm0 (AMD Radeon Graphics)     :  16304 total,  39959 used,  24341 deficit\n"
        "llama_params_fit:   - ROCm2 (AMD Instinct MI60 / MI50):  32752 total,  76200 used,  43626 deficit\n"
        "llama_params_fit: projected to use 116159 MiB of device memory vs. a total of 49056 MiB\n"
        "llama_params_fit: cannot fulfill margin of 1024 MiB on all devices, need to use 97337 MiB less in total\n"
        "llama_params_fit: context size reduced from 65536 to 4096 -> need 13440 MiB less memory\n");
    CHECK(log.tool == "llama.cpp");
    const std::vector<logs::Figure> totals = figures(log, "total");
    REQUIRE(totals.size() == 3);
    for (const logs::Figure& each : totals) CHECK(each.estimate);
    CHECK(totals[1].device == "ROCm2");
    CHECK(totals[1].bytes == 76200 * mib);
    CHECK(totals[1].restated);
    CHECK(!totals[2].restated);
    CHECK(log.figures.size() == 3);
}

TEST_CASE("devices as newer builds list them, ROCm's and the host among them") {
    const logs::Log rocm = logs::read_log(
        "ggml_cuda_init: found 1 ROCm devices (Total VRAM: 126976 MiB):\n"
        "  Device 0: Radeon 8060S Graphics, gfx1151 (0x1151), VMM: no, Wave Size: 32, VRAM: 126976 MiB\n");
    CHECK(rocm.tool == "llama.cpp");
    CHECK(setting(rocm, "devices") == "Radeon 8060S Graphics");
    CHECK(bytes(rocm, "device_total") == 126976 * mib);
    CHECK(figure(rocm, "device_total").device == "0");
    CHECK(setting(logs::read_log("  Device 0: AMD Radeon, gfx1100 (0x1100), VMM: no, Wave Size: 32\n"), "devices") ==
          "AMD Radeon");
    const logs::Log listed = logs::read_log(
        "[34m0.00.691.827[0m [32mI [0mcmn  common_param: device_info:\n"
        "[34m0.00.814.713[0m [32mI [0mcmn  common_param:   - CUDA0   : NVIDIA GeForce RTX 4090 (24563 MiB, 23040 MiB "
        "free)\n[34m0.00.814.720[0m [32mI [0mcmn  common_param:   - CPU     : AMD Ryzen 9 5950X     (130973 MiB, "
        "121881 "
        "MiB free)\nbuild_info: b9036-b863d41c7\n");
    CHECK(listed.tool == "llama.cpp");
    CHECK(listed.version == "9036-b863d41c7");
    CHECK(bytes(listed, "device_total") == 24563 * mib);
    CHECK(figure(listed, "device_free").device == "CUDA0");
    CHECK(bytes(listed, "host_total") == 130973 * mib);
    CHECK(bytes(listed, "host_free") == 121881 * mib);
    CHECK(setting(listed, "devices") == "NVIDIA GeForce RTX 4090");
    const logs::Log options =
        logs::read_log("Available devices:\n  CUDA0: NVIDIA GeForce RTX 4090 (24563 MiB, 23040 MiB free)\n");
    CHECK(options.tool == "llama.cpp");
    CHECK(bytes(options, "device_free") == 23040 * mib);
}

TEST_CASE("a projector's weights, and pinned memory that was not to be had") {
    const logs::Log log = logs::read_log(
        "load_hparams: model size:         1291.50 MiB\nload_hparams: metadata size:      0.18 MiB\n"
        "alloc_compute_meta:      CUDA0 compute buffer size =   198.75 MiB\n"
        "ggml_cuda_host_malloc: failed to allocate 16607.50 MiB of pinned memory: out of memory\n");
    CHECK(bytes(log, "projector_weights") == 1291.5 * mib);
    CHECK(bytes(log, "requested") == 16607.5 * mib);
    CHECK(log.figures.size() == 3);
}

}  // namespace plimsoll::test::llama_cpp
