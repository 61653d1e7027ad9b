// What vLLM's releases take by default, and hold beside the cache, on devices of several kinds: in closed form, and as
// logs and code of those releases say.
#include <cmath>

#include "engine/support.h"

namespace plimsoll::test::vllm {

namespace {

constexpr double gib = 1073741824;

Json served(const Json& model, const char* device, const char* release, const Json& more = Json::object()) {
    Json request = {
        {"model", model}, {"device", {{"preset", device}}}, {"inference", {{"runtime", "vllm"}, {"context", 8192}}}};
    if (*release) request["inference"]["release"] = release;
    request.merge_patch(more);
    return request;
}

const Json llama{{"preset", "llama-3-8b"}};
const Json two{{"devices", 2}, {"parallel", {{"tensor", 2}}}};

double assumed(const Json& reply, const char* field) {
    for (const Json& each : reply.at("assumptions"))
        if (each.at("field") == field) return each.at("value").get<double>();
    return 0;
}

// Tokens of a batch, and sequences at once.
std::pair<double, double> batch(const char* device, const char* release, int context = 8192) {
    const Json reply = ask(served(llama, device, release, {{"inference", {{"context", context}}}}));
    return {assumed(reply, "inference.batch_tokens"), assumed(reply, "inference.sequences_at_once")};
}

double bytes(const Json& reply, const std::string& path) { return row(reply, path).at("bytes").get<double>(); }

double beside_cache(const Json& request) {
    const Json reply = ask(request);
    return reply.at("total").at("claimed").get<double>() - reply.at("capacity").at("bytes").get<double>();
}

// Whether the driver's row names collectives.
bool outside(const Json& request) {
    const Json reply = ask(request);
    return row(reply, "device_context").contains("rows");
}

Json small_experts() {
    Json config = small_llama();
    config.merge_patch({{"model_type", "qwen3_moe"},
                        {"architectures", {"Qwen3MoeForCausalLM"}},
                        {"num_experts", 8},
                        {"num_experts_per_tok", 2},
                        {"moe_intermediate_size", 32},
                        {"head_dim", 16}});
    return config;
}

}  // namespace

TEST_CASE("vLLM's batches follow the device's memory and name, release by release") {
    using Batch = std::pair<double, double>;
    CHECK(batch("a100-sxm-80gb", "0.8.3") == Batch(2048, 1024));
    CHECK(batch("a100-sxm-80gb", "0.8.4") == Batch(2048, 256));
    CHECK(batch("a100-sxm-80gb", "0.8.5") == Batch(8192, 1024));
    CHECK(batch("a100-sxm-80gb", "0.9") == Batch(2048, 256));
    CHECK(batch("a100-sxm-80gb", "0.28") == Batch(2048, 256));
    CHECK(batch("a100-sxm-80gb", "0.31") == Batch(16384, 1024));  // by the log of that release
    CHECK(batch("h100-sxm-80gb", "0.8.3") == Batch(8192, 1024));
    CHECK(batch("h100-sxm-80gb", "0.28") == Batch(8192, 1024));
    CHECK(batch("h200-sxm-141gb", "0.28") == Batch(8192, 1024));
    CHECK(batch("b200", "0.27") == Batch(8192, 1024));
    CHECK(batch("b200", "0.28") == Batch(16384, 1024));
    CHECK(batch("a100-sxm-40gb", "0.8.5") == Batch(2048, 256));
    CHECK(batch("dgx-spark", "0.13") == Batch(2048, 256));  // its driver names no memory
    CHECK(batch("dgx-spark", "") == Batch(2048, 256));
}

TEST_CASE("below compute capability 8.0 the older engine ran until 0.10, over the whole context at once") {
    CHECK(batch("t4", "0.8.5", 16384).first == 16384);
    CHECK(batch("t4", "0.11", 16384).first == 2048);
    CHECK(batch("rtx-3090", "0.8.5", 16384).first == 2048);
}

TEST_CASE("vLLM's share of unified memory is of all that CUDA names") {
    const Json reply = ask(served(llama, "dgx-spark", "", {{"inference", {{"memory_fraction", 0.85}}}}));
    CHECK(reply.at("total").at("claimed").get<double>() == std::floor(0.85 * 121.69 * gib));
    CHECK(reply.at("fit").at("usable_bytes").get<double>() == std::floor(121.69 * gib * 0.945));
}

TEST_CASE("the default share grew with 0.21") {
    const auto share = [](const char* release) {
        return assumed(ask(served(llama, "rtx-4090", release)), "inference.memory_fraction");
    };
    CHECK(share("0.20.2") == 0.9);
    CHECK(share("0.21") == 0.92);
}

TEST_CASE("buffers of collectives follow the links, and lie beside the share since 0.11.1") {
    const auto communication = [](const char* device, const char* release) {
        return bytes(ask(served(llama, device, release, two)), "communication") / gib;
    };
    CHECK(communication("h100-sxm-80gb", "0.10.2") == Approx(2.1));
    CHECK(communication("h100-sxm-80gb", "0.11.1") == Approx(0.8));
    CHECK(communication("h100-sxm-80gb", "") == Approx(0.8));
    for (const char* release : {"0.10.2", "0.11.1", ""}) {
        CHECK(communication("rtx-4090", release) == Approx(0.1));
        CHECK(communication("l40s", release) == Approx(0.1));
    }
    const Json later = ask(served(llama, "h100-sxm-80gb", "0.11.1", two));
    CHECK(bytes(later, "device_context/collectives") == 1.5 * gib);
    for (const Json& path : later.at("capacity").at("beside")) CHECK(path != "device_context");
    CHECK_FALSE(outside(served(llama, "h100-sxm-80gb", "0.10.2", two)));
    CHECK_FALSE(outside(served(llama, "rtx-4090", "0.12", two)));
    CHECK_FALSE(outside(served(llama, "h100-sxm-80gb", "0.12")));
}

TEST_CASE("ROCm takes more beside the allocator than CUDA") {
    CHECK(bytes(ask(served(llama, "radeon-ai-pro-r9700", "0.13")), "workspace/library") == 560.0 * 1048576);
    CHECK(bytes(ask(served(llama, "rtx-4090", "0.13")), "workspace/library") == 100.0 * 1048576);
}

TEST_CASE("from 0.14 on the experts' workspaces are there while the sampler runs") {
    const Json config = small_experts();
    const double hidden = config.at("hidden_size"), tokens = 2048;
    const double kept = tokens * 2 * (std::max(32.0, hidden) + std::max(64.0, hidden)) * 2;
    const Json more{{"inference", {{"sequences_at_once", 2048}, {"batch_tokens", tokens}}}};
    const auto beside = [&](const char* release) {
        return beside_cache(served({{"config", config}}, "rtx-4090", release, more));
    };
    CHECK(beside("0.14") - beside("0.13") == Approx(kept).margin(1));
}

TEST_CASE("an indexer's keys are gathered into 40 times the longest sequence, once for all layers") {
    Json config = small_latents("deepseek_v32");
    config["index_n_heads"] = 4, config["index_head_dim"] = 128;
    const Json model{{"config", config}};
    const auto beside = [&](int context) {
        return beside_cache(
            served(model, "h100-sxm-80gb", "0.20",
                   {{"inference", {{"context", context}, {"batch_tokens", 64}, {"sequences_at_once", 64}}}}));
    };
    CHECK(beside(65536) - beside(32768) == Approx(40.0 * 32768 * (128 + 4)).margin(2));
}

TEST_CASE("0.7.2 and 0.7.3 began each latent at a multiple of 256 bytes") {
    const Json model{{"config", small_latents()}};
    const auto latents = [&](const char* release) {
        return bytes(ask(served(model, "h100-sxm-80gb", release)), "kv_cache/latents");
    };
    CHECK(latents("0.7.3") == latents("0.7.1") / 80 * 128);
    CHECK(latents("0.8") == latents("0.7.1"));
}

}  // namespace plimsoll::test::vllm
