// LM Studio's log and `lms load --estimate-only`: its sizes count by 10^3 (a card of 8 GiB is "8.59 GB"). Engine lines in
// between are llama.cpp's.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line lines[] = {
    {"[LM Studio]", ""},
    {"Model load size estimate with %*num offload layers %v and context length %v: Model: %b Context: %b Total: %b",
     "=n_gpu_layers =n_ctx ?weights ?kv_cache ?total"},
    {"%d (Used: %b, Total: %b, Free: %b)", "=device device_used device_total device_free"},
    {"Offload KV Cache to GPU: %w", "=offload_kv"},
    {"Num Offload Layers: %w", "=n_gpu_layers"},
    {"Model: %w Estimated GPU Memory: %b", "=model ?total"},
    {"Estimated GPU Memory: %b", "?total"},
    {"Estimated Total Memory: %b", "?total_of_all_devices"},
};

}  // namespace

extern const Tool lm_studio;
const Tool lm_studio = tool_of("lm-studio", lines, Units::decimal);

}  // namespace plimsoll::logs
