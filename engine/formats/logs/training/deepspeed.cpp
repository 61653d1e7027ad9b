// DeepSpeed's see_memory_usage (runtime/utils.py): GB are 2^30, and Max_CA is rounded to a whole one. Peaks are reset by
// each call.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line deepspeed_lines[] = {
    {"MA %b Max_MA %b CA %b Max_CA %b", "allocated allocated_peak reserved reserved_peak"},
    {"CPU Virtual Memory: used = %b, percent", "host_used"},
    {"DeepSpeed info: version=%w", "!"},
    {"see_memory_usage]", ""},
    {"DeepSpeed Basic Optimizer = %w", "=optimizer"},
    {"Creating %w ZeRO stage %i optimizer", "=dtype =zero_stage"},
    {"Creating %w optimizer", "=dtype"},
};

}  // namespace

extern const Tool deepspeed;
const Tool deepspeed = tool_of("deepspeed-see-memory", deepspeed_lines);

}  // namespace plimsoll::logs
