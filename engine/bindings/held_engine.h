/// The one engine behind a module's doors, with the presets that it was given.
#pragma once

#include "api.h"

namespace plimsoll {

inline Engine& held_engine() {
    static Engine instance;
    return instance;
}

}  // namespace plimsoll
