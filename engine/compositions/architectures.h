/// The list of architectures that an engine is linked with, of the names that the build has collected in architectures.inc
/// (engine/cmake/architectures.cmake): each composition has its own on its include path.
#pragma once

#include "model/read/architecture.h"

namespace plimsoll {

#define ARCHITECTURE(name)          \
    namespace architecture {        \
    extern const Architecture name; \
    }
#include "architectures.inc"
#undef ARCHITECTURE

#define ARCHITECTURE(name) &architecture::name,
constexpr const Architecture* listed_architectures[] = {
#include "architectures.inc"
};
#undef ARCHITECTURE

extern const Architectures architectures{listed_architectures,
                                         sizeof listed_architectures / sizeof listed_architectures[0]};

}  // namespace plimsoll
