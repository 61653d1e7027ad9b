/// What the fuzz targets of the readers share: files go in, an answer in JSON comes out, and what it proposes as a
/// request is answered in its turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "presets.h"

namespace plimsoll::fuzz {

using Json = nlohmann::ordered_json;

struct File {
    std::string name;
    std::string_view bytes;
    double more = 0;  ///< bytes that the file has beyond these
};

/// An engine with the tables that an estimate needs.
inline const Engine& engine() {
    static const Engine made = with_presets({"encodings", "optimizers", "runtimes"});
    return made;
}

inline Json answered(const std::string& reply) {
    Json json = Json::parse(reply, nullptr, false);
    if (json.is_discarded() || !json.is_object()) std::abort();
    if (const auto error = json.find("error"); error != json.end())
        if (error->at("what").get<std::string>().empty() || error->at("code") == "internal") std::abort();
    return json;
}

/// Aborts where the answer is none, asks for bytes that the file has not, or its request cannot be asked.
inline void inspect(const std::vector<File>& files) {
    Json list = Json::array();
    std::string bytes;
    for (const File& file : files) {
        const auto length = static_cast<double>(file.bytes.size());
        list.push_back({{"name", file.name}, {"size", length + file.more}, {"at", bytes.size()}, {"length", length}});
        bytes += file.bytes;
    }
    const Json reply = answered(engine().inspect(Json{{"files", list}}.dump(), bytes));
    for (const Json& need : reply.value("need", Json::array())) {
        const Json& file = list.at(need.at("file").get<size_t>());
        if (!(need.at("bytes") > file.at("length")) || !(need.at("bytes") <= file.at("size"))) std::abort();
    }
    const auto request = reply.find("request");
    if (request != reply.end() && request->contains("model")) answered(engine().estimate(request->dump()));
}

}  // namespace plimsoll::fuzz
