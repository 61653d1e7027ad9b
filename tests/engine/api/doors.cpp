// What comes in is told apart by its content, and refused at the limit that its words name.
#include "engine/support.h"

namespace plimsoll::test::doors {

namespace {

Json inspected(const std::string& name, const std::string& bytes, double size = -1) {
    const auto length = static_cast<double>(bytes.size());
    const Json files = {
        {"files", {{{"name", name}, {"size", size < 0 ? length : size}, {"at", 0}, {"length", length}}}}};
    return Json::parse(engine().inspect(files.dump(), bytes));
}

std::string kind(const std::string& name, const std::string& bytes) {
    const Json reply = inspected(name, bytes);
    return reply.contains("error") ? reply.at("error").at("what").get<std::string>()
                                   : reply.at("kind").get<std::string>();
}

std::string length_of(const std::string& header) {
    std::string bytes(8, '\0');
    for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
    return bytes;
}

Json quantized(const Json& config) {
    Json model = small_llama();
    model["quantization_config"] = config;
    const Json reply = ask({{"model", {{"config", model}}}, {"inference", {{"context", 16}}}});
    for (const Json& each : reply.at("assumptions"))
        if (each.at("field") == "weights.encoding") return each.at("value");
    return nullptr;
}

}  // namespace

TEST_CASE("a file is told by its content") {
    const std::string header = R"({"t":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})";
    const std::string safetensors = length_of(header) + header + "1234";
    CHECK(kind("a.safetensors", safetensors) == "safetensors");
    CHECK(kind("whatever", safetensors) == "safetensors");
    CHECK(kind("config.json", small_llama().dump()) == "config");
    CHECK(kind("x", "\xEF\xBB\xBF \n" + small_llama().dump()) == "config");
    CHECK(kind("x", R"({"peft_type": "LORA", "r": 8, "target_modules": ["q_proj"]})") == "adapter");
    CHECK(kind("x", R"({"metadata": {"total_size": 8}, "weight_map": {"a.weight": "m.safetensors"}})") == "index");
    const std::string program = "a PyTorch file, which is a program and is not read";
    for (const char* bytes : {"PK\x03\x04 1234567", "\x80\x02}q"})
        CHECK(kind("x.bin", bytes).find(program) != std::string::npos);
    for (const char* bytes : {"P{}", "hello", "[1]", "   "})
        CHECK(kind("x", bytes).find("neither JSON nor safetensors nor GGUF") != std::string::npos);
    CHECK(kind("x", "").find("the file is empty") != std::string::npos);
}

TEST_CASE("more of a file is asked for where its header goes on") {
    const std::string header = R"({"t":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})";
    const std::string bytes = length_of(header) + header;
    const Json reply = inspected("a.safetensors", bytes.substr(0, 12), static_cast<double>(bytes.size() + 4));
    REQUIRE(reply.contains("need"));
    CHECK(reply.at("schema") == 1);
    CHECK(reply.at("need") == Json::array({{{"file", 0}, {"bytes", bytes.size()}}}));
}

TEST_CASE("a quantizer's configuration names its format") {
    const auto torchao = [](const char* type) {
        return quantized({{"quant_method", "torchao"}, {"quant_type", type}});
    };
    CHECK(torchao("int4_weight_only") == "torchao-int4-128g");
    CHECK(torchao("int8_weight_only") == "torchao-int8");
    CHECK(torchao("float8_weight_only") == "torchao-float8");
    CHECK(torchao("Int4WeightOnlyConfig") == "torchao-int4-128g");
    CHECK(quantized({{"quant_method", "gptq"}, {"bits", 4}, {"group_size", 128}}) == "gptq-4bit-128g");
    CHECK(quantized({{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}}) == "awq-4bit-128g");
    CHECK(quantized({{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}}) == "fp8-block-128");
}

TEST_CASE("what bitsandbytes and compressed-tensors say of a checkpoint is its format") {
    const auto bits = [](const Json& more) {
        Json config = {{"quant_method", "bitsandbytes"}};
        config.update(more);
        return quantized(config);
    };
    CHECK(bits({{"load_in_8bit", true}}) == "int8-llm");
    CHECK(bits({{"load_in_4bit", true}}) == "fp4");
    CHECK(bits({{"load_in_4bit", true}, {"bnb_4bit_quant_type", "nf4"}}) == "nf4");
    CHECK(bits({{"load_in_4bit", true}, {"bnb_4bit_quant_type", "nf4"}, {"bnb_4bit_use_double_quant", true}}) ==
          "nf4-dq");
    const auto compressed = [](const Json& weights, bool activations) {
        Json group = {{"weights", weights}};
        if (activations) group["input_activations"] = {{"num_bits", 8}};
        return quantized({{"quant_method", "compressed-tensors"}, {"config_groups", {{"group_0", group}}}});
    };
    const Json floats = {{"num_bits", 8}, {"type", "float"}};
    const auto by = [&floats](const char* strategy) {
        Json weights = floats;
        weights["strategy"] = strategy;
        return weights;
    };
    CHECK(compressed(by("block"), true) == "fp8-block-128");
    CHECK(compressed(by("channel"), true) == "fp8-channel");
    CHECK(compressed(by("tensor"), true) == "fp8-tensor");
    CHECK(compressed({{"num_bits", 4}, {"type", "float"}}, true) == "nvfp4");
    CHECK(compressed({{"num_bits", 8}, {"type", "int"}}, true) == "ct-w8a8");
    CHECK(compressed({{"num_bits", 8}, {"type", "int"}}, false) == "ct-w8a16");
    CHECK(compressed({{"num_bits", 4}, {"type", "int"}, {"group_size", 128}}, false) == "ct-w4a16-128g");
    CHECK(compressed({{"num_bits", 4}, {"type", "int"}, {"group_size", 32}}, false) == "ct-w4a16-32g");
}

TEST_CASE("limits are where their words say") {
    const auto trained = [](const char* model, const Json& parallel) -> Json {
        return {{"model", {{"preset", model}}}, {"parallel", parallel}, {"training", {{"sequence", 128}}}};
    };
    const auto said = [](const Json& request) {
        const Json error = refuse(request.dump());
        return error.at("where").get<std::string>() + ": " + error.at("what").get<std::string>() + "; " +
               error.at("hint").get<std::string>();
    };
    const auto answered = [](const Json& request) {
        return !Json::parse(engine().estimate(request.dump())).contains("error");
    };
    CHECK(said(trained("gpt2", {{"pipeline", 13}})) ==
          "parallel.pipeline: there are more stages than layers; at most 12");
    CHECK(answered(trained("gpt2", {{"pipeline", 12}})));
    CHECK(said(trained("gpt2", {{"expert", 2}, {"data", 2}})) ==
          "parallel.expert: this model has no experts; at most 1");
    CHECK(said(trained("mixtral-8x7b", {{"expert", 16}, {"data", 16}})) ==
          "parallel.expert: there are more devices than experts; at most 8");
    CHECK(answered(trained("mixtral-8x7b", {{"expert", 8}, {"data", 8}})));
    CHECK(said(trained("gpt2", {{"framework", "deepspeed"}, {"zero", 2}, {"pipeline", 2}, {"data", 2}}))
              .rfind("parallel.zero: DeepSpeed's pipeline keeps gradients", 0) == 0);
    CHECK(answered(trained("gpt2", {{"framework", "deepspeed"}, {"zero", 1}, {"pipeline", 2}, {"data", 2}})));
    CHECK(said(trained("gpt2", {{"framework", "megatron"}, {"zero", 2}, {"data", 2}}))
              .rfind("parallel.zero: Megatron", 0) == 0);
    CHECK(said(trained("gpt2", {{"framework", "ddp"}, {"zero", 1}, {"data", 2}}))
              .rfind("parallel.zero: Distributed", 0) == 0);
    CHECK(said(trained("gpt2", {{"framework", "fsdp2"}, {"zero", 1}, {"data", 2}})).rfind("parallel.zero: fully", 0) ==
          0);
    Json config = small_llama();
    config.update({{"model_type", "deepseek_v3"}, {"n_routed_experts", 4}, {"num_experts_per_tok", 5}});
    CHECK(refuse(Json{{"model", {{"config", config}}}}.dump()).at("code").get<std::string>() != "internal");
}

TEST_CASE("a sweep has at most 100,000 points") {
    const auto swept = [](size_t one, size_t other) {
        const auto list = [](size_t count) {
            Json values = Json::array();
            for (size_t i = 1; i <= count; ++i) values.push_back(i);
            return values;
        };
        const Json request = {{"request", {{"model", {{"parameters", 1e9}}}, {"inference", {{"context", 1}}}}},
                              {"over",
                               {{{"field", "inference.context"}, {"values", list(one)}},
                                {{"field", "inference.sequences"}, {"values", list(other)}}}}};
        return Json::parse(engine().sweep(request.dump()));
    };
    CHECK(swept(11, 10).at("bytes").size() == 110);
    const Json reply = swept(1001, 100);
    REQUIRE(reply.contains("error"));
    CHECK(reply.at("error").at("where") == "over");
    CHECK(reply.at("error").at("code") == "out_of_range");
}

}  // namespace plimsoll::test::doors
