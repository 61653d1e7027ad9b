// What MLX holds while it computes a prompt, and what PyTorch's allocator keeps of the layers when the head follows.
#include "engine/support.h"

namespace plimsoll::test::queued {

namespace {

Json config_of(const std::string& preset) {
    return Json::parse(read("presets/models/" + preset + ".json")).at("config");
}

double prefill(const Json& reply, const char* id) {
    for (const Json& row : reply.at("rows"))
        if (row.at("id") == id) return row.at("by_phase").at("prefill").get<double>();
    return 0;
}

Json asked(const char* preset, const Json& inference) {
    return ask({{"task", "inference"}, {"model", {{"config", config_of(preset)}}}, {"inference", inference}});
}

Json in_mlx(const char* preset, int prompt) {
    return asked(preset, {{"runtime", "mlx"}, {"context", prompt}, {"prompt", prompt}});
}

}  // namespace

TEST_CASE("MLX computes a prompt in chunks of 2048 tokens") {
    const double chunk = prefill(in_mlx("qwen3-4b", 2048), "activations");
    CHECK(prefill(in_mlx("qwen3-4b", 32768), "activations") == chunk);
    CHECK(prefill(in_mlx("qwen3-4b", 512), "activations") < chunk);
}

TEST_CASE("what MLX has queued is no more than its command buffers read") {
    const double queued = 11.0 * 52428800 * 2;
    for (const char* preset : {"qwen3-0.6b", "qwen3-4b", "qwen3-30b-a3b", "llama-3.1-8b"})
        CHECK(prefill(in_mlx(preset, 2048), "activations") < queued);
}

TEST_CASE("heads of 256 elements attend in steps: their scores grow with the context") {
    CHECK(prefill(in_mlx("gemma-2-9b", 65536), "activations") > 2 * prefill(in_mlx("gemma-2-9b", 8192), "activations"));
}

TEST_CASE("blocks of the layers stay cached beside logits that do not fit into them") {
    const auto slack = [](const char* logits) {
        return prefill(asked("llama-2-7b", {{"context", 4096}, {"prompt", 2048}, {"logits", logits}, {"sequences", 8}}),
                       "slack");
    };
    // of 16384 tokens: hidden states of the layer, in 16 bits, are there beside both copies of the logits
    CHECK(slack("all") > slack("last") + 16384.0 * 11008 * 2);
}

}  // namespace plimsoll::test::queued
