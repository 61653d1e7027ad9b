/// nvidia-smi's other forms, beside its table.
#pragma once

#include "formats/logs/reading.h"

namespace plimsoll::logs {

extern const Tool nvidia_smi;

/// `nvidia-smi -q`: names and values in sections, one set of them for each device.
void read_smi_log(Reading& reading);

}  // namespace plimsoll::logs
