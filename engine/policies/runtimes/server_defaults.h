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
    ShareRule share = {};                       ///< of the release
};

/// What decides of the model, and of what is beside it.
struct ServedModel {
    enum class Draft : unsigned char { none, head, model };
    bool latents = false, tower = false;
    double tower_layers = 24, tower_hidden = 1024;  ///< as its configuration calls them, else CLIP's
    Draft draft = Draft::none;
};

/// What decides on them.
struct ServerSetting {
    double release = 0;  ///< 0.6.6 as 6.006; 0: today's
    const Device* device = nullptr;
    double context = 0, tensor = 1, pipeline = 1;  ///< tokens of a sequence; devices of one instance
    double batch_tokens = 0;                       ///< 0: not said
    ServedModel model;
};

/// The engine that a page fetches first has no servers: all zero there.
ServerDefaults server_defaults(const Runtime& runtime, const ServerSetting& setting);

/// What llama.cpp's graphs do in a build; today's where none is said.
GraphRules graph_rules(const Runtime& runtime, double release);

}  // namespace plimsoll
