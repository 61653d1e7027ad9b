// torch.cuda.memory_summary() and memory_stats(): torch/cuda/memory.py. The summary cuts its numbers (`//= 1024`), and its
// last two columns are sums of all that was ever allocated and freed, which is traffic.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line summary[] = {
    {"PyTorch CUDA memory summary, device ID %i", "@@"},
    {"CUDA OOMs: %i", "out_of_memory_errors"},
    {"Allocated memory | %b | %b |", "allocated allocated_peak"},
    {"Active memory | %b | %b |", "active active_peak"},
    {"Requested memory | %b | %b |", "tensors tensors_peak"},
    {"GPU reserved memory | %b | %b |", "reserved reserved_peak"},
    {"Non-releasable memory | %b | %b |", "non_releasable non_releasable_peak"},
};

constexpr Line stats[] = {
    {"allocated_bytes.all.current~%B", "allocated"},
    {"allocated_bytes.all.peak~%B", "allocated_peak"},
    {"reserved_bytes.all.current~%B", "reserved"},
    {"reserved_bytes.all.peak~%B", "reserved_peak"},
    {"active_bytes.all.current~%B", "active"},
    {"active_bytes.all.peak~%B", "active_peak"},
    {"requested_bytes.all.current~%B", "tensors"},
    {"requested_bytes.all.peak~%B", "tensors_peak"},
    {"inactive_split_bytes.all.current~%B", "non_releasable"},
    {"inactive_split_bytes.all.peak~%B", "non_releasable_peak"},
};

constexpr Tool cutting() {
    Tool tool = tool_of("torch-memory-summary", summary);
    tool.rounds_down = true;
    return tool;
}

}  // namespace

extern const Tool torch_memory_summary, torch_memory_stats;
const Tool torch_memory_summary = cutting();
const Tool torch_memory_stats = tool_of("torch-memory-stats", stats);

}  // namespace plimsoll::logs
