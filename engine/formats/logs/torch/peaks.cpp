// Lines that scripts print of torch's counters: modded-nanogpt, peft's examples, transformers' Trainer, torchtune.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line peaks_lines[] = {
    {"peak memory allocated: %b reserved: %b", "allocated_peak reserved_peak"},
    {"peak memory consumption: %b", "allocated_peak"},
    {"max_memory_allocated~%b", "allocated_peak"},
    {"max_memory_reserved~%b", "reserved_peak"},
    {"GPU Memory before entering the train~%M", "allocated"},  // peft: `b2mb` divides by 2^20
    {"GPU Total Peak Memory consumed during the train (max)~%M", "allocated_peak"},
    {"_mem_gpu_alloc_delta = %b", "allocated_increase"},
    {"_mem_gpu_peaked_delta = %b", "peak_increase"},
    {"GPU peak memory allocation: %b", "allocated_peak"},
    {"GPU peak memory reserved: %b", "reserved_peak"},
    {"GPU peak memory active: %b", "active_peak"},
    {"peak_memory_active:%G", "active_peak"},
    {"peak_memory_alloc:%G", "allocated_peak"},
    {"peak_memory_reserved:%G", "reserved_peak"},
};

}  // namespace

extern const Tool torch_peaks;
const Tool torch_peaks = tool_of("torch-peak-line", peaks_lines);

}  // namespace plimsoll::logs
