// llama.cpp's compute buffers in earlier builds, as logs of these builds print them, to their last digit; and that each
// of today's rules makes the difference that its pull request says.
#include "engine/support.h"

namespace plimsoll::test::llama_builds {

namespace {

Json config_of(const std::string& preset) {
    return Json::parse(read("presets/models/" + preset + ".json")).at("config");
}

double compute(const Json& rows) {
    for (const Json& row : rows)
        if (row.at("id") == "activations") return row.at("rows").at(0).at("bytes").get<double>();
    return 0;
}

Json asked(const char* preset, const char* encoding, const Json& inference) {
    Json all = inference;
    all["runtime"] = "llama.cpp";
    return ask({{"task", "inference"},
                {"model", {{"config", config_of(preset)}}},
                {"weights", {{"encoding", encoding}}},
                {"inference", all}});
}

constexpr double mib = 1048576, digit = 0.0051 * mib;

}  // namespace

TEST_CASE("llama.cpp's logs of earlier builds: masks in F32, no indices, no embeddings as input") {
    const Json vulkan = asked("qwen3-0.6b", "gguf-q8_0",
                              {{"backend", "vulkan"},
                               {"release", "b5398"},
                               {"context", 4096},
                               {"flash_attention", false},
                               {"logits", "all"}});
    CHECK(compute(vulkan.at("rows")) == Approx(298.75 * mib).margin(digit));
    CHECK(compute(vulkan.at("host").at("rows")) == Approx(10.01 * mib).margin(digit));
    const Json metal = asked(
        "gpt-oss-20b", "gguf-mxfp4_moe",
        {{"backend", "metal"}, {"release", "b7216"}, {"context", 131072}, {"batch_tokens", 2048}, {"logits", "all"}});
    CHECK(compute(metal.at("rows")) == Approx(1672.08 * mib).margin(digit));
    CHECK(compute(metal.at("host").at("rows")) == Approx(1064.59 * mib).margin(digit));
}

TEST_CASE("a mask in F32 is twice as large on the host, and stands beside its copy on the device") {
    const Json settings = {{"backend", "vulkan"}, {"context", 32768}, {"logits", "last"}};
    const auto at = [&](const char* build) {
        Json with = settings;
        with["release"] = build;
        return asked("llama-3.1-8b", "gguf-f16", with);
    };
    const double mask = 32768.0 * 512 * 2;
    CHECK(compute(at("b9400").at("host").at("rows")) - compute(at("b9459").at("host").at("rows")) == mask);
    CHECK(compute(at("b9459").at("rows")) <= compute(at("b9400").at("rows")));
    CHECK(compute(at("b9460").at("rows")) <= compute(at("b9459").at("rows")));
}

TEST_CASE("a server's builds before outputs were limited make logits of the whole micro-batch") {
    const Json settings = {{"backend", "vulkan"}, {"context", 4096}};
    Json before = settings, after = settings;
    before["release"] = "b9459";
    after["release"] = "b9460";
    const double logits = 512.0 * 128256 * 4;
    CHECK(compute(asked("llama-3.1-8b", "gguf-f16", before).at("rows")) > logits);
    CHECK(compute(asked("llama-3.1-8b", "gguf-f16", after).at("rows")) < logits);
}

TEST_CASE("without flash attention values of all layers are as wide as the widest") {
    const auto cache = [](bool flash) {
        const Json reply = asked("gemma-4-31b", "gguf-f16", {{"context", 8192}, {"flash_attention", flash}});
        for (const Json& row : reply.at("rows"))
            if (row.at("id") == "kv_cache")
                for (const Json& each : row.at("rows").at(0).at("rows"))
                    if (each.at("id") == "values") return each.at("bytes").get<double>();
        return 0.0;
    };
    // ten full layers of 4 × 512 elements, beside sliding ones of 16 × 256
    CHECK(cache(false) - cache(true) == 10.0 * 8192 * (16 * 256 - 4 * 512) * 2);
}

}  // namespace plimsoll::test::llama_builds
