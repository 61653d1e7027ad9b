// A GGUF and the config.json of one model say the same: for every configuration that llama.cpp converts, the header
// that its converter would write is read, and the model described by it is held against the configuration's.
#include "formats/gguf_facts.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "engine/gguf_converter.h"
#include "engine/gguf_writer.h"
#include "engine/support.h"
#include "formats/huggingface.h"
#include "model/architecture.h"
#include "model/profile.h"

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

struct Named {
    std::string name;
    Facts config;
};

Facts facts_of_config(const test::Json& config) {
    Result<Facts> facts = read_config(config, "config.json", "config");
    REQUIRE(facts);
    return *facts;
}

std::vector<Named> configurations() {
    std::vector<Named> list;
    std::istringstream lines(read("tests/measured/models.jsonl"));
    for (std::string line; std::getline(lines, line);) {
        for (size_t at; (at = line.find("Infinity")) != std::string::npos;) line.replace(at, 8, "0");
        const test::Json row = test::Json::parse(line);
        list.push_back({row.at("name"), facts_of_config(row.at("config"))});
    }
    const std::filesystem::path presets = std::filesystem::path(PLIMSOLL_SOURCE_DIR) / "presets/models";
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(presets)) files.insert(entry.path());
    for (const auto& file : files) {
        const test::Json preset = test::Json::parse(read("presets/models/" + file.filename().string()));
        if (preset.contains("config")) list.push_back({preset.at("id"), facts_of_config(preset.at("config"))});
    }
    return list;
}

Result<Facts> read_back(const std::string& header, double size) {
    Checkpoint checkpoint;
    const Result<GgufRead> read = read_gguf({"model.gguf", header, size}, checkpoint);
    if (!read) return read.error();
    REQUIRE(read->need == 0);
    return facts_of(read->header);
}

/// What a layer is to memory: its parameters, and what it keeps.
std::string layer_of(const Model& model, size_t layer, double context) {
    const Block& block = model.kinds[model.order[layer]].block;
    std::map<std::string, double> sums;
    for (const Weight<double>& weight : weights_of<double>(block)) {
        sums["parameters"] += weight.elements();
        sums["active"] += weight.elements() * weight.active_share;
    }
    for (const Kept<double>& kept : kept_by<double>(block)) {
        const double tokens = kept.tokens_at_most > 0 ? std::min(kept.tokens_at_most, context) : context;
        sums[std::string(kept.name)] += kept.elements_per_sequence > 0
                                            ? kept.elements_per_sequence * bytes_of<double>(kept.dtype).n
                                            : tokens * kept.elements_per_token;
    }
    std::ostringstream text;
    for (const auto& [name, sum] : sums) text << name << ' ' << std::fixed << sum << "; ";
    return text.str();
}

double prediction(const Model& model) {
    for (const Tower& tower : model.towers)
        if (tower.name == "mtp") return parameters<double>(tower);
    return 0;
}

/// Without the towers that llama.cpp stores in a file of their own, or leaves out.
void keep_language(Model& model, bool with_prediction) {
    const auto other = [with_prediction](const Tower& tower) {
        return tower.name != "encoder" && !(with_prediction && tower.name == "mtp");
    };
    model.towers.erase(std::remove_if(model.towers.begin(), model.towers.end(), other), model.towers.end());
}

void check_same(const Model& expected, const Model& found) {
    CHECK(found.tied == expected.tied);
    CHECK(parameters<double>(found) == parameters<double>(expected));
    CHECK(active_parameters(found) == active_parameters(expected));
    CHECK(prediction(found) == prediction(expected));
    REQUIRE(found.order.size() == expected.order.size());
    for (const double context : {1000.0, 100000.0})
        for (size_t layer = 0; layer < found.order.size(); ++layer) {
            INFO("layer " << layer << ", context " << context);
            REQUIRE(layer_of(found, layer, context) == layer_of(expected, layer, context));
        }
}

}  // namespace

TEST_CASE("a GGUF describes the model that its config.json describes: parameters, cache and state, layer by layer") {
    std::set<std::string> converted, others;
    int models = 0;
    for (const Named& each : configurations()) {
        INFO(each.name);
        const std::string type = *each.config.get<std::string>("model_type");
        const Result<Model> whole = read_model(each.config);
        REQUIRE(whole);
        const auto written = convert(each.config, *whole);
        (written ? converted : others).insert(type);
        if (!written) continue;
        Result<Model> expected = read_model(written->config);
        REQUIRE(expected);
        keep_language(*expected, written->prediction);
        const Result<Facts> facts = read_back(written->header, written->size);
        INFO((facts ? "" : facts.error().where + ": " + facts.error().what));
        REQUIRE(facts);
        const Result<Model> found = read_model(*facts);
        INFO((found ? "" : found.error().where + ": " + found.error().what));
        REQUIRE(found);
        CHECK_FALSE(found->generic);
        check_same(*expected, *found);
        ++models;
    }
    CHECK(models >= 430);
    CHECK(converted.size() >= 80);
    // Those that llama.cpp does not convert; of Falcon the ones with ALiBi.
    CHECK(others == std::set<std::string>{"falcon", "gpt_neo", "gptj", "internlm", "mimo", "minimax", "minimax_m1",
                                          "mllama", "opt", "rwkv", "whisper"});
}
