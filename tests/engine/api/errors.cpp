// Whatever is written in a request: a clear error with its path, no crash, nothing lost.
#include "engine/support.h"

namespace plimsoll::test::errors {

namespace {

Json refuse_config(const char* field, const Json& value) {
    Json config = small_llama();
    config[field] = value;
    return refuse(Json{{"model", {{"config", config}}}}.dump());
}

}  // namespace

TEST_CASE("a bad field of a config.json is named with its path") {
    for (const Json& bad :
         {Json("32"), Json(-1), Json(0), Json(1.5), Json(nullptr), Json::array({1}), Json(true), Json(1e300)}) {
        INFO(bad.dump());
        const Json error = refuse_config("num_hidden_layers", bad);
        CHECK(error.at("where") == "model.config.num_hidden_layers");
    }
}

TEST_CASE("heads that do not divide are refused") {
    CHECK(refuse_config("num_attention_heads", 7).at("code") == "does_not_divide");
    CHECK(refuse_config("num_key_value_heads", 3).at("where") == "model.config.num_key_value_heads");
}

TEST_CASE("numbers that JSON has no word for are refused where they stand") {
    CHECK(refuse(R"({"model": {"config": {"model_type": "llama", "hidden_size": 1e400}}})").at("where") ==
          "model.config.hidden_size");
    CHECK(refuse(R"({"model": {"config": {"model_type": "llama", "hidden_size": NaN}}})").at("where") ==
          "model.config.hidden_size");
    CHECK(refuse(R"({"model": {"preset": "gpt2"}, "inference": {"context": -Infinity}})").at("where") ==
          "inference.context");
}

TEST_CASE("text that is not JSON is refused with line and column") {
    const Json error = refuse("{\"model\": {\n  \"preset\": }}");
    CHECK(error.at("code") == "bad_json");
    CHECK(error.at("what").get<std::string>().find("line 2") != std::string::npos);
    for (const char* text : {"", "[", "{", "nul", "\"", "{\"a\" 1}", "{} {}", "\xff\xfe", "{\"a\": \"\xc3\x28\"}"}) {
        INFO(text);
        CHECK(refuse(text).at("code") == "bad_json");
    }
}

TEST_CASE("JSON that is no request is refused") {
    for (const char* text : {"[]", "3", "null", "\"text\"", "{}", R"({"model": 3})", R"({"model": []})",
                             R"({"model": {"preset": 3}})", R"({"model": {"config": []}})"}) {
        INFO(text);
        refuse(text);
    }
}

TEST_CASE("a key that stands twice, and nesting without end, are refused") {
    CHECK(refuse(R"({"model": {"preset": "gpt2", "preset": "llama-3-8b"}})").at("code") == "bad_json");
    std::string deep;
    for (int level = 0; level < 100000; ++level) deep += "{\"a\":";
    CHECK(refuse(deep).at("what").get<std::string>().find("nested") != std::string::npos);
    CHECK(refuse("{\"model\": " + std::string(100000, '[')).at("code") == "bad_json");
}

TEST_CASE("a field of the request that is out of range is named") {
    const auto where = [](const char* block, const char* field, const Json& value, const char* task) {
        return refuse(Json{{"task", task}, {"model", {{"preset", "gpt2"}}}, {block, {{field, value}}}}.dump())
            .at("where")
            .get<std::string>();
    };
    for (const Json& bad : {Json(0), Json(-5), Json(1.5), Json("8k"), Json(1e12), Json::array()}) {
        CHECK(where("inference", "context", bad, "inference") == "inference.context");
        CHECK(where("training", "sequence", bad, "training") == "training.sequence");
        CHECK(where("training", "micro_batch", bad, "training") == "training.micro_batch");
    }
    CHECK(where("training", "optimizer", "adamwww", "training") == "training.optimizer");
    CHECK(where("training", "precision", "bf17", "training") == "training.precision");
    CHECK(where("weights", "encoding", "int3", "inference") == "weights.encoding");
    CHECK(where("device", "preset", "rtx-9999", "inference") == "device.preset");
    CHECK(where("device", "used_by_others_bytes", 0, "inference") == "device.memory_bytes");
    CHECK(where("parallel", "tensor", 2, "inference") == "parallel.tensor");
    CHECK(refuse(R"({"task": "dreaming", "model": {"preset": "gpt2"}})").at("where") == "task");
}

TEST_CASE("a request beyond all memory is refused, not answered with rounded bytes") {
    const Json request = {{"model", {{"preset", "llama-3-70b-instruct"}}},
                          {"inference", {{"context", 1e8}, {"sequences", 1e6}}}};
    CHECK(refuse(request.dump()).at("code") == "out_of_range");
}

TEST_CASE("a preset without an id or with a strange value is refused") {
    plimsoll::Engine fresh;
    for (const char* text : {R"({"devices": [{}]})", R"({"devices": [{"id": "x"}]})", R"({"devices": 3})",
                             R"({"planets": []})", R"({"encodings": [{"id": "x", "bits": "many"}]})",
                             R"({"devices": [{"id": "x", "memory": {"value": 3, "unit": "parsec"}}]})"}) {
        INFO(text);
        CHECK(Json::parse(fresh.provide(text)).contains("error"));
    }
    const Json context = {{"value", 1}, {"unit", "MiB"}, {"compute_capability", "8.0"}};
    const Json runtimes = {{"runtimes", {{{"id", "x"}, {"device_context", {context}}}}}};
    const Json error = Json::parse(fresh.provide(runtimes.dump())).at("error");
    CHECK(error.at("code") == "bad_preset");
    CHECK(error.at("where") == "x.compute_capability");
}

TEST_CASE("the verdict follows the band: fits, tight, too large") {
    Json request = {{"model", {{"preset", "llama-3-8b"}}},
                    {"inference", {{"context", 2048}}},
                    {"device", {{"memory_bytes", 1e12}}}};
    const Json reply = ask(request);
    const Json& process = reply.at("total").at("process");
    CHECK(reply.at("fit").at("verdict") == "fits");
    request["device"]["memory_bytes"] = process.at("bytes");
    CHECK(ask(request).at("fit").at("verdict") == "tight");
    CHECK(ask(request).at("fit").at("free_bytes") == 0);
    request["device"]["memory_bytes"] = process.at("low").get<double>() - 1;
    CHECK(ask(request).at("fit").at("verdict") == "too large");
    request["device"] = {{"memory_bytes", 1e12}, {"used_by_others_bytes", 1e12 - 1e9}};
    CHECK(ask(request).at("fit").at("usable_bytes") == 1000000000);
}

TEST_CASE("unified memory is usable in part") {
    const Json reply = ask({{"model", {{"preset", "gpt2"}}}, {"device", {{"preset", "m2-max-96gb"}}}});
    CHECK(reply.at("fit").at("usable_bytes").get<double>() == std::floor(0.75 * 96 * 1073741824.0));
}

TEST_CASE("the device context follows the framework's version") {
    Json request = {
        {"model", {{"preset", "gpt2"}}}, {"device", {{"preset", "a100-sxm-80gb"}}}, {"inference", {{"context", 100}}}};
    const double today = row(ask(request), "device_context").at("bytes").get<double>();
    request["inference"]["framework"] = "CUDA < 11.7 (eager loading)";
    CHECK(row(ask(request), "device_context").at("bytes").get<double>() == 1343.0 * 1048576);
    CHECK(today < 1343.0 * 1048576);
    request["inference"]["framework"] = "torch 0.1";
    CHECK(refuse(request.dump()).at("where") == "inference.framework");
}

TEST_CASE("an unknown architecture with a tower or experts is not taken for a usual decoder") {
    Json config = small_llama();
    config["model_type"] = "something_new";
    CHECK(row(ask({{"model", {{"config", config}}}}), "weights").at("basis") == "rule");
    config["num_experts"] = nullptr;
    CHECK(row(ask({{"model", {{"config", config}}}}), "weights").at("basis") == "rule");
    config["vision_config"] = {{"hidden_size", 64}};
    CHECK(refuse(Json{{"model", {{"config", config}}}}.dump()).at("code") == "unknown_architecture");
}

TEST_CASE("a number of the wrong place is shown as it was written") {
    const Json preset = {{"model", {{"preset", "gpt2"}}}};
    for (const auto& [given, shown] : {std::pair{3.0, "3"}, {0.5, "0.5"}, {-2.0, "-2"}, {1e300, "1e+300"}}) {
        Json request = preset;
        request["inference"] = given;
        CHECK(refuse(request.dump()).at("what") == std::string("must be an object, not ") + shown);
    }
}

TEST_CASE("a model whose language model is the model itself is refused, and not read without end") {
    for (const char* type : {"llava", "mistral3", "idefics3", "paligemma"}) {
        const Json config = {{"model_type", type}, {"text_config", {{"model_type", type}, {"hidden_size", 64}}}};
        INFO(type);
        CHECK(refuse(Json{{"model", {{"config", config}}}}.dump()).at("code") == "unknown_architecture");
    }
}

}  // namespace plimsoll::test::errors
