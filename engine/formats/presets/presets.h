/// Files of presets/ to plain inputs. Each value is {"value", "unit", "from"}; `from` names entries of `sources`.
#pragma once

#include "formats/json/json.h"
#include "inputs/bands.h"
#include "inputs/device.h"
#include "inputs/encoding.h"
#include "inputs/optimizer.h"
#include "inputs/runtime.h"
#include "inputs/speed.h"
#include "inputs/trainer.h"

namespace plimsoll {

Result<Device> read_device(const Json& preset);
Result<Encoding> read_encoding(const Json& preset);
Result<Optimizer> read_optimizer(const Json& preset);
Result<Runtime> read_runtime(const Json& preset);
Result<Trainer> read_trainer(const Json& preset);
Result<Bands> read_bands(const Json& preset);
Result<Speed> read_speed(const Json& preset);

/// Title and address of the sources that `from` names, a line for each.
std::string source_line(const Json& preset, const Json& from);

}  // namespace plimsoll
