// PyTorch's messages and tables, across versions and devices. The forms are the sources' own (named in
// engine/formats/logs/torch); the figures are made up.
#include "engine/formats/logs/logs.h"

namespace plimsoll::test::torch {

TEST_CASE("1.x says in brackets what it has") {
    const logs::Log log = logs::read_log(
        "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 1; 10.76 GiB total capacity; 8.24 GiB "
        "already "
        "allocated; 1.53 GiB free; 9.00 GiB allowed; 8.27 GiB reserved in total by PyTorch) If reserved memory is >> "
        "allocated memory try setting max_split_size_mb");
    CHECK(log.tool == "torch-oom");
    CHECK(bytes(log, "requested") == 20 * mib);
    CHECK(figure(log, "device_total").device == "1");
    CHECK(figure(log, "allocated").device == "1");
    CHECK(bytes(log, "allocated") == Approx(8.24 * gib));
    CHECK(bytes(log, "device_free") == Approx(1.53 * gib));
    CHECK(bytes(log, "cap") == 9 * gib);
    CHECK(bytes(log, "reserved") == Approx(8.27 * gib));
}

TEST_CASE("before 1.4 reserved was called cached") {
    const logs::Log log = logs::read_log(
        "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.75 GiB total capacity; 13.50 GiB already allocated; "
        "1.10 GiB free; 512.00 MiB cached)");
    CHECK(bytes(log, "reserved") == 512 * mib);
}

TEST_CASE("other devices say it in the same words") {
    const logs::Log npu = logs::read_log(
        "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 5; 61.28 GiB total capacity; 50.50 GiB "
        "already "
        "allocated; 50.25 GiB current active; 1.25 GiB free; 58.00 GiB reserved in total by PyTorch)");
    CHECK(bytes(npu, "active") == 50.25 * gib);
    CHECK(figure(npu, "device_total").device == "5");
    const logs::Log xpu = logs::read_log(
        "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of 15.50 "
        "GiB. Of "
        "the allocated memory 12.00 GiB is allocated by PyTorch, and 1.50 GiB is reserved by PyTorch but unallocated.");
    CHECK(xpu.figures.size() == 4);
    const logs::Log misspelt = logs::read_log("GPU 0 has a total capacty of 23.69 GiB of which 7.11 GiB is free.");
    CHECK(bytes(misspelt, "device_total") == Approx(23.69 * gib));
}

TEST_CASE("MPS says its limit, and GB for GiB in older versions") {
    const logs::Log log = logs::read_log(
        "RuntimeError: MPS backend out of memory (MPS allocated: 42.50 GB, other allocations: 3.00 GB, max allowed: "
        "45.90 "
        "GB). Tried to allocate 3.00 GB on private pool.");
    CHECK(bytes(log, "allocated") == 42.5 * gib);
    CHECK(bytes(log, "non_torch") == 3 * gib);
    CHECK(bytes(log, "cap") == Approx(45.9 * gib));
    const logs::Log first =
        logs::read_log("MPS backend out of memory (currently allocated: 18.50 GB, max allowed: 18.13 GB)");
    CHECK(bytes(first, "allocated") == 18.5 * gib);
}

TEST_CASE("cudaMallocAsync lists what it knows, a limit that is none among it") {
    const logs::Log log = logs::read_log(
        "torch.cuda.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)\n"
        "Currently allocated     : 9.50 GiB\nRequested               : 30.00 MiB\nDevice limit            : 11.75 GiB\n"
        "Free (according to CUDA): 0 bytes\nPyTorch limit (set by user-supplied memory fraction)\n"
        "                        : 17179869184.00 GiB");
    CHECK(bytes(log, "allocated") == 9.5 * gib);
    CHECK(bytes(log, "requested") == 30 * mib);
    CHECK(bytes(log, "device_total") == 11.75 * gib);
    CHECK(bytes(log, "device_free") == 0);
    CHECK(figure(log, "cap").refused == logs::Refused::beyond_any_memory);
}

TEST_CASE("a memory summary's columns are current and peak, traffic is left alone") {
    const logs::Log log = logs::read_log(
        "|                  PyTorch CUDA memory summary, device ID 2                 |\n"
        "|            CUDA OOMs: 1            |        cudaMalloc retries: 3         |\n"
        "|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |\n"
        "| Allocated memory      |   5624 MiB |   5673 MiB |  22536 MiB |  16911 MiB |\n"
        "|       from large pool |   5543 MiB |   5589 MiB |   8875 MiB |   3332 MiB |\n"
        "| Requested memory      |   5500 MiB |   5600 MiB |  22000 MiB |  16000 MiB |\n"
        "| GPU reserved memory   |   6000 MB  |   6100 KB  |   6100 MB  |      0 B   |\n");
    CHECK(log.tool == "torch-memory-summary");
    CHECK(bytes(log, "allocated_peak") == 5673 * mib);
    CHECK(bytes(log, "tensors") == 5500 * mib);
    CHECK(bytes(log, "reserved") == 6000 * mib);
    CHECK(bytes(log, "reserved_peak") == 6100 * 1024);
    CHECK(figure(log, "out_of_memory_errors").value == 1);
    CHECK(log.figures.size() == 7);
    for (const logs::Figure& each : log.figures) CHECK(each.device == "2");
}

TEST_CASE("memory_stats is read as a dictionary and as a list of pairs") {
    for (const char* text :
         {"{'allocated_bytes.all.current': 1024, 'allocated_bytes.all.peak': 4096, 'num_ooms': 0}",
          "OrderedDict([('allocated_bytes.all.current', 1024), ('allocated_bytes.all.peak', 4096)])"}) {
        const logs::Log log = logs::read_log(text);
        CHECK(log.tool == "torch-memory-stats");
        CHECK(bytes(log, "allocated") == 1024);
        CHECK(bytes(log, "allocated_peak") == 4096);
    }
}

TEST_CASE("a fork's own name, the host's allocator, and a list that ends with what is free") {
    const logs::Log fork = logs::read_log(
        "RuntimeError: MUSA out of memory. Tried to allocate 20.00 MiB (GPU 0; 47.75 GiB total capacity; 46.25 GiB "
        "already allocated; 19.50 MiB free; 46.50 GiB reserved in total by MUSA)");
    CHECK(bytes(fork, "reserved") == 46.5 * gib);
    CHECK(fork.figures.size() == 5);
    for (const char* text :
         {"[enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: not enough memory: you tried to allocate "
          "180355072 bytes.",
          "[enforce fail at CPUAllocator.cpp:64] . DefaultCPUAllocator: can't allocate memory: you tried to allocate "
          "180355072 bytes. Error code 12 (Cannot allocate memory)"}) {
        const logs::Log host = logs::read_log(text);
        CHECK(host.tool == "torch-oom");
        CHECK(bytes(host, "requested") == 180355072);
    }
    const logs::Log last = logs::read_log(
        "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.75 GiB total capacity; 13.50 GiB already allocated; "
        "1.25 GiB free)");
    CHECK(bytes(last, "allocated") == 13.5 * gib);
    CHECK(bytes(last, "device_free") == 1.25 * gib);
}

TEST_CASE("counters that are printed by their functions' names") {
    const logs::Log log = logs::read_log(
        "torch.cuda.max_memory_allocated: 12.25GB\n{'max_memory_reserved': '13.50 GiB'}\nMemory used: 12.34 GB\n");
    CHECK(log.tool == "torch-peak-line");
    CHECK(bytes(log, "allocated_peak") == 12.25 * gib);
    CHECK(bytes(log, "reserved_peak") == 13.5 * gib);
    CHECK(log.figures.size() == 2);
}

}  // namespace plimsoll::test::torch
