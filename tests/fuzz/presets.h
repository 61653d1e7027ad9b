/// Presets of the tree for the fuzz targets, so that ids in a request lead somewhere.
#pragma once

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>

#include "api.h"

namespace plimsoll::fuzz {

/// An engine with every file of these folders of presets/.
inline Engine with_presets(std::initializer_list<const char*> kinds) {
    Engine engine;
    for (const std::string kind : kinds)
        for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/" + kind)) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
            engine.provide("{\"" + kind + "\":[" + text + "]}");
        }
    return engine;
}

}  // namespace plimsoll::fuzz
