/// Files as people drop them: their bytes, and what the engine says of them.
#pragma once

#include "engine/support.h"

namespace plimsoll::test {

struct InspectedFile {
    std::string name, bytes;
    double size;
};

inline Json inspect(const std::vector<InspectedFile>& files) {
    Json list = Json::array();
    std::string bytes;
    for (const InspectedFile& file : files) {
        list.push_back({{"name", file.name}, {"size", file.size}, {"at", bytes.size()}, {"length", file.bytes.size()}});
        bytes += file.bytes;
    }
    return Json::parse(engine().inspect(Json{{"files", list}}.dump(), bytes));
}

}  // namespace plimsoll::test
