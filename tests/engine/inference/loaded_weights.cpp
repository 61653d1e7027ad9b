// What a server has on a device once weights are loaded: tables of positions, and the blocks and segments of PyTorch's
// allocator, held against what logs print.
#include <cmath>

#include "engine/support.h"
#include "policies/allocator/loaded_blocks.h"

namespace plimsoll::test::loaded_weights {

namespace {

constexpr double mib = 1048576, gib = 1024 * mib;

Json served(const char* runtime, const Json& model, const char* release = nullptr,
            const char* device = "h100-sxm-80gb") {
    Json request = {
        {"model", model}, {"device", {{"preset", device}}}, {"inference", {{"runtime", runtime}, {"context", 4096}}}};
    if (release) request["inference"]["release"] = release;
    return ask(request);
}

Json preset(const char* id) { return {{"preset", id}}; }

double bytes(const Json& reply, const std::string& path) { return row(reply, path).at("bytes").get<double>(); }
double tables(const Json& reply) { return bytes(reply, "weights/rotary_tables"); }

// A model of one layer that rotates heads of 128.
Json decoder(const Json& more) {
    Json config = {{"model_type", "llama"},  {"architectures", {"LlamaForCausalLM"}},
                   {"hidden_size", 1024},    {"intermediate_size", 2048},
                   {"num_hidden_layers", 1}, {"num_attention_heads", 8},
                   {"vocab_size", 1000},     {"max_position_embeddings", 4096}};
    config.merge_patch(more);
    return {{"config", config}};
}

}  // namespace

TEST_CASE("SGLang's log has as loaded what the driver lacks: segments, fp32 tables, and kernels in some releases") {
    struct Printed {
        const char *model, *release;
        double gib;
    };
    // notebooks of its documentation, on an H100
    const std::vector<Printed> logs = {{"llama-3.1-8b", "0.4.2", 15.11}, {"llama-3.1-8b", "0.4.5", 15.11},
                                       {"llama-3.1-8b", "0.4.9", 15.02}, {"llama-3.1-8b", "0.5.1", 15.11},
                                       {"llama-3-8b", "0.4.9", 14.98},   {"llama-3-8b", "0.5.1", 15.06},
                                       {"llama-2-7b", "0.4.2", 12.66},   {"llama-2-7b", "0.4.9", 12.57},
                                       {"llama-3.2-1b", "0.4.1", 2.42},  {"qwen2.5-0.5b", "0.5.7", 1.06},
                                       {"qwen2.5-0.5b", "0.5.9", 0.98},  {"llama-3.2-11b-vision", "0.4.5", 20.18},
                                       {"qwen3-8b", "0.5.10", 15.28},    {"qwen1.5-moe-a2.7b", "0.4.9", 26.71}};
    for (const Printed& log : logs) {
        INFO(log.model << " in " << log.release);
        const Json reply = served("sglang", preset(log.model), log.release);
        double loaded = bytes(reply, "weights");
        for (const Json& each : reply.at("rows"))
            if (each.at("id") == "workspace") loaded += bytes(reply, "workspace/library");
        CHECK(std::fabs(loaded / gib - log.gib) < 0.02);  // printed to 0.01; the order within a layer is not followed
    }
}

TEST_CASE("kernels that are there before SGLang looks at what is free lie beside its share") {
    const Json within = served("sglang", preset("llama-3.1-8b"), "0.5.1");
    const Json before = served("sglang", preset("llama-3.1-8b"), "0.5.9");
    const double library = bytes(within, "workspace/library");
    CHECK(bytes(before, "device_context/library") == library);
    CHECK(bytes(before, "device_context") == bytes(within, "device_context") + library);
    CHECK(bytes(before, "weights") == bytes(within, "weights"));
}

TEST_CASE("tables of positions are as long as what lengthens a context makes them") {
    const auto table = [](const Json& more) { return tables(served("vllm", decoder(more))) / (128 * 2); };
    const auto scaled = [&](const Json& scaling) { return table({{"rope_scaling", scaling}}); };
    CHECK(table(Json::object()) == 4096);
    CHECK(scaled({{"rope_type", "llama3"}, {"factor", 8.0}}) == 4096);
    CHECK(scaled({{"rope_type", "linear"}, {"factor", 8.0}}) == 8 * 4096);
    CHECK(scaled({{"type", "dynamic"}, {"factor", 2.0}}) == 2 * 4096);
    const Json yarn = {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 2048}};
    CHECK(scaled(yarn) == 4 * 2048);
    CHECK(scaled({{"rope_type", "longrope"}, {"original_max_position_embeddings", 1024}}) == 4096 + 1024);
    CHECK(scaled({{"rope_type", "default"}, {"mrope_section", {16, 24, 24}}}) == 4 * 4096);
    CHECK(table({{"rope_parameters", yarn}}) == 4 * 2048);
    CHECK(table({{"partial_rotary_factor", 0.25}}) == 4096 / 4);
    CHECK(table({{"rope_parameters", {{"rope_type", "default"}, {"partial_rotary_factor", 0.5}}}}) == 4096 / 2);
}

TEST_CASE("layers with a window have a table of their own where they rotate by another base") {
    CHECK(tables(served("vllm", preset("gemma-3-27b"))) == (8 + 1) * 131072.0 * 128 * 2);
    CHECK(tables(served("vllm", preset("gemma-3-1b"))) == 2 * 32768.0 * 256 * 2);
    CHECK(tables(served("vllm", preset("gemma-4-26b-a4b"))) ==
          262144.0 * (512 + 256) * 2);                                                 // proportional: whole heads
    CHECK(tables(served("vllm", preset("gpt-oss-20b"))) == 131072.0 * 64 * 4);         // one, in fp32
    CHECK(tables(served("sglang", preset("gemma-3-27b"))) == 2 * 131072.0 * 128 * 4);  // without scaling
    const Json early = served("sglang", preset("gemma-3-27b"), "0.4.4");
    for (const Json& part : row(early, "weights").at("rows")) CHECK(part.at("id") != "rotary_tables");
}

TEST_CASE("Gemma 3 in FP8 on ROCm, whose log has what the driver lacks") {
    const Json reply = ask({{"model", preset("gemma-3-27b")},
                            {"device", {{"preset", "radeon-ai-pro-r9700"}}},
                            {"devices", 2},
                            {"weights", {{"encoding", "fp8-channel"}}},
                            {"parallel", {{"tensor", 2}}},
                            {"inference", {{"runtime", "vllm"}, {"context", 28900}, {"release", "0.13.0"}}}});
    CHECK(bytes(reply, "weights") / gib == Approx(14.2812).epsilon(0.005));  // v2030
}

TEST_CASE("what is left of a segment is free, unless it is a mebibyte or less: then the block has it") {
    const auto beyond = [](double size, double count) { return load_in_order({{size * mib, count}}); };
    CHECK(beyond(24.5, 28).allocated == 0);
    CHECK(beyond(24.5, 28).reserved == 28 * 1.5 * mib);
    CHECK(beyond(31.5, 28).allocated == 28 * 0.5 * mib);
    CHECK(beyond(31.5, 28).reserved == 28 * 0.5 * mib);
    CHECK(beyond(8, 3).reserved == (40 - 24) * mib);  // two share a segment of 20
    const BeyondTensors layers = load_in_order({{8 * mib, 2}, {3 * mib, 2}});
    CHECK(layers.reserved == (40 - 22) * mib);  // 8 + 3 + 8, and 3 in a segment of its own
    CHECK(load_in_order({}).reserved == 0);
}

}  // namespace plimsoll::test::loaded_weights
