// PyTorch's out-of-memory messages, a clause at a time, so that wrapped and cut ones are read as far as they go:
// c10/cuda/CUDACachingAllocator.cpp (and XPU's), aten/src/ATen/mps/MPSAllocator.mm, torch_npu's NPUCachingAllocator.cpp,
// c10/cuda/CUDAMallocAsyncAllocator.cpp. All units are of 2^10 steps; MPS printed GB for GiB until 2.6.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line out_of_memory_lines[] = {
    {"OutOfMemoryError:", ""},
    {"Tried to allocate %b", "requested"},
    {"NPUWorkspaceAllocator tried to allocate %b", "requested"},

    // 1.x and 2.0: `(GPU 0; 23.55 GiB total capacity; 22.52 GiB already allocated; …`; NPU, MLU and XPU say theirs alike.
    {"%w %i; %b total capacity", "- @@ device_total"},
    {"%b total capacity", "device_total"},
    {"%b already allocated; %b free)", "allocated device_free"},
    {"%b already allocated", "allocated"},
    {"%b current active", "active"},
    {"%b free; ", "device_free"},
    {"%b allowed; ", "cap"},
    {"%b reserved in total by", "reserved"},  // PyTorch; MUSA writes its own name
    {"%b cached)", "reserved"},               // to 1.3

    // From 2.1 on, where capacity was misspelt at first.
    {"%w %i has a total capacity of %b", "- @@ device_total"},
    {"%w %i has a total capacty of %b", "- @@ device_total"},
    {"of which %b is free", "device_free"},
    {"this process has %b memory in use", "process_used"},
    {"Process %i has %b memory in use", "- other_process_used"},
    {"Of the allocated memory %b is allocated by PyTorch", "allocated"},
    {"with %b allocated in private pools", "~private_pools"},
    {"%b is reserved by PyTorch but unallocated", "unallocated"},
    {"%b allowed; Of the allocated", "cap"},

    // The host's allocator, c10/core/impl/alloc_cpu.cpp.
    {"DefaultCPUAllocator: %*you tried to allocate %b", "requested"},

    // MPS.
    {"MPS allocated: %b", "allocated"},
    {"MPS backend out of memory (currently allocated: %b", "allocated"},  // 1.12
    {"other allocations: %b", "non_torch"},
    {"max allowed: %b", "cap"},

    // cudaMallocAsync.
    {"Currently allocated~%b", "allocated"},
    {"Device limit~%b", "device_total"},
    {"Free (according to CUDA)~%b", "device_free"},
    {"PyTorch limit (set by user-supplied memory fraction)~%b", "cap"},
    {"Requested~%b", "requested"},
};

}  // namespace

extern const Tool torch_out_of_memory;
const Tool torch_out_of_memory = tool_of("torch-oom", out_of_memory_lines);

}  // namespace plimsoll::logs
