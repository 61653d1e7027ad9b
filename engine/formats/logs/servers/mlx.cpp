// mlx-lm: generate.py, benchmark.py, tuner/trainer.py divide `mx.get_peak_memory()` by 1e9.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line lines[] = {
    {"tokens, %n tokens-per-sec Peak memory: %b", "- allocated_peak"},
    {"Peak memory: %b", "allocated_peak"},
    {"Peak mem %b", "allocated_peak"},
    {"peak_memory=%D", "allocated_peak"},
    {"Prompt: %i tokens,", "=prompt"},
    {"Generation: %i tokens,", "=generated"},
    {"Timing with prompt_tokens=%i, generation_tokens=%i, batch_size=%i",
     "=prompt_tokens =generation_tokens =batch_size"},
    {"mlx_lm.%*--model %v", "=model"},
};

}  // namespace

extern const Tool mlx;
const Tool mlx = tool_of("mlx", lines, Units::decimal);

}  // namespace plimsoll::logs
