// Every model of presets/models by three ways in: the count that was published comes out of each, and what its config leaves to
// the class may as well be stated.
#include <filesystem>

#include "engine/support.h"

namespace plimsoll::test::presets {

namespace {

namespace fs = std::filesystem;

std::vector<Json> presets() {
    std::vector<Json> all;
    for (const auto& entry : fs::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/models"))
        if (entry.path().extension() == ".json")
            all.push_back(Json::parse(read("presets/models/" + entry.path().filename().string())));
    return all;
}

/// Sets `a.b.c` of a config.
void state(Json& config, const std::string& path, const Json& value) {
    const size_t dot = path.find('.');
    if (dot == std::string::npos)
        config[path] = value;
    else
        state(config[path.substr(0, dot)], path.substr(dot + 1), value);
}

Json figures(const Json& reply) {
    Json made;
    for (const char* key : {"rows", "total", "phases"})
        if (reply.contains(key)) made[key] = reply.at(key);
    made["parameters"] = reply.at("model").at("parameters");
    return made;
}

}  // namespace

TEST_CASE("every preset has the published number of parameters, by its class and by its type alone") {
    int counted = 0;
    for (const Json& preset : presets()) {
        Json config = preset.at("config");
        INFO(preset.at("id"));
        const Json& all = preset.at("parameters").at("value");
        const Json& active = preset.contains("active_parameters") ? preset.at("active_parameters").at("value") : all;
        for (int way = 0; way < 2; ++way) {
            const Json reply = ask({{"model", {{"config", config}}}, {"explain", "none"}});
            CHECK(reply.at("model").at("parameters").at("total") == all);
            CHECK(reply.at("model").at("parameters").at("active") == active);
            config.erase("architectures");
        }
        ++counted;
    }
    CHECK(counted > 300);
}

TEST_CASE("what a config leaves to its class may as well be stated") {
    for (const Json& preset : presets()) {
        Json config = preset.at("config");
        INFO(preset.at("id"));
        const Json before = ask({{"model", {{"config", config}}}, {"explain", "none"}});
        for (const Json& each : before.at("assumptions")) {
            const std::string field = each.at("field");
            if (field.rfind("model.config.", 0) == 0) state(config, field.substr(13), each.at("value"));
        }
        const Json after = ask({{"model", {{"config", config}}}, {"explain", "none"}});
        CHECK(figures(after) == figures(before));
    }
}

}  // namespace plimsoll::test::presets
