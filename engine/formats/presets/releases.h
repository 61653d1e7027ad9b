/// A runtime's earlier defaults and rules, in its preset.
#pragma once

#include "formats/json/json.h"
#include "inputs/runtime.h"

namespace plimsoll {

/// Fills in `step`, `releases` and by what the claimed share is chosen. The engine that a page fetches first knows no
/// runtime that has them.
void read_releases(const Json& preset, Runtime& runtime);

/// `on_devices` of defaults.
std::vector<DeviceDefaults> read_device_defaults(const Json& defaults);

/// A release at `key`, [0, 6, 6] as 6.006: majors in thousands, patches in thousandths; 0 where there is none.
double release_number(const Json& entry, const char* key);

}  // namespace plimsoll
