// mlx-lm: generate.py, benchmark.py, tuner/trainer.py divide `mx.get_peak_memory()` by 1e9.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line mlx_lines[] = {
    {"tokens, %n tokens-per-sec Peak memory: %b", "- allocated_peak"},
    {"Peak memory: %b", "allocated_peak"},
    {"Peak mem %b", "allocated_peak"},
    {"peak_memory=%D", "allocated_peak"},
    // Here MB are 2^20, and in what scripts print of `mx.metal` GB mostly 2^30.
    {"Generating with a model that requires %M MB which is close to the maximum recommended size of %M MB",
     "?weights budget"},
    {"Metal active memory: %G GB", "allocated"},
    {"Metal cache memory: %G GB", "unallocated"},
    {"Metal peak memory: %G GB", "allocated_peak"},
    {"Prompt: %i tokens,", "=prompt"},
    {"Generation: %i tokens,", "=generated"},
    {"Timing with prompt_tokens=%i, generation_tokens=%i, batch_size=%i",
     "=prompt_tokens =generation_tokens =batch_size"},
    {"mlx_lm.%w --model %v", "=mlx_lm =model"},
    {"mlx_lm.%w %*--model %v", "=mlx_lm =model"},
};

}  // namespace

extern const Tool mlx;
const Tool mlx = tool_of("mlx", mlx_lines, Units::decimal);

}  // namespace plimsoll::logs
