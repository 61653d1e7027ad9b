// Presets from outside, changed field by field: they are taken or refused by name, and whoever asks for what was taken gets
// an answer.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "presets.h"
#include "with_grammar.h"

namespace {

using plimsoll::fuzz::Grammar;
using Json = Grammar::Json;

constexpr const char* kinds[] = {"devices",  "encodings", "optimizers", "runtimes",
                                 "trainers", "bands",     "speeds",     "models"};

Grammar& grammar() {
    static Grammar made = [] {
        Grammar learning;
        for (const char* kind : kinds)
            for (const auto& entry :
                 std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/" + std::string(kind))) {
                std::ifstream file(entry.path(), std::ios::binary);
                const Json preset = Json::parse(file, nullptr, false);
                if (!preset.is_discarded()) learning.learn(Json{{kind, Json::array({preset})}});
            }
        return learning;
    }();
    return made;
}

std::string id_of(const Json& presets, const char* kind, const char* usual) {
    if (!presets.is_object() || !presets.contains(kind) || !presets.at(kind).is_array()) return usual;
    for (const Json& each : presets.at(kind))
        if (each.is_object() && each.contains("id") && each.at("id").is_string()) return each.at("id");
    return usual;
}

void check(const std::string& reply) {
    const Json read = Json::parse(reply, nullptr, false);
    if (!read.is_object() || (read.contains("error") && read.at("error").at("code") == "internal")) std::abort();
}

}  // namespace

PLIMSOLL_FUZZ_BY(grammar)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    plimsoll::Engine engine = plimsoll::fuzz::with_presets({"optimizers"});
    check(engine.provide(text));
    const Json presets = Json::parse(text, nullptr, false);
    Json request = {{"model", {{"preset", id_of(presets, "models", "gpt2")}}},
                    {"device", {{"preset", id_of(presets, "devices", "rtx-4090")}}},
                    {"weights", {{"encoding", id_of(presets, "encodings", "bf16")}}},
                    {"inference", {{"context", 512}, {"runtime", id_of(presets, "runtimes", "transformers")}}}};
    check(engine.estimate(request.dump()));
    request["model"] = {{"parameters", 7e9}};
    check(engine.estimate(request.dump()));
    request.erase("inference");
    request["training"] = {{"optimizer", id_of(presets, "optimizers", "adamw")}};
    check(engine.estimate(request.dump()));
    return 0;
}
