// What fits, asked of the engine, is what single estimates say on both sides.
#include "engine/support.h"

namespace plimsoll::test::solve {

namespace {

Json served(const char* runtime, const char* model, const char* device, const char* encoding,
            Json more = Json::object()) {
    Json block = {{"runtime", runtime}, {"context", 8192}, {"sequences", 1}};
    block.update(more);
    return {{"model", {{"preset", model}}},
            {"weights", {{"encoding", encoding}}},
            {"device", {{"preset", device}}},
            {"explain", "none"},
            {"inference", block}};
}

Json solved(Json question) { return Json::parse(engine().solve(question.dump())); }

bool fits(const Json& reply) {
    const std::string verdict = reply["fit"]["verdict"];
    return (verdict == "fits" || verdict == "tight") && reply["fit"]["free_bytes"].get<double>() >= 0;
}

/// The question's request with one field set.
Json having(Json request, const std::string& field, const Json& value) {
    Json* at = &request;
    size_t begin = 0;
    for (size_t dot; (dot = field.find('.', begin)) != std::string::npos; begin = dot + 1)
        at = &(*at)[field.substr(begin, dot - begin)];
    (*at)[field.substr(begin)] = value;
    return request;
}

struct Question {
    const char* name;
    Json request;
    const char* find;
};

std::vector<Question> questions() {
    const Json trained = {{"model", {{"preset", "llama-3.1-8b"}}},
                          {"device", {{"preset", "rtx-4090"}}},
                          {"explain", "none"},
                          {"training", {{"method", "qlora"}, {"sequence", 2048}, {"checkpointing", "full"}}}};
    return {{"context", served("transformers", "llama-3.1-8b", "rtx-4090", "bf16"), "inference.context"},
            {"sequences of a server", served("vllm", "llama-3.1-8b", "h100-sxm-80gb", "bf16"), "inference.sequences"},
            {"cells", served("llama.cpp", "llama-3.1-8b", "rtx-4090", "gguf-q8_0", {{"sequences", 3}}),
             "inference.context"},
            {"layers", served("llama.cpp", "llama-3-70b-instruct", "rtx-4090", "gguf-q4_k_m"),
             "inference.offload.gpu_layers"},
            {"prompt", served("transformers", "llama-3.1-8b", "rtx-4090", "bf16"), "inference.prompt"},
            {"micro-batch", trained, "training.micro_batch"},
            {"rank", trained, "training.lora.rank"}};
}

}  // namespace

TEST_CASE("the value fits and the next one does not, as single estimates say", "[solve]") {
    for (const Question& question : questions()) {
        INFO(question.name);
        const Json reply = solved({{"request", question.request}, {"find", question.find}});
        REQUIRE(reply.contains("value"));
        INFO(reply["value"] << " and " << reply["next"]);
        const Json at = ask(having(question.request, question.find, reply["value"]));
        CHECK(fits(at));
        CHECK(reply["reply"] == at);
        if (reply["next"].is_null()) continue;
        const Json next = ask(having(question.request, question.find, reply["next"]));
        CHECK_FALSE(fits(next));
        CHECK(reply["next_reply"] == next);
        CHECK(reply["binds"].contains("row"));
    }
}

TEST_CASE("few estimates where the need cannot fall", "[solve]") {
    const Json reply = solved(
        {{"request", served("transformers", "llama-3.1-8b", "rtx-4090", "bf16")}, {"find", "inference.context"}});
    CHECK(reply["estimates"].get<int>() <= 40);
}

TEST_CASE("the end of a model's positions is an end, not a limit of memory", "[solve]") {
    const Json reply = solved(
        {{"request", served("transformers", "llama-3.2-1b", "h100-sxm-80gb", "bf16")}, {"find", "inference.context"}});
    CHECK(reply["value"] == 131072);
    CHECK(reply["next"].is_null());
    CHECK(reply["ends"] == "the model's positions");
}

TEST_CASE("as many images are looked for as a sequence has room for", "[solve]") {
    Json request = {
        {"task", "training"},
        {"model", {{"config", Json::parse(read("presets/models/qwen2.5-vl-3b.json")).at("config")}}},
        {"device", {{"preset", "h100-sxm-80gb"}}},
        {"training", {{"method", "lora"}, {"sequence", 1024}, {"images", {{"width", 448}, {"height", 448}}}}}};
    const Json reply = solved({{"find", "training.images.count"}, {"request", request}});
    CHECK(reply["value"] == 4);  // of 16 × 16 tokens each
    CHECK(reply["ends"] == "the tokens of a sequence");
    request["training"].erase("images"), request["training"]["sequence"] = 2048;
    CHECK(solved({{"find", "training.images.count"}, {"request", request}})["value"] == 1);
}

TEST_CASE("what cannot fit says what is needed, and by how much that is too much", "[solve]") {
    const Json reply = solved({{"request", served("transformers", "llama-3-70b-instruct", "rtx-4090", "bf16")},
                               {"find", "inference.context"}});
    CHECK(reply["value"].is_null());
    CHECK(reply["next"] == 1);
    const double usable = reply["next_reply"]["fit"]["usable_bytes"];
    CHECK(reply["needed"].get<double>() - reply["over"].get<double>() == Approx(usable));
    CHECK(reply["binds"]["row"] == "weights");
}

TEST_CASE("sure asks for the whole band", "[solve]") {
    const Json request = served("transformers", "llama-3.1-8b", "rtx-4090", "bf16");
    const Json likely = solved({{"request", request}, {"find", "inference.context"}});
    const Json sure = solved({{"request", request}, {"find", "inference.context"}, {"sure", true}});
    CHECK(sure["value"].get<double>() < likely["value"].get<double>());
    CHECK(sure["reply"]["fit"]["verdict"] == "fits");
    CHECK(sure["next_reply"]["fit"]["verdict"] != "fits");
}

TEST_CASE("a limit in bytes stands in for a device", "[solve]") {
    Json request = served("transformers", "llama-3.1-8b", "rtx-4090", "bf16");
    request.erase("device");
    CHECK(solved({{"request", request}, {"find", "inference.context"}})["error"]["where"] == "limit.bytes");
    const Json reply = solved({{"request", request}, {"find", "inference.context"}, {"limit", {{"bytes", 20e9}}}});
    CHECK(reply["reply"]["total"]["process"]["bytes"].get<double>() <= 20e9);
    CHECK(reply["next_reply"]["total"]["process"]["bytes"].get<double>() > 20e9);
}

TEST_CASE("the fewest devices, among those that divide", "[solve]") {
    const Json reply =
        solved({{"request", served("vllm", "llama-3-70b-instruct", "h100-sxm-80gb", "bf16", {{"sequences", 8}})},
                {"find", "parallel.tensor"}});
    CHECK(reply["value"] == 4);
    CHECK(reply["next"] == 2);
}

TEST_CASE("a global batch stays while its accumulation is looked for", "[solve]") {
    const Json request = {{"model", {{"preset", "llama-3.1-8b"}}},
                          {"device", {{"preset", "rtx-4090"}}},
                          {"training",
                           {{"method", "qlora"},
                            {"sequence", 2048},
                            {"checkpointing", "full"},
                            {"micro_batch", 16},
                            {"accumulation", 2}}}};
    const Json reply = solved({{"request", request}, {"find", "training.accumulation"}});
    CHECK(reply["value"] == 8);  // a micro-batch of 4
    CHECK(reply["next"] == 4);
}

TEST_CASE("encodings that a runtime loads, by what they take", "[solve]") {
    const Json reply = solved({{"request", served("llama.cpp", "llama-3-70b-instruct", "h100-sxm-80gb", "gguf-q4_k_m")},
                               {"find", "weights.encoding"}});
    CHECK(reply["value"] == "gguf-q8_0");
    double before = 0;
    for (const Json& each : reply["order"]) {
        CHECK(each["value"].get<std::string>().rfind("gguf-", 0) == 0);
        CHECK(each["bytes"].get<double>() >= before);
        before = each["bytes"];
    }
}

TEST_CASE("two fields give the edge of what fits", "[solve]") {
    const Json request = served("transformers", "llama-3.1-8b", "rtx-4090", "bf16");
    const Json reply = solved({{"request", request}, {"find", {"inference.context", "inference.sequences"}}});
    REQUIRE(reply["edge"].size() > 20);
    for (const Json& corner : reply["edge"]) {
        const Json& context = corner["inference.context"];
        const Json with = having(request, "inference.sequences", corner["inference.sequences"]);
        CHECK(fits(ask(having(with, "inference.context", context))));
        CHECK_FALSE(fits(ask(having(with, "inference.context", context.get<int>() + 1))));
    }
}

TEST_CASE("a question is refused at its field", "[solve]") {
    const Json request = served("transformers", "llama-3.1-8b", "rtx-4090", "bf16");
    const auto where = [&](Json question) { return solved(question)["error"]["where"]; };
    CHECK(where({{"find", "inference.context"}}) == "request");
    CHECK(where({{"request", request}}) == "find");
    CHECK(where({{"request", request}, {"find", "inference.contxt"}}) == "find");
    CHECK(where({{"request", request}, {"find", "inference.context"}, {"limt", 1}}) == "limt");
    CHECK(where({{"request", request}, {"find", "inference.context"}, {"limit", {{"byte", 1}}}}) == "limit.byte");
    CHECK(where({{"request", request}, {"find", "inference.context"}, {"limit", {{"bytes", "20"}}}}) == "limit.bytes");
    CHECK(where({{"request", request}, {"find", "inference.context"}, {"sure", 1}}) == "sure");
    CHECK(where({{"request", request}, {"find", "inference.context"}, {"within", {5}}}) == "within");
    CHECK(where({{"request", request}, {"find", "weights.encoding"}, {"values", {"bf61"}}}) == "weights.encoding");
    CHECK(where({{"request", having(request, "inference.contxt", 1)}, {"find", "inference.context"}}) ==
          "inference.contxt");
    CHECK(where({{"request", having(request, "model.preset", "nonsense")}, {"find", "inference.context"}}) ==
          "model.preset");
}

TEST_CASE("the fewest steps of accumulation are looked for at the batch that was asked", "[solve]") {
    const auto trained = [](double micro_batch, double accumulation) {
        return Json{{"model", {{"preset", "llama-3.2-1b"}}},
                    {"device", {{"preset", "rtx-4090"}}},
                    {"explain", "none"},
                    {"training",
                     {{"method", "lora"},
                      {"sequence", 2048},
                      {"checkpointing", "full"},
                      {"micro_batch", micro_batch},
                      {"accumulation", accumulation}}}};
    };
    const Json found = solved({{"request", trained(2, 16)}, {"find", "training.accumulation"}});
    INFO(found.dump().substr(0, 500));
    const double steps = found.at("value"), next = found.at("next");
    CHECK(next < steps);
    CHECK(found.at("reply").at("total") == ask(trained(32 / steps, steps)).at("total"));
    CHECK(found.at("next_reply").at("total") == ask(trained(32 / next, next)).at("total"));
    CHECK(fits(found.at("reply")));
    CHECK(!fits(found.at("next_reply")));
}

}  // namespace plimsoll::test::solve
