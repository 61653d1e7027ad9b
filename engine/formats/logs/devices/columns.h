/// Tables whose cells stand between commas, as monitors write them for other programs.
#pragma once

#include "formats/logs/reading.h"

namespace plimsoll::logs {

/// Reads every such table of the text: `nvidia-smi --query-gpu=… --format=csv`, `rocm-smi --csv`, `xpu-smi dump`.
void read_columns(Reading& reading);

}  // namespace plimsoll::logs
