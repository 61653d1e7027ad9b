// Which runtime answers, on which device, and whether it starts.
#include <cmath>

#include "engine/support.h"

namespace plimsoll::test::started {

namespace {

Json served(const Json& runtime, const char* device, Json inference = Json::object()) {
    inference["runtime"] = runtime;
    inference["context"] = 4096;
    return {{"model", {{"preset", "llama-3-8b"}}}, {"device", {{"preset", device}}}, {"inference", inference}};
}

bool noted(const Json& reply, const char* code) {
    for (const Json& note : reply.at("notes"))
        if (note.at("code") == code) return true;
    return false;
}

std::string runtime_of(const Json& reply) {
    for (const Json& each : reply.at("assumptions"))
        if (each.at("field") == "inference.runtime") return each.at("value");
    return "";
}

}  // namespace

TEST_CASE("a runtime that does not run on a device says so, with the figures of those that it runs on") {
    for (const char* runtime : {"vllm", "sglang", "tensorrt-llm"}) {
        CHECK(noted(ask(served(runtime, "m2-max-96gb")), "runtime_elsewhere"));
        CHECK_FALSE(noted(ask(served(runtime, "h100-sxm-80gb")), "runtime_elsewhere"));
    }
    CHECK(noted(ask(served("mlx", "rtx-4090")), "runtime_elsewhere"));
    for (const char* device : {"m2-max-96gb", "rtx-4090", "mi300x", "tpu-v5e"})
        CHECK_FALSE(noted(ask(served("transformers", device)), "runtime_elsewhere"));
    CHECK(noted(ask(served("transformers", "trainium2")), "runtime_elsewhere"));
    CHECK_FALSE(noted(ask(served("mlx", "m2-max-96gb")), "runtime_elsewhere"));
    for (const char* device : {"m2-max-96gb", "rtx-4090"})
        CHECK_FALSE(noted(ask(served("llama.cpp", device)), "runtime_elsewhere"));
}

TEST_CASE("a server whose share leaves nothing for its cache does not start") {
    for (const char* runtime : {"vllm", "sglang", "tensorrt-llm"})
        for (double fraction = 0.05; fraction < 1; fraction += 0.05) {
            const Json reply = ask(served(runtime, "h100-sxm-80gb", {{"memory_fraction", fraction}}));
            INFO(runtime << ' ' << fraction << ' ' << reply.at("capacity").dump());
            const bool nothing = reply.at("capacity").at("kv_tokens").get<double>() < 1;
            CHECK((reply.at("fit").at("verdict") == "does not start") == nothing);
            CHECK(reply.at("fit").contains("why") == nothing);
        }
    CHECK(ask(served("vllm", "rtx-4090", {{"memory_fraction", 0.5}})).at("fit").at("verdict") == "does not start");
}

TEST_CASE("a GGUF without a named runtime is llama.cpp's, and a named one stays") {
    Json config = small_llama();
    config["file_format"] = "gguf";
    Json request{{"model", {{"config", config}}}, {"inference", {{"context", 512}}}};
    CHECK(runtime_of(ask(request)) == "llama.cpp");
    CHECK(ask(request).at("rows")[0].at("rows")[0].at("id") == "model_buffer");
    request["inference"]["runtime"] = "transformers";
    CHECK(runtime_of(ask(request)) == "");
    const Json tensors = Json::array({{{"part", "language"},
                                       {"type", "Q4_K"},
                                       {"purpose", "parameter"},
                                       {"count", 10},
                                       {"parameters", 2560},
                                       {"bytes", 1440}}});
    Json listed{{"model", {{"config", small_llama()}, {"tensors", tensors}}}, {"inference", {{"context", 512}}}};
    CHECK(runtime_of(ask(listed)) == "llama.cpp");
    for (const char* type : {"Q8_0", "IQ2_XS", "TQ1_0", "Q1_0"}) {
        INFO(type);
        listed["model"]["tensors"][0]["type"] = type;
        CHECK(runtime_of(ask(listed)) == "llama.cpp");
    }
    for (const char* type : {"BF16", "F8_E4M3", "I8"}) {
        INFO(type);
        listed["model"]["tensors"][0]["type"] = type;
        CHECK(runtime_of(ask(listed)) == "transformers");
    }
}

TEST_CASE("of tensors by type, those on the host are apart, and both add up to what is held") {
    Json request = served("llama.cpp", "h100-sxm-80gb");
    request["weights"] = {{"encoding", "gguf-q4_k_m"}};
    for (const double layers : {0, 10, 99}) {
        request["inference"]["offload"] = {{"gpu_layers", layers}};
        const Json reply = ask(request);
        double device = 0, host = 0;
        for (const Json& type : reply.at("model").at("tensor_types")) {
            const double off = type.value("host_bytes", 0.0);
            CHECK(type.at("bytes").get<double>() >= off);
            host += off;
            device += type.at("bytes").get<double>() - off;
        }
        double held = 0, aside = 0;
        for (const Json& each : reply.at("rows"))
            if (each.at("id") == "weights") held = each.at("bytes").get<double>();
        for (const Json& each : reply.at("host").at("rows"))
            if (each.at("id") == "weights") aside = each.at("bytes").get<double>();
        INFO(layers << " layers: " << device << " of " << held << ", host " << host << " of " << aside);
        CHECK(std::abs(device - held) <= 512 * 300);  // buffers begin each tensor at a boundary
        CHECK(std::abs(host - aside) <= 512 * 300);
    }
}

}  // namespace plimsoll::test::started
