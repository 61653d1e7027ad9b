// Trainers, frameworks and devices. The forms are the sources' own; the figures are made up.
#include "engine/formats/logs/logs.h"

namespace plimsoll::test {

TEST_CASE("DeepSpeed's GB are GiB, and its last figure is rounded to a whole one") {
    const logs::Log log = logs::read_log(
        "[2024-09-15 00:13:21,213] [INFO] [utils.py:781:see_memory_usage] Before initializing optimizer states\n"
        "[2024-09-15 00:13:21,214] [INFO] [utils.py:782:see_memory_usage] MA 1.50 GB         Max_MA 1.75 GB         CA "
        "1.80 GB  "
        "       Max_CA 2 GB\n[2024-09-15 00:13:21,214] [INFO] [utils.py:789:see_memory_usage] CPU Virtual Memory:  "
        "used = 81.5 "
        "GB, percent = 8.1%\nDeepSpeed Basic Optimizer = AdamW\nCreating torch.bfloat16 ZeRO stage 3 optimizer\n");
    CHECK(log.tool == "deepspeed-see-memory");
    CHECK(bytes(log, "allocated") == 1.5 * gib);
    CHECK(bytes(log, "allocated_peak") == 1.75 * gib);
    CHECK(bytes(log, "reserved_peak") == 2 * gib);
    CHECK(figure(log, "reserved_peak").low == 1.5 * gib);
    CHECK(bytes(log, "host_used") == 81.5 * gib);
    CHECK(setting(log, "optimizer") == "AdamW");
    CHECK(setting(log, "dtype") == "bfloat16");
    CHECK(setting(log, "zero_stage") == "3");
}

TEST_CASE("Megatron's ranks and its arguments") {
    const logs::Log log = logs::read_log(
        "  num_layers ...................................... 64\n  bf16 ............................................ "
        "True\n"
        "  encoder_num_layers .............................. 12\n"
        "[Rank 43] (after 1 iterations) memory (MB) | allocated: 15492.5 | max allocated: 15500.25 | reserved: 18738.0 "
        "| max "
        "reserved: 18740.0\n[Rank 2] (after 1 iterations) memory (MB) | allocated: 15492.5 | max allocated: 15500.25 | "
        "reserved: 18738.0 | max reserved: 18740.0 | total device memory used: 19000.5\n"
        "Theoretical memory footprints: weight and optimizer=46038.50 MB\n");
    CHECK(log.tool == "megatron");
    CHECK(setting(log, "num_layers") == "64");
    CHECK(setting(log, "bf16") == "True");
    REQUIRE(figures(log, "allocated_peak").size() == 2);
    CHECK(figures(log, "allocated_peak")[0].device == "rank 43");
    CHECK(figures(log, "allocated_peak")[1].bytes == 15500.25 * mib);
    CHECK(bytes(log, "device_used") == 19000.5 * mib);
    CHECK(figure(log, "weights_and_optimizer").estimate);
}

TEST_CASE("trainers' lines of a step") {
    CHECK(bytes(logs::read_log("step: 10  loss: 5.1  memory: 48.50GiB(51.44%)  tps: 4,376  mfu: 25.62%"),
                "reserved_peak") == 48.5 * gib);
    const logs::Log axolotl = logs::read_log(
        "{'loss': '1.5', 'memory/max_active (GiB)': '2.5', 'memory/max_allocated (GiB)': '2.25', "
        "'memory/device_reserved "
        "(GiB)': '7.75'}\n{'memory/max_mem_active(gib)': 14.5}");
    CHECK(axolotl.tool == "axolotl");
    CHECK(figures(axolotl, "active_peak").size() == 2);
    CHECK(bytes(axolotl, "reserved") == 7.75 * gib);
    CHECK(bytes(logs::read_log("{'loss': 1.4, 'memory(GiB)': 4.75, 'train_speed(iter/s)': 0.34}"), "reserved_peak") ==
          4.75 * gib);
    const logs::Log unsloth = logs::read_log(
        "==((====))==  Unsloth 2026.4.4: Fast Gemma4 patching. Transformers: 5.5.0.\n"
        "   \\\\   /|    Tesla T4. Num GPUs = 2. Max memory: 14.5 GB. Platform: Linux.\n"
        "9.75 GB of memory reserved.\nPeak reserved memory = 10.5 GB.\nPeak reserved memory for training = 0.75 GB.\n"
        "Peak reserved memory % of max memory = 73.577 %.\n");
    CHECK(unsloth.version == "2026.4.4");
    CHECK(bytes(unsloth, "device_total") == 14.5 * gib);
    CHECK(bytes(unsloth, "reserved_peak") == 10.5 * gib);
    CHECK(unsloth.figures.size() == 4);
}

TEST_CASE("accelerate's table, with bars and with lines") {
    for (const char* row :
         {"| float16 | 42.50 MB      | 206.50 MB  | 1.25 GB             |", "│float16│ 42.50 MB│206.50 MB │1.25 GB│"}) {
        const logs::Log log = logs::read_log(row);
        CHECK(log.tool == "accelerate-estimate");
        CHECK(bytes(log, "weights") == 206.5 * mib);
        CHECK(bytes(log, "training_total") == 1.25 * gib);
        CHECK(figure(log, "weights").estimate);
    }
}

TEST_CASE("TensorFlow and JAX say the request that failed") {
    const logs::Log tensorflow = logs::read_log(
        "W bfc_allocator.cc:243] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.50GiB with "
        "freed_by_count=0.");
    CHECK(figure(tensorflow, "requested").device == "GPU_0");
    CHECK(bytes(tensorflow, "requested") == 2.5 * gib);
    const logs::Log exact = logs::read_log(
        "failed to allocate 343.34M (360015104 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory");
    CHECK(bytes(exact, "requested") == 360015104);
    CHECK(bytes(logs::read_log("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 86.50GiB."), "requested") ==
          86.5 * gib);
    CHECK(bytes(logs::read_log("RESOURCE_EXHAUSTED: Out of memory allocating 34359738368 bytes."), "requested") ==
          34359738368);
    const logs::Log maxtext = logs::read_log(
        "Memstats: After params initialized:\n\tUsing (GB) 44.5 / 95.75 (46.6%) on TPU_0(process=0,(0,0,0,0))");
    CHECK(maxtext.tool == "maxtext");
    CHECK(figure(maxtext, "device_used").device == "TPU_0");
    CHECK(bytes(maxtext, "device_total") == 95.75 * gib);
}

TEST_CASE("nvidia-smi: devices, slices and processes, quoted or not") {
    const std::string table =
        "+---------------------------------------------------------------------------------------+\n"
        "| NVIDIA-SMI 535.183.01             Driver Version: 535.183.01   CUDA Version: 12.2     |\n"
        "|   0  NVIDIA A30                     Off | 00000000:0B:00.0 Off |                   On |\n"
        "| N/A   47C    P0              32W / 165W |     50MiB / 24576MiB |     N/A      Default |\n"
        "|   1  NVIDIA A30                     Off | 00000000:0C:00.0 Off |                   On |\n"
        "| 30%   47C    P0              32W / 165W |  20000MiB / 24576MiB |     99%      Default |\n"
        "| MIG devices:                                                                          |\n"
        "|  0    2   0   0  |              25MiB / 11968MiB  | 28      0 |  2   0    2    0    0 |\n"
        "|                  |               0MiB / 16383MiB  |           |                       |\n"
        "| Processes:                                                                            |\n"
        "|    1   N/A  N/A         3637807      C   llama-server                         19990MiB |\n"
        "|    1   N/A  N/A         3637808      G   /usr/lib/xorg/Xorg                        N/A |\n";
    std::string quoted = "> ";
    for (const char letter : table) quoted += letter == '\n' ? std::string("\n> ") : std::string(1, letter);
    for (const std::string& text : {table, quoted}) {
        const logs::Log log = logs::read_log(text);
        CHECK(log.tool == "nvidia-smi");
        CHECK(log.version == "535.183.01 (CUDA 12.2)");
        const std::vector<logs::Figure> used = figures(log, "device_used");
        REQUIRE(used.size() == 3);
        CHECK(used[1].device == "1");
        CHECK(used[1].bytes == 20000 * mib);
        CHECK(used[2].device == "GPU0 GI2 CI0 MIG0");
        CHECK(used[2].bytes == 25 * mib);
        CHECK(figures(log, "device_total").size() == 3);
        CHECK(bytes(log, "process_used") == 19990 * mib);
        CHECK(figure(log, "process_used").device == "1");
        CHECK(setting(log, "mig") == "true");
    }
}

TEST_CASE("nvidia-smi's table of asked columns") {
    const logs::Log log = logs::read_log(
        "index, name, memory.used [MiB], memory.total [MiB]\n0, NVIDIA L4, 1500 MiB, 23034 MiB\n1, NVIDIA L4, 3 MiB, "
        "23034 "
        "MiB\n");
    CHECK(log.tool == "nvidia-smi");
    REQUIRE(figures(log, "device_used").size() == 2);
    CHECK(figures(log, "device_used")[0].bytes == 1500 * mib);
    CHECK(figures(log, "device_used")[1].device == "1");
}

TEST_CASE("nvitop, gpustat, rocm-smi, amd-smi and xpu-smi") {
    const logs::Log nvitop = logs::read_log(
        "│ NVITOP 1.6.2      Driver Version: 580.126.09      CUDA Driver Version: 13.0 │\n"
        "│   1  RTX PRO 6000         Off │ 00000000:4B:00.0 Off │                  N/A │\n"
        "│ 30%   33C   P1     66W / 600W │  86.50GiB / 95.50GiB │      0%      Default │\n");
    CHECK(nvitop.tool == "nvitop");
    CHECK(bytes(nvitop, "device_used") == 86.5 * gib);
    CHECK(figure(nvitop, "device_used").device == "1");
    const logs::Log gpustat =
        logs::read_log("[1] GeForce GTX Titan X  | 77'C,  96 % | 11848 / 12287 MB | root:python/52046(11821M) gdm(4M)");
    CHECK(gpustat.tool == "gpustat");
    CHECK(bytes(gpustat, "device_used") == 11848 * mib);
    CHECK(figures(gpustat, "process_used").size() == 2);
    CHECK(figure(gpustat, "device_total").device == "1");
    const logs::Log rocm = logs::read_log(
        "Device  Node  IDs  Temp  Power  SCLK  MCLK  Fan  Perf  PwrCap  VRAM%  GPU%\n"
        "1       2     0x74a1,   47056  79.0°C  748.0W  NPS1, SPX, 0  1539Mhz  1300Mhz  0%  auto  750.0W  6%  99%\n"
        "End of ROCm SMI Log\nGPU[1]\t\t: VRAM Total Memory (B): 68702699520\nGPU[1]\t\t: VRAM Total Used Memory (B): "
        "10960896\n");
    CHECK(rocm.tool == "rocm-smi");
    CHECK(figure(rocm, "device_used_percent").value == 6);
    CHECK(bytes(rocm, "device_total") == 68702699520);
    CHECK(bytes(rocm, "device_used") == 10960896);
    const logs::Log amd = logs::read_log(
        "GPU: 1\n    PROCESS_INFO:\n        MEMORY_USAGE:\n            GTT_MEM: 2.0 MB\n            VRAM_MEM: 7.5 "
        "GB\n");
    CHECK(figure(amd, "process_used").device == "1");
    CHECK(bytes(amd, "process_used") == 7.5 * gib);
    CHECK(bytes(logs::read_log("| GPU Memory Used (MiB)       | 24                  |"), "device_used") == 24 * mib);
}

}  // namespace plimsoll::test
