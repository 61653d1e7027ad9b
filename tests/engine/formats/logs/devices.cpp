// What devices' own tools show, across versions. The forms are the tools' own (named in engine/formats/logs/devices); the
// figures are made up.
#include "engine/formats/logs/logs.h"

namespace plimsoll::test::devices {

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

TEST_CASE("nvidia-smi of old drivers, under Windows, and without a title for its processes") {
    const logs::Log old = logs::read_log(
        "| NVIDIA-SMI 396.37                 Driver Version: 396.37                    |\n"
        "|   0  Tesla V100-SXM2...  On   | 00000000:00:1B.0 Off |                    0 |\n"
        "| N/A   41C    P0    62W / 300W |  15932MiB / 16160MiB |     97%      Default |\n");
    CHECK(old.tool == "nvidia-smi");
    CHECK(old.version == "396.37");
    CHECK(bytes(old, "device_used") == 15932 * mib);
    const logs::Log windows = logs::read_log(
        "| NVIDIA-SMI 531.18                 Driver Version: 531.18       CUDA Version: 12.1     |\n"
        "|   0  NVIDIA GeForce RTX 3080       WDDM | 00000000:01:00.0  On |                  N/A |\n"
        "|  0%   45C    P8               30W / 370W|   1420MiB / 10240MiB |      3%      Default |\n"
        "|    0   N/A  N/A      1296    C+G   C:\\Windows\\explorer.exe                   N/A      |\n");
    CHECK(windows.version == "531.18 (CUDA 12.1)");
    REQUIRE(windows.settings.size() == 1);
    CHECK(windows.settings[0].values == std::vector<std::string>{"NVIDIA GeForce RTX 3080"});
    CHECK(windows.figures.size() == 2);
}

TEST_CASE("nvidia-smi -q: a device's memory, and not the window on it") {
    const logs::Log log = logs::read_log(
        "==============NVSMI LOG==============\n\nTimestamp                           : Tue Aug 15 16:00:35 2017\n"
        "Driver Version                      : 535.86\nCUDA Version                        : 12.2\n"
        "Attached GPUs                       : 2\nGPU 00000000:19:00.0\n"
        "    Product Name                    : NVIDIA H100 80GB HBM3\n"
        "    FB Memory Usage\n        Total                       : 81559 MiB\n"
        "        Reserved                    : 575 MiB\n        Used                        : 15 MiB\n"
        "        Free                        : 80968 MiB\n    BAR1 Memory Usage\n"
        "        Total                       : 131072 MiB\n        Used                        : 1 MiB\n"
        "        Free                        : 131071 MiB\n    Processes\n        GPU instance ID             : N/A\n"
        "        Process ID                  : 4242\n            Used GPU Memory         : 7 MiB\n"
        "GPU 00000000:5D:00.0\n    FB Memory Usage\n        Used                        : 4 MiB\n");
    CHECK(log.tool == "nvidia-smi");
    CHECK(log.version == "535.86 (CUDA 12.2)");
    CHECK(bytes(log, "device_total") == 81559 * mib);
    CHECK(bytes(log, "device_free") == 80968 * mib);
    CHECK(bytes(log, "process_used") == 7 * mib);
    REQUIRE(figures(log, "device_used").size() == 2);
    CHECK(figures(log, "device_used")[0].device == "00000000:19:00.0");
    CHECK(figures(log, "device_used")[1].device == "00000000:5D:00.0");
    CHECK(log.figures.size() == 5);
    CHECK(setting(log, "devices") == "NVIDIA H100 80GB HBM3");
}

TEST_CASE("columns that only the command names, with units and without") {
    for (const char* text :
         {"$ nvidia-smi --query-gpu=index,name,memory.used,memory.total --format=csv,noheader\n"
          "1, NVIDIA L4, 1500 MiB, 23034 MiB\n$ ls\n1, 2, 3, 4\n",
          "$ nvidia-smi --query-gpu=index,name,memory.used,memory.total --format=csv,noheader,nounits\n"
          "1, NVIDIA L4, 1500, 23034\nall of 4, or none of it\n"}) {
        const logs::Log log = logs::read_log(text);
        CHECK(log.tool == "nvidia-smi");
        CHECK(bytes(log, "device_used") == 1500 * mib);
        CHECK(bytes(log, "device_total") == 23034 * mib);
        CHECK(figure(log, "device_total").device == "1");
    }
    const logs::Log processes = logs::read_log(
        "pid, process_name, used_gpu_memory [MiB]\n114687, /usr/bin/python, 19135 MiB\n114688, /usr/bin/python, [N/A]\n"
        "114689, /usr/bin/python, 5 MiB\n");
    CHECK(figures(processes, "process_used").size() == 2);
    // a column alone is no reason to take every number below it
    CHECK(logs::read_log("memory.used [MiB]\n15 MiB\nAnd then?\n42\n").figures.size() == 1);
}

TEST_CASE("rocm-smi as columns, as JSON, in the small letters of old versions, and its processes") {
    const logs::Log columns = logs::read_log(
        "device,Unique ID,VRAM Total Memory (B),VRAM Total Used Memory (B),Card Series,Card Vendor\n"
        "card1,0x9246,17163091968,692142080,Navi 21 [Radeon RX 6800],Advanced Micro Devices, Inc. [AMD/ATI]\n");
    CHECK(columns.tool == "rocm-smi");
    CHECK(bytes(columns, "device_total") == 17163091968);
    CHECK(figure(columns, "device_used").device == "1");
    const logs::Log json = logs::read_log(
        "{\n  \"card0\": {\n    \"VRAM Total Memory (B)\": \"21458059264\",\n    \"VRAM Total Used Memory (B)\": "
        "\"27856896\"\n  },\n  \"card1\": {\n    \"VRAM Total Memory (B)\": \"21458059264\"\n  }\n}\n");
    CHECK(json.tool == "rocm-smi");
    REQUIRE(figures(json, "device_total").size() == 2);
    CHECK(figures(json, "device_total")[0].device == "0");
    CHECK(figures(json, "device_total")[1].device == "1");
    const logs::Log old = logs::read_log(
        "GPU[1]\t\t: vram Total Memory (B): 68702699520\nGPU[1]\t\t: vram Total Used Memory (B): 10960896\n"
        "GPU[1]\t\t: VIS_VRAM Total Memory (B): 68702699520\nGPU[1]          : GPU memory use (%): 42\n");
    CHECK(bytes(old, "device_total") == 68702699520);
    CHECK(bytes(old, "device_used") == 10960896);
    CHECK(figure(old, "device_used_percent").value == 42);
    for (const logs::Figure& each : old.figures) CHECK(each.device == "1");
    CHECK(old.figures.size() == 3);
    const logs::Log processes = logs::read_log(
        "KFD process information:\nPID\tPROCESS NAME\tGPU(s)\tVRAM USED\tSDMA USED\tCU OCCUPANCY\t\n"
        "2114\tpython3      \t1     \t10821632\t0        \tUNKNOWN     \t\n");
    CHECK(processes.tool == "rocm-smi");
    CHECK(bytes(processes, "process_used") == 10821632);
}

TEST_CASE("amd-smi: its table, its monitor of three versions, what it lists") {
    const logs::Log table = logs::read_log(
        "| AMD-SMI 26.0.0+37d158ab      amdgpu version: 6.14.14  ROCm version: 7.0.0    |\n"
        "| BDF                        GPU-Name | Mem-Uti   Temp   UEC       Power-Usage |\n"
        "| GPU  HIP-ID  OAM-ID  Partition-Mode | GFX-Uti    Fan               Mem-Usage |\n"
        "|=====================================+========================================|\n"
        "| 0000:05:00.0    AMD Instinct MI300X | 0 %      39 °C   0           139/750 W |\n"
        "|   0       0       7        SPX/NPS1 | 0 %        N/A           285/196592 MB |\n"
        "|-------------------------------------+----------------------------------------|\n"
        "| 0000:26:00.0    AMD Instinct MI300X | 0 %      39 °C   0           139/750 W |\n"
        "|   1       1       6        SPX/NPS1 | 0 %        N/A           283/196592 MB |\n"
        "| Processes:                                                                   |\n"
        "|  GPU        PID  Process Name          GTT_MEM  VRAM_MEM  MEM_USAGE     CU % |\n"
        "|==============================================================================|\n"
        "|    1      12345  python3.10             2.0 MB  150.5 GB   151.0 GB    0.0 % |\n");
    CHECK(table.tool == "amd-smi");
    CHECK(table.version == "26.0.0+37d158ab");
    REQUIRE(figures(table, "device_used").size() == 2);
    CHECK(figures(table, "device_used")[1].bytes == 283 * mib);
    CHECK(figures(table, "device_total")[1].device == "1");
    CHECK(bytes(table, "process_used") == 150.5 * gib);
    CHECK(table.figures.size() == 5);
    CHECK(setting(table, "devices") == "AMD Instinct MI300X");
    const logs::Log first = logs::read_log(
        "GPU  POWER  GPU_TEMP  MEM_CLOCK  VRAM_USED  VRAM_TOTAL   PCIE_BW\n\n"
        "  1   11 W     43 °C    512 MHz     227 MB    25476 MB  0.1 Mb/s\n");
    CHECK(bytes(first, "device_used") == 227 * mib);
    CHECK(figure(first, "device_total").device == "1");
    CHECK(first.figures.size() == 2);
    const logs::Log second = logs::read_log(
        "GPU  VRAM_USED   VRAM_FREE  VRAM_TOTAL    VRAM%\n  0     174 MB    16011 MB    16185 MB   0.01 %\n"
        "Then I had 1 MB of it, 2 MB and 3 MB.\n1 MB 2 MB 3 MB\n");
    CHECK(bytes(second, "device_free") == 16011 * mib);
    CHECK(second.figures.size() == 3);
    const logs::Log third = logs::read_log(
        "GPU  XCP  POWER  GPU_T  GFX_CLK  GFX%  MEM%  VRAM_USAGE\n  0    0  139 W  39 °C  132 MHz   0 %   0 %    "
        "1.5/192.0 GB\n");
    CHECK(bytes(third, "device_used") == 1.5 * gib);
    CHECK(bytes(third, "device_total") == 192 * gib);
    const logs::Log lists = logs::read_log(
        "GPU: 3\n    MEM_USAGE:\n        TOTAL_VRAM: 196592 MB\n        USED_VRAM: 285 MB\n"
        "        TOTAL_VISIBLE_VRAM: 196592 MB\n        TOTAL_GTT: 1030 MB\n        USED_GTT: 15 MB\n"
        "GPU: 4\n    VRAM:\n        TYPE: HBM\n        VENDOR: HYNIX\n        SIZE: 196592 MB\n        BIT_WIDTH: "
        "8192\n");
    REQUIRE(figures(lists, "device_total").size() == 2);
    CHECK(figures(lists, "device_total")[0].device == "3");
    CHECK(figures(lists, "device_total")[1].device == "4");
    CHECK(bytes(lists, "gtt_total") == 1030 * mib);
    CHECK(bytes(lists, "gtt_used") == 15 * mib);
    CHECK(lists.figures.size() == 5);
}

TEST_CASE("xpu-smi's table of 2, and its dump") {
    const logs::Log table = logs::read_log(
        "|            Intel XPU-SMI v2.0    Driver: 96E1802BAF7F7118043A89B    Level Zero: 1.32.0             |\n"
        "| GPU  Name                    Persistence-M   | Bus-Id            Disp.A   |   Volatile Uncorr. ECC |\n"
        "|   1  Intel(R) Arc(TM) A770   Off             | 0000:03:00.0      Off      |               Disabled |\n"
        "|      Graphics                                |                            |                        |\n"
        "| N/A               N/A  45W / 190W            | 3642MiB / 16288MiB         |      N/A       Default |\n"
        "| Processes:                                                                                         |\n"
        "|     1     2874292     C      xpu-smi                                                       206 MiB |\n");
    CHECK(table.tool == "xpu-smi");
    CHECK(table.version == "2.0");
    CHECK(bytes(table, "device_used") == 3642 * mib);
    CHECK(figure(table, "device_total").device == "1");
    CHECK(bytes(table, "process_used") == 206 * mib);
    CHECK(setting(table, "devices") == "Intel(R) Arc(TM) A770");
    const logs::Log dump = logs::read_log(
        "Timestamp, DeviceId, GPU Utilization (%), GPU Memory Utilization (%), GPU Memory Used (MiB)\n"
        "14:15:20.490,    0,  N/A, 0.10, 17.50\n14:15:20.490,    1,  N/A, 0.30, 49.25\n");
    CHECK(dump.tool == "xpu-smi");
    REQUIRE(figures(dump, "device_used").size() == 2);
    CHECK(figures(dump, "device_used")[1].bytes == 49.25 * mib);
    CHECK(figures(dump, "device_used")[1].device == "1");
    CHECK(dump.figures.size() == 2);
}

TEST_CASE("nvitop's compact table, and what its library prints") {
    const logs::Log once = logs::read_log(
        "| NVITOP 1.3.2      Driver Version: 535.104.05      CUDA Driver Version: 12.2 |\n"
        "| GPU Fan Temp Perf Pwr:Usg/Cap |         Memory-Usage | GPU-Util  Compute M. |\n"
        "|   0 N/A  33C  P0    67W / 700W |  1.25GiB / 80.00GiB |      0%      Default |\n"
        "|   1 30%  41C  P8    25W / 350W |  23.50GiB / 24.00GiB |    99%      Default |\n");
    CHECK(once.tool == "nvitop");
    CHECK(once.version == "1.3.2");
    REQUIRE(figures(once, "device_used").size() == 2);
    CHECK(figures(once, "device_used")[0].device == "0");
    CHECK(figures(once, "device_used")[1].device == "1");
    const logs::Log library = logs::read_log(
        "GpuProcess(pid=52059, gpu_memory=7885MiB, type=C, device=PhysicalDevice(index=2, name=\"GeForce RTX 2080 "
        "Ti\", "
        "total_memory=11019MiB), host=HostProcess(pid=52059))");
    CHECK(library.tool == "nvitop");
    CHECK(bytes(library, "process_used") == 7885 * mib);
    CHECK(figure(library, "device_total").device == "2");
}

}  // namespace plimsoll::test::devices
