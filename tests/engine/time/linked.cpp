// Passes of several devices: what each computes, what links take, and what is told of it.
#include "engine/support.h"

namespace plimsoll::test::linked {

namespace {

Json served(const char* device, const char* runtime, Json inference, Json parallel = Json::object()) {
    inference["runtime"] = runtime;
    return {{"time", true},
            {"explain", "none"},
            {"model", {{"preset", "llama-3-8b"}}},
            {"device", {{"preset", device}}},
            {"weights", {{"encoding", "bf16"}}},
            {"parallel", parallel},
            {"inference", inference}};
}

double roof(const Json& request, const char* pass = "token") { return ask(request).at("time").at("roof").at(pass); }

std::string why(const Json& request) { return ask(request).at("time").at("why"); }

bool has(const Json& list, const char* key, const char* value) {
    for (const Json& each : list)
        if (each.at(key) == value) return true;
    return false;
}

}  // namespace

TEST_CASE("devices that share each layer read a share each, and a pipeline makes no token faster") {
    const Json lengths = {{"context", 2048}, {"prompt", 1024}};
    const double alone = roof(served("h100-sxm-80gb", "vllm", lengths));
    CHECK(roof(served("h100-sxm-80gb", "vllm", lengths, {{"tensor", 4}})) == Approx(alone / 4));
    const Json staged = served("h100-sxm-80gb", "vllm", lengths, {{"pipeline", 4}});
    CHECK(roof(staged) == Approx(alone));
    CHECK(roof(staged, "prefill") == Approx(roof(served("h100-sxm-80gb", "vllm", lengths), "prefill") / 4));
    CHECK(why(staged).find("roof") != std::string::npos);
    // Of eight sequences each stage computes two at once, so that four groups have a token each in that time.
    Json eight = lengths, two = lengths;
    eight["sequences"] = 8, two["sequences"] = 2;
    CHECK(roof(served("h100-sxm-80gb", "vllm", eight, {{"pipeline", 4}})) ==
          Approx(roof(served("h100-sxm-80gb", "vllm", two))));
}

TEST_CASE("more devices than heads of keys read the same cache") {
    const auto token = [](double sequences, double tensor) {
        return roof(
            served("h100-sxm-80gb", "vllm", {{"context", 8192}, {"sequences", sequences}}, {{"tensor", tensor}}));
    };
    const double alone = (token(129, 1) - token(1, 1)) / 128;  // what one sequence more takes
    CHECK((token(129, 8) - token(1, 8)) / 128 == Approx(alone / 8).epsilon(0.02));
    CHECK((token(129, 16) - token(1, 16)) / 128 > 0.9 * alone / 8);
}

TEST_CASE("a slow link bounds a token: two sums of each layer, sent around a ring") {
    Json slow = served("h100-sxm-80gb", "vllm", {{"context", 2048}, {"sequences", 3}}, {{"tensor", 4}});
    slow["links"] = {{"bandwidth_within", 1e6}};
    const double bytes = 32 * 2 * (2.0 * 3 / 4) * 3 * 4096 * 2;
    CHECK(roof(slow) == Approx(bytes / 1e6));
    slow["links"]["bandwidth_within"] = 1e12;
    CHECK(roof(slow) < 0.1);
}

TEST_CASE("a link is the device's own, or said, else the roof leaves it out and says so") {
    const Json known = ask(served("h100-sxm-80gb", "vllm", {{"context", 2048}}, {{"tensor", 2}}));
    CHECK(has(known.at("assumptions"), "field", "links.bandwidth_within"));
    CHECK(why(served("rtx-4090", "vllm", {{"context", 2048}}, {{"tensor", 2}})).find("links.bandwidth_within") !=
          std::string::npos);
    CHECK(why(served("h100-sxm-80gb", "vllm", {{"context", 2048}}, {{"tensor", 16}})).find("bandwidth_between") !=
          std::string::npos);
}

TEST_CASE("layers that are split over devices run one after the other") {
    Json split = served("rtx-4090", "llama.cpp", {{"context", 2048}, {"prompt", 512}});
    split["weights"]["encoding"] = "gguf-q4_k_m";
    const double alone = roof(split);
    split["devices"] = 2;
    CHECK(roof(split) == Approx(alone));
    CHECK_FALSE(ask(split).at("time").contains("token"));
}

TEST_CASE("the prompt that is asked for is the prompt that is timed, of every runtime") {
    for (const auto& [runtime, device] : {std::pair{"vllm", "h100-sxm-80gb"}, {"llama.cpp", "rtx-4090"}}) {
        Json one = served(device, runtime, {{"context", 8192}, {"prompt", 1024}});
        if (std::string(runtime) == "llama.cpp") one["weights"]["encoding"] = "gguf-q4_k_m";
        const Json answered = ask(one);
        CHECK_FALSE(has(answered.at("notes"), "where", "inference.prompt"));
        const double shorter = answered.at("time").at("roof").at("prefill");
        one["inference"]["prompt"] = 4096;
        CHECK(roof(one, "prefill") > 3.5 * shorter);
        one["inference"].erase("prompt");
        CHECK(has(ask(one).at("assumptions"), "field", "inference.prompt"));
        one["inference"]["prompt"] = 10000;
        CHECK(refuse(one.dump()).at("where") == "inference.prompt");
    }
}

TEST_CASE("several sequences are told where such steps were printed: of each, and in all") {
    const Json batch = {{"context", 2048}, {"prompt", 1024}, {"sequences", 8}, {"kv_encoding", "fp8"}};
    Json several = served("h100-sxm-80gb", "tensorrt-llm", batch);
    several["weights"]["encoding"] = "fp8-tensor";
    const Json time = ask(several).at("time");
    const double all = time.at("tokens_per_second").at("value"), each = time.at("tokens_per_second_each").at("value");
    CHECK(all == Approx(8 * each));
    CHECK(time.at("token").at("seconds").get<double>() >= time.at("roof").at("token").get<double>());
    several["inference"]["sequences"] = 1;
    CHECK_FALSE(ask(several).at("time").contains("token"));
}

TEST_CASE("a step of a layout is as long in an estimate as in the plan that found it") {
    const Json cluster = {{"device", {{"preset", "h100-sxm-80gb"}}},
                          {"devices_per_node", 8},
                          {"nodes", 2},
                          {"bandwidth_within", 450e9},
                          {"bandwidth_between", 2e9}};
    const Json request = {{"task", "training"},
                          {"model", {{"preset", "llama-3-8b"}}},
                          {"parallel", {{"framework", "megatron"}, {"zero", 1}, {"tensor", 2}}},
                          {"training", {{"sequence", 4096}, {"checkpointing", "none"}, {"micro_batch", 1}}}};
    const Json plan = Json::parse(engine().plan(
        Json{{"request", request}, {"cluster", cluster}, {"want", "shortest_step"}, {"global_batch", 64}, {"keep", 2}}
            .dump()));
    REQUIRE_FALSE(plan.at("layouts").empty());
    for (const Json& layout : plan.at("layouts")) {
        Json asked = layout.at("request");
        asked["links"] = {{"devices_per_node", 8}, {"bandwidth_within", 450e9}, {"bandwidth_between", 2e9}};
        const Json time = ask(asked).at("time");
        for (const char* key : {"seconds", "low", "high"})
            CHECK(time.at("step").at(key).get<double>() == Approx(layout.at("step").at(key).get<double>()));
        CHECK(time.at("roof").at("step").get<double>() == Approx(layout.at("step").at("roof").get<double>()));
        asked["links"]["bandwidth_between"] = 2e7;
        const Json slow = ask(asked).at("time").at("step");
        CHECK(slow.at("binds") == "links");
        CHECK(slow.at("seconds").get<double>() > 10 * time.at("step").at("seconds").get<double>());
    }
}

TEST_CASE("of sums between nodes over links that nobody knows, a training's roof alone is told") {
    Json asked = {{"task", "training"},
                  {"time", true},
                  {"model", {{"preset", "llama-3-70b-instruct"}}},
                  {"device", {{"preset", "h100-sxm-80gb"}}},
                  {"parallel", {{"framework", "megatron"}, {"tensor", 16}, {"data", 2}}},
                  {"training", {{"sequence", 4096}}}};
    const Json unknown = ask(asked).at("time");
    CHECK_FALSE(unknown.contains("step"));
    CHECK(unknown.at("why").get<std::string>().find("links.bandwidth_between") != std::string::npos);
    asked["links"] = {{"bandwidth_between", 50e9}};
    CHECK(ask(asked).at("time").contains("step"));
    asked.erase("links");
    asked["parallel"]["tensor"] = 8;
    CHECK(ask(asked).at("time").contains("step"));
}

TEST_CASE("tokens of a training are days of steps") {
    Json asked = {{"task", "training"},
                  {"time", true},
                  {"model", {{"preset", "llama-3-8b"}}},
                  {"device", {{"preset", "h100-sxm-80gb"}}},
                  {"devices", 64},
                  {"parallel", {{"framework", "megatron"}}},
                  {"training", {{"sequence", 4096}, {"tokens", 1e12}}}};
    const Json time = ask(asked).at("time");
    const double rate = time.at("tokens_per_second").at("value");
    CHECK(time.at("days").at("value").get<double>() == Approx(1e12 / rate / 86400));
    CHECK(time.at("days").at("low").get<double>() < time.at("days").at("value").get<double>());
    CHECK(time.at("roof").at("days").get<double>() <= time.at("days").at("low").get<double>());
    asked.erase("time");
    CHECK(has(ask(asked).at("notes"), "where", "training.tokens"));
}

}  // namespace plimsoll::test::linked
