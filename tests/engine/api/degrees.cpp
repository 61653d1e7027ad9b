// Devices and degrees of parallelism are one rule: what is left out follows from the rest, and is told.
#include <limits>

#include "engine/support.h"

namespace plimsoll::test::degrees {

namespace {

Json served(const char* runtime, const char* model, const Json& parallel) {
    return {{"model", {{"preset", model}}},
            {"device", {{"preset", "h100-sxm-80gb"}}},
            {"parallel", parallel},
            {"inference", {{"runtime", runtime}, {"context", 4096}}}};
}

Json trained(const char* model, const Json& parallel) {
    return {
        {"model", {{"preset", model}}}, {"parallel", parallel}, {"training", {{"method", "full"}, {"sequence", 512}}}};
}

/// What was assumed of a field, or null.
Json assumed(const Json& reply, const std::string& field) {
    for (const Json& each : reply.at("assumptions"))
        if (each.at("field") == field) return each.at("value");
    return nullptr;
}

double devices_of(const Json& reply) {
    double all = 0;
    for (const Json& each : reply.at("devices")) {
        CHECK(each.at("count").get<double>() >= 1);
        all += each.at("count").get<double>();
    }
    return all;
}

double largest_weights(const Json& reply) {
    double most = 0;
    for (const Json& device : reply.at("devices"))
        for (const Json& row : device.at("rows"))
            if (row.at("id") == "weights") most = std::max(most, row.at("bytes").get<double>());
    return most;
}

// What was assumed, stated: the same answer but for the assumptions and the list of devices' own words.
void check_stated(Json request, double devices) {
    INFO(request.dump());
    const Json reply = ask(request);
    CHECK(assumed(reply, "devices") == devices);
    if (reply.contains("devices")) CHECK(devices_of(reply) == devices);
    for (const char* field : {"tensor", "data"}) {
        const Json value = assumed(reply, std::string("parallel.") + field);
        if (!value.is_null()) request["parallel"][field] = value;
    }
    request["devices"] = devices;
    Json stated = ask(request), told = reply;
    CHECK(assumed(stated, "devices").is_null());
    for (Json* each : {&stated, &told}) each->erase("assumptions");
    CHECK(stated == told);
}

}  // namespace

TEST_CASE("devices that are left out are as many as the degrees multiply to") {
    for (const char* runtime : {"vllm", "sglang", "tensorrt-llm"}) {
        check_stated(served(runtime, "llama-3-70b-instruct", {{"pipeline", 4}}), 4);
        check_stated(served(runtime, "llama-3-70b-instruct", {{"tensor", 2}, {"pipeline", 2}}), 4);
        check_stated(served(runtime, "qwen3-30b-a3b", {{"data", 2}}), 2);
        check_stated(served(runtime, "qwen3-30b-a3b", {{"data", 2}, {"tensor", 2}, {"pipeline", 2}}), 8);
        check_stated(served(runtime, "qwen3-30b-a3b", {{"expert", 4}}), 4);
        check_stated(served(runtime, "llama-3-8b", {{"tensor", 16}, {"context", 2}}), 16);
    }
    check_stated(trained("llama-3-8b", {{"pipeline", 4}}), 4);
    check_stated(trained("llama-3-8b", {{"tensor", 2}, {"context", 2}, {"data", 2}}), 8);
    check_stated(trained("qwen3-30b-a3b", {{"expert", 4}}), 4);
    check_stated(trained("llama-3-8b", {{"data", 4}, {"framework", "fsdp2"}}), 4);
}

TEST_CASE("devices that no degree takes are the runtime's to use, which is told") {
    Json request = served("vllm", "llama-3-70b-instruct", {{"pipeline", 2}});
    request["devices"] = 8;
    CHECK(assumed(ask(request), "parallel.tensor") == 4);
    Json training = trained("llama-3-8b", {{"pipeline", 2}});
    training["devices"] = 8;
    CHECK(assumed(ask(training), "parallel.data") == 4);
    request.erase("devices");
    request["parallel"] = Json::object();
    CHECK(assumed(ask(request), "devices").is_null());
    CHECK(assumed(ask(request), "parallel.tensor").is_null());
}

TEST_CASE("degrees that do not divide the devices are refused where they are") {
    for (const char* degree : {"tensor", "pipeline", "data"})
        for (Json request : {served("vllm", "llama-3-8b", {{degree, 2}}),
                             trained("llama-3-8b", {{degree, 2}, {"framework", "ddp"}})}) {
            INFO(request.dump());
            request["devices"] = 3;
            CHECK(refuse(request.dump()).at("where") == std::string("parallel.") + degree);
        }
    Json all = served("vllm", "llama-3-8b", {{"tensor", 2}, {"pipeline", 2}, {"data", 1}});
    all["devices"] = 8;
    CHECK(refuse(all.dump()).at("where") == "parallel");
    all["devices"] = 0;
    CHECK(refuse(all.dump()).at("where") == "devices");
}

TEST_CASE("a division that a framework leaves open is told") {
    const auto told = [](const char* model, const Json& parallel, const char* code) {
        const Json reply = ask(trained(model, parallel));
        for (const Json& note : reply.at("notes"))
            if (note.at("code") == code) return true;
        return false;
    };
    CHECK(told("llama-3-8b", {{"framework", "ddp"}, {"pipeline", 2}}, "ddp_beside_divisions"));
    CHECK(told("llama-3-8b", {{"framework", "ddp"}, {"tensor", 2}}, "ddp_beside_divisions"));
    CHECK_FALSE(told("llama-3-8b", {{"framework", "ddp"}, {"data", 2}}, "ddp_beside_divisions"));
    CHECK_FALSE(told("llama-3-8b", {{"framework", "megatron"}, {"pipeline", 2}}, "ddp_beside_divisions"));
}

TEST_CASE("experts are shared as the framework shares them: Megatron-LM's by as many devices as other matrices") {
    Json parallel = {{"framework", "megatron"}, {"expert", 4}, {"data", 4}, {"tensor", 2}};
    const auto experts = [&parallel](const char* row_id) {
        const Json reply = ask(trained("qwen3-30b-a3b", parallel));
        for (const Json& child : row(reply, row_id).at("rows"))
            if (child.at("id") == (std::string(row_id) == "weights" ? "experts" : "saved.experts"))
                return child.at("bytes").get<double>();
        return 0.0;
    };
    CHECK(assumed(ask(trained("qwen3-30b-a3b", parallel)), "parallel.expert_tensor") == 2);
    const double shared = experts("weights"), of_shared = experts("activations");
    parallel["expert_tensor"] = 1;
    CHECK(experts("weights") == 2 * shared);    // 32 whole ones, in place of halves of as many
    CHECK(experts("activations") < of_shared);  // each device works for its own part of the tokens
    parallel["expert_tensor"] = 4;
    CHECK(refuse(trained("qwen3-30b-a3b", parallel).dump()).at("where") == "parallel.expert_tensor");
    parallel["expert_tensor"] = 2, parallel["expert"] = 8;  // 16 places for 8 devices
    CHECK(refuse(trained("qwen3-30b-a3b", parallel).dump()).at("where") == "parallel.expert");
    parallel.erase("expert_tensor"), parallel["expert"] = 4, parallel["framework"] = "fsdp2";
    CHECK(assumed(ask(trained("qwen3-30b-a3b", parallel)), "parallel.expert_tensor") == 1);
}

TEST_CASE("more stages never give a device more weights") {
    for (const char* runtime : {"vllm", "sglang", "tensorrt-llm"})
        for (const char* model : {"llama-3-70b-instruct", "qwen3-30b-a3b", "gpt2", "gemma-3-12b"}) {
            double before = std::numeric_limits<double>::infinity();
            for (int stages = 1; stages <= 12; ++stages) {
                INFO(runtime << ' ' << model << ' ' << stages);
                const Json reply = ask(served(runtime, model, {{"pipeline", stages}}));
                const double now = stages == 1 ? reply.at("rows")[0].at("bytes").get<double>() : largest_weights(reply);
                CHECK(now <= before);
                before = now;
            }
        }
}

}  // namespace plimsoll::test::degrees
