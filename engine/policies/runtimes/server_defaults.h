/// What a server takes where it is told nothing: by its release, and by the device that it finds.
#pragma once

#include "inputs/device.h"
#include "inputs/runtime.h"

namespace plimsoll {

struct ServerDefaults {
    double batch_tokens = 0, sequences_at_once = 0, memory_fraction = 0;
    double least_fraction = 0, most_fraction = 0;  ///< that other releases take, where no release was said
    StepRules step;
    const char* why = "the runtime's default";  ///< of batch_tokens
};

/// What decides on them.
struct ServerSetting {
    double release = 0;  ///< 0.6.6 as 6.006; 0: today's
    const Device* device = nullptr;
    double context = 0, devices = 1;  ///< tokens of a sequence; devices of one instance
};

/// The engine that a page fetches first has no servers: all zero there.
ServerDefaults server_defaults(const Runtime& runtime, const ServerSetting& setting);

/// What llama.cpp's graphs do in a build; today's where none is said.
GraphRules graph_rules(const Runtime& runtime, double release);

}  // namespace plimsoll
