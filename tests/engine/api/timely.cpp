// Searches that must be fast enough, beside what fits.
#include "engine/support.h"

namespace plimsoll::test::timely {

namespace {

Json solve(const Json& question) { return Json::parse(engine().solve(question.dump())); }

Json batched(const char* runtime) {
    return {{"explain", "none"},
            {"model", {{"preset", "llama-3-8b"}}},
            {"weights", {{"encoding", "fp8-tensor"}}},
            {"device", {{"preset", "h100-sxm-80gb"}}},
            {"inference", {{"runtime", runtime}, {"context", 2048}, {"prompt", 1024}, {"kv_encoding", "fp8"}}}};
}

double token(Json request, double sequences) {
    request["time"] = true;
    request["inference"]["sequences"] = sequences;
    return ask(request).at("time").at("token").at("seconds");
}

}  // namespace

TEST_CASE("the most sequences within a latency are those of which one more is too slow") {
    const double limit = token(batched("tensorrt-llm"), 300) * 1.0001;
    const Json found = solve(
        {{"request", batched("tensorrt-llm")}, {"find", "inference.sequences"}, {"limit", {{"token_seconds", limit}}}});
    const double value = found.at("value"), next = found.at("next");
    CHECK(token(batched("tensorrt-llm"), value) <= limit);
    CHECK(token(batched("tensorrt-llm"), next) > limit);
    CHECK(found.at("binds").at("limit") == "token_seconds");
    CHECK(found.at("reply").at("time").contains("token"));
    const Json sure = solve({{"request", batched("tensorrt-llm")},
                             {"find", "inference.sequences"},
                             {"sure", true},
                             {"limit", {{"token_seconds", limit}}}});
    CHECK(sure.at("value").get<double>() < value);
}

TEST_CASE("the fewest devices for so many tokens a second are those of which one less is too slow") {
    const Json request = {{"explain", "none"},
                          {"task", "training"},
                          {"model", {{"preset", "llama-3-8b"}}},
                          {"device", {{"preset", "h100-sxm-80gb"}}},
                          {"parallel", {{"framework", "fsdp2"}, {"zero", 3}}},
                          {"training", {{"sequence", 8192}, {"checkpointing", "full"}}}};
    const Json found =
        solve({{"request", request}, {"find", "parallel.data"}, {"limit", {{"tokens_per_second", 2e5}}}});
    const auto rate = [](const Json& reply) {
        return reply.at("time").at("tokens_per_second").at("value").get<double>();
    };
    CHECK(rate(found.at("reply")) >= 2e5);
    CHECK(rate(found.at("next_reply")) < 2e5);
    CHECK(found.at("next").get<double>() == found.at("value").get<double>() - 1);
}

TEST_CASE("each token more is slower, though memory comes in stretches") {
    Json request = batched("llama.cpp");
    request["device"]["preset"] = "rtx-4090";
    request["weights"]["encoding"] = "gguf-q4_k_m";
    request["inference"].erase("kv_encoding"), request["inference"].erase("prompt");
    request["inference"]["context"] = 5000;
    const double limit = token(request, 1) * 1.00001;
    const Json found =
        solve({{"request", request}, {"find", "inference.context"}, {"limit", {{"token_seconds", limit}}}});
    CHECK(found.at("binds").at("limit") == "token_seconds");
    CHECK(found.at("next").get<double>() == found.at("value").get<double>() + 1);
    CHECK(found.at("next_reply").at("time").at("token").at("seconds").get<double>() > limit);
}

TEST_CASE("limits of time are refused where time cannot be told, and where they make no sense") {
    const auto refused = [](const char* runtime, const char* find, const Json& limit) {
        const Json reply = solve({{"request", batched(runtime)}, {"find", find}, {"limit", limit}});
        REQUIRE(reply.contains("error"));
        CHECK_FALSE(reply.at("error").at("hint").get<std::string>().empty());
        return reply.at("error").at("where").get<std::string>();
    };
    CHECK(refused("vllm", "inference.sequences", {{"token_seconds", 1}}) == "limit.token_seconds");
    CHECK(refused("vllm", "devices", {{"tokens_per_second", 10}}) == "limit.tokens_per_second");
    CHECK(refused("tensorrt-llm", "inference.sequences", {{"tokens_per_second", 10}}) == "limit.tokens_per_second");
    CHECK(refused("tensorrt-llm", "inference.sequences", {{"token_seconds", 0}}) == "limit");
    const Json curve = solve({{"request", batched("tensorrt-llm")},
                              {"find", {"inference.context", "inference.sequences"}},
                              {"limit", {{"token_seconds", 1}}}});
    CHECK(curve.at("error").at("where") == "limit");
}

TEST_CASE("what the device's peaks do not allow is too slow, whatever else is known") {
    const Json reply = solve({{"request", batched("vllm")},
                              {"find", "inference.context"},
                              {"within", {1024, 2048}},
                              {"limit", {{"token_seconds", 1e-6}}}});
    CHECK(reply.at("value").is_null());
    CHECK(reply.at("binds").at("limit") == "token_seconds");
}

}  // namespace plimsoll::test::timely
