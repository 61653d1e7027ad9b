// What a reply says of time: within the roof, in order, explained; and what cannot be timed, with the reason.
#include "engine/support.h"

namespace plimsoll::test::told {

namespace {

Json request(const char* model, const char* device, const char* runtime, Json inference = Json::object()) {
    inference["runtime"] = runtime;
    return {{"time", true},
            {"model", {{"preset", model}}},
            {"device", {{"preset", device}}},
            {"weights", {{"encoding", "gguf-q4_k_m"}}},
            {"inference", inference}};
}

double rate(const Json& reply) { return reply.at("time").at("tokens_per_second").at("value").get<double>(); }

}  // namespace

TEST_CASE("time is told where it is asked for, within the roof and its own band") {
    Json asked = request("llama-3-8b", "rtx-4090", "llama.cpp", {{"context", 2048}, {"prompt", 512}});
    const Json time = ask(asked).at("time");
    for (const char* pass : {"token", "prefill"}) {
        const Json& told = time.at(pass);
        const double seconds = told.at("seconds"), roof = time.at("roof").at(pass);
        CHECK(roof > 0);
        CHECK(told.at("low").get<double>() >= roof);
        CHECK(seconds >= told.at("low").get<double>());
        CHECK(told.at("high").get<double>() >= seconds);
        double rows = 0;
        for (const Json& row : told.at("rows")) rows += row.at("seconds").get<double>();
        CHECK(rows == Approx(seconds));
    }
    CHECK(time.at("token").at("binds") == "bandwidth");
    CHECK(time.at("prefill").at("binds") == "compute");
    asked.erase("time");
    CHECK_FALSE(ask(asked).contains("time"));
}

TEST_CASE("a token takes longer the more is read: a longer context, a larger model, more bits, never a faster device") {
    const Json plain = ask(request("llama-3-8b", "rtx-4090", "llama.cpp", {{"context", 2048}}));
    CHECK(rate(plain) > rate(ask(request("llama-3-8b", "rtx-4090", "llama.cpp", {{"context", 65536}}))));
    CHECK(rate(plain) < rate(ask(request("llama-3.2-1b", "rtx-4090", "llama.cpp", {{"context", 2048}}))));
    Json wide = request("llama-3-8b", "rtx-4090", "llama.cpp", {{"context", 2048}});
    wide["weights"]["encoding"] = "gguf-q8_0";
    CHECK(rate(plain) > rate(ask(wide)));
    Json faster = request("llama-3-8b", "rtx-4090", "llama.cpp", {{"context", 2048}});
    faster["device"]["bandwidth"] = 2e12;
    CHECK(rate(plain) < rate(ask(faster)));
}

TEST_CASE("explained, a row of time opens to its formula and its sources") {
    Json asked = request("llama-3-8b", "rtx-4090", "llama.cpp", {{"context", 2048}});
    asked["explain"] = "all";
    const Json reply = ask(asked);
    for (const Json& row : reply.at("time").at("token").at("rows")) {
        CHECK_FALSE(row.at("formula").empty());
        CHECK_FALSE(row.at("sources").empty());
    }
    asked["explain"] = "rows";
    CHECK(ask(asked).at("time").at("token").at("seconds") == reply.at("time").at("token").at("seconds"));
    CHECK(reply.at("symbols").contains("bandwidth"));
}

TEST_CASE("what cannot be timed says why, and has no figure but the roof") {
    Json on_host =
        request("llama-3-8b", "rtx-4090", "llama.cpp", {{"context", 2048}, {"offload", {{"gpu_layers", 4}}}});
    const Json off_loaded = ask(on_host).at("time");
    CHECK(off_loaded.at("why").get<std::string>().find("host") != std::string::npos);
    CHECK_FALSE(off_loaded.contains("token"));
    CHECK_FALSE(off_loaded.contains("roof"));
    Json typed = request("llama-3-8b", "rtx-4090", "llama.cpp", {{"context", 2048}});
    typed["device"] = {{"memory_bytes", 24e9}};
    CHECK(ask(typed).at("time").at("why").get<std::string>().find("device.bandwidth") != std::string::npos);
    Json unfitted = request("llama-3-8b", "h100-sxm-80gb", "sglang", {{"context", 2048}});
    unfitted["weights"]["encoding"] = "bf16";
    const Json roof = ask(unfitted).at("time");
    CHECK(roof.contains("why"));
    CHECK_FALSE(roof.contains("token"));
    CHECK(roof.at("roof").at("tokens_per_second").get<double>() > 0);
}

TEST_CASE("a training step at the roof is the model's operations at the peak rate, and what is recomputed once more") {
    const auto step = [](const char* checkpointing) {
        return ask({{"task", "training"},
                    {"time", true},
                    {"model", {{"preset", "llama-3-8b"}}},
                    {"device", {{"preset", "h100-sxm-80gb"}}},
                    {"training", {{"sequence", 4096}, {"precision", "bf16"}, {"checkpointing", checkpointing}}}})
                   .at("time")
                   .at("roof")
                   .at("step")
                   .get<double>() -
               14 * 8030261248.0 / 3.35e12;  // the optimizer's step: 14 bytes a parameter in 16 bits
    };
    const double products = 6.0 * (8030261248.0 - 525336576.0) * 4096 / 989e12;  // 6 × parameters, the lookup left out
    CHECK(step("none") > products);
    CHECK(step("none") < 1.25 * products);  // attention, and what memory binds
    CHECK(step("full") > 1.25 * step("none"));
    CHECK(step("full") < 1.35 * step("none"));
}

TEST_CASE("an operation of a training says how often it runs: none is above the roof, and all products are 6·N") {
    const Json reply = ask({{"task", "training"},
                            {"time", true},
                            {"model", {{"preset", "llama-3-8b"}}},
                            {"device", {{"preset", "h100-sxm-80gb"}}},
                            {"parallel", {{"framework", "fsdp"}, {"data", 16}}},
                            {"training", {{"sequence", 4096}, {"micro_batch", 2}, {"checkpointing", "none"}}}});
    double products = 0;
    for (const Json& each : reply.at("time").at("step").at("operations")) {
        const double layers = each.at("layers"), times = each.at("times"), seconds = each.at("seconds");
        CHECK(each.at("operations").get<double>() * layers * times / seconds < 989e12);
        CHECK(each.at("bytes").get<double>() * layers * times / seconds < 3.36e12);
        if (each.at("kind") == "product") products += each.at("operations").get<double>() * layers * times;
    }
    CHECK(products == Approx(6.0 * (8030261248.0 - 525336576.0) * 2 * 4096).epsilon(0.001));
}

TEST_CASE("the hosted calculator tells no time") {
    CHECK(refuse(R"({"task": "classic", "time": true, "model": {"preset": "llama-3-70b-instruct"}})").at("where") ==
          "time");
}

namespace {

Json step_request(const char* precision, const char* model = "llama-3-8b", const char* framework = "megatron") {
    return {{"task", "training"},
            {"time", true},
            {"model", {{"preset", model}}},
            {"device", {{"preset", "h100-sxm-80gb"}}},
            {"devices", 64},
            {"parallel", {{"framework", framework}}},
            {"training", {{"sequence", 4096}, {"accumulation", 8}, {"precision", precision}}}};
}

}  // namespace

TEST_CASE("a training step in 8 bits has a roof of its own: linear modules multiply at that rate, the head does not") {
    const Json wide = ask(step_request("bf16-mixed")).at("time"), narrow = ask(step_request("fp8-mixed")).at("time");
    const double wide_roof = wide.at("roof").at("step"), narrow_roof = narrow.at("roof").at("step");
    CHECK(narrow_roof < 0.62 * wide_roof);
    CHECK(narrow_roof > 0.5 * wide_roof);
    CHECK(narrow.at("step").at("seconds").get<double>() < wide.at("step").at("seconds").get<double>());
    const double mfu = wide.at("mfu");
    CHECK(mfu > 0.3);
    CHECK(mfu < 1);
}

TEST_CASE("the framework that divides a training decides whether a speed is told") {
    CHECK(ask(step_request("bf16-mixed")).at("time").contains("tokens_per_second"));
    const Json unknown = ask(step_request("bf16-mixed", "llama-3-8b", "deepspeed")).at("time");
    CHECK_FALSE(unknown.contains("step"));
    const Json& roof = unknown.at("roof");
    CHECK(roof.at("tokens_per_second").get<double>() * roof.at("step").get<double>() == Approx(64.0 * 4096 * 8));
    // Mixtures under FSDP: nobody printed enough of them.
    CHECK_FALSE(ask(step_request("bf16-mixed", "mixtral-8x7b", "fsdp2")).at("time").contains("step"));
    const Json mixture = ask(step_request("bf16-mixed", "mixtral-8x7b")).at("time").at("step");
    CHECK(mixture.at("high").get<double>() > 2 * mixture.at("seconds").get<double>());
}

}  // namespace plimsoll::test::told
