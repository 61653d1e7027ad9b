// Whether a server runs: by what its cache holds, and not by the card alone.
#include "engine/support.h"

namespace plimsoll::test::verdict {

namespace {

Json served(const char* model, const char* device, const Json& inference) {
    Json request = {{"schema", 1}, {"model", {{"preset", model}}}, {"device", {{"preset", device}}}};
    request["inference"] = {{"runtime", "vllm"}};
    for (const auto& [name, value] : inference.items()) request["inference"][name] = value;
    return request;
}

}  // namespace

TEST_CASE("a server whose cache holds fewer sequences than asked starts, and lets the others wait") {
    const Json reply = ask(served("llama-3.1-8b", "rtx-4090", {{"context", 8192}, {"sequences", 64}}));
    const Json& fit = reply.at("fit");
    CHECK(fit.at("verdict") == "waits");
    CHECK(fit.at("sequences").get<double>() == std::floor(reply.at("capacity").at("sequences").get<double>()));
    CHECK(fit.at("sequences").get<double>() < 64);
    const Json held = served("llama-3.1-8b", "rtx-4090", {{"context", 8192}, {"sequences", fit.at("sequences")}});
    CHECK(ask(held).at("fit").at("verdict") != "waits");
}

TEST_CASE("a server without room for one sequence says so as the runtime does, or takes none of this length") {
    Json request = served("llama-3.1-8b", "rtx-4090", {{"memory_fraction", 0.75}, {"context", 131072}});
    const Json refused = ask(request).at("fit");
    CHECK(refused.at("verdict") == "does not start");
    CHECK(refused.at("says").get<std::string>().find("max seq len") != std::string::npos);
    request["inference"]["runtime"] = "sglang";
    const Json starts = ask(request).at("fit");
    CHECK(starts.at("verdict") == "waits");
    CHECK(starts.at("sequences") == 0);
    request["inference"]["memory_fraction"] = 0.3;
    CHECK(ask(request).at("fit").at("says").get<std::string>().find("--mem-fraction-static") != std::string::npos);
}

TEST_CASE("the verdict follows the cache: fewer sequences, shorter ones or more of the device never make it worse") {
    const std::vector<std::string> order = {"fits", "tight", "waits", "does not start", "too large"};
    const auto rank = [&order](const Json& reply) {
        const std::string verdict = reply.at("fit").at("verdict");
        return std::find(order.begin(), order.end(), verdict) - order.begin();
    };
    for (const char* runtime : {"vllm", "sglang", "tensorrt-llm"})
        for (const char* model : {"llama-3.1-8b", "llama-3-8b", "mistral-7b-v0.1", "llama-3.2-1b"}) {
            std::ptrdiff_t before = 0;
            for (const int sequences : {1, 2, 8, 32, 128, 1024}) {
                Json request = served(model, "rtx-4090", {{"context", 8192}, {"sequences", sequences}});
                request["inference"]["runtime"] = runtime;
                INFO(request.dump());
                const std::ptrdiff_t now = rank(ask(request));
                CHECK(now >= before);
                before = now;
            }
        }
}

}  // namespace plimsoll::test::verdict
