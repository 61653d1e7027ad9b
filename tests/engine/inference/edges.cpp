// Where a rule changes: one less and it says the other.
#include "engine/support.h"

namespace plimsoll::test::edges {

namespace {

Json split(const char* device, double batch) {
    return {{"model", {{"preset", "llama-3-8b"}}},
            {"device", {{"preset", device}}},
            {"weights", {{"encoding", "gguf-q4_k_m"}}},
            {"inference",
             {{"context", 4096}, {"runtime", "llama.cpp"}, {"batch_tokens", batch}, {"offload", {{"gpu_layers", 8}}}}}};
}

}  // namespace

TEST_CASE("llama.cpp copies a weight of the host to the device from 32 rows on") {
    const auto computed = [](double batch) {
        return row(ask(split("rtx-4090", batch)), "activations").at("bytes").get<double>();
    };
    // the largest weight of a layer that is copied, 4096 by 14336 in Q6_K, and nothing like it before
    const double copy = 4096.0 * 14336 * 210 / 256;
    CHECK(computed(31) < copy / 4);
    CHECK(computed(32) > copy);
    CHECK(computed(33) - computed(32) < copy / 100);
    CHECK(computed(32) - computed(31) > copy);
}

TEST_CASE("queries, keys and values in one matrix are divided as those in three are") {
    Json apart = small_llama();
    apart.update({{"num_attention_heads", 8}, {"num_key_value_heads", 2}, {"max_position_embeddings", 2048}});
    Json fused = apart;
    fused.update({{"model_type", "phi3"}, {"architectures", {"Phi3ForCausalLM"}}});
    const auto held = [](const Json& config, double devices) {
        const Json reply = ask({{"model", {{"config", config}}},
                                {"device", {{"preset", "h100-sxm-80gb"}}},
                                {"devices", devices},
                                {"inference", {{"runtime", "vllm"}, {"context", 128}}}});
        return row(reply, "weights").at("bytes").get<double>();
    };
    double before = held(apart, 1) * 2;
    for (const double devices : {1.0, 2.0, 4.0, 8.0}) {
        INFO(devices);
        CHECK(held(fused, devices) == held(apart, devices));
        CHECK(held(fused, devices) < before);
        before = held(fused, devices);
    }
}

TEST_CASE("images may fill the context, and not one token more") {
    Json request = {{"model", {{"preset", "qwen2.5-vl-7b"}}},
                    {"inference", {{"context", 200}, {"images", {{"tokens", 100}, {"count", 2}}}}}};
    CHECK_FALSE(Json::parse(engine().estimate(request.dump())).contains("error"));
    request["inference"]["context"] = 199;
    CHECK(refuse(request.dump()).at("where") == "inference.images");
}

TEST_CASE("llama.cpp encodes one image after the other") {
    const auto computed = [](Json inference) {
        inference["runtime"] = "llama.cpp";
        Json request = {{"model", {{"preset", "qwen2.5-vl-7b"}}}, {"device", {{"preset", "h100-sxm-80gb"}}}};
        request["weights"] = {{"encoding", "gguf-q8_0"}};
        request["inference"] = inference;
        return row(ask(request), "activations").at("bytes").get<double>();
    };
    const auto images = [](double count, double width) -> Json {
        return {{"context", 16384}, {"images", {{"count", count}, {"width", width}, {"height", width}}}};
    };
    CHECK(computed(images(4, 1120)) == computed(images(1, 1120)));
}

TEST_CASE("an image's tokens follow its size: a patch more each way, and they are merged by four") {
    const auto assumed = [](double width, double height) {
        const Json reply =
            ask({{"model", {{"preset", "qwen2.5-vl-7b"}}},
                 {"inference", {{"context", 16384}, {"images", {{"width", width}, {"height", height}}}}}});
        for (const Json& each : reply.at("assumptions"))
            if (each.at("field") == "inference.images.tokens") return each.at("value").get<double>();
        return 0.0;
    };
    for (const double across : {4.0, 8.0, 40.0})  // in squares of 28 pixels: two patches of 14 each way
        for (const double down : {4.0, 10.0, 40.0}) CHECK(assumed(28 * across, 28 * down) == across * down);
    CHECK(assumed(280, 560) == assumed(560, 280));
}

TEST_CASE("a GGUF beside a config.json is llama.cpp's, also where no tensor is quantized") {
    Json config = small_llama();
    config["file_format"] = "gguf";
    const Json request = {{"model", {{"config", config}}}, {"inference", {{"context", 512}}}};
    for (const char* type : {"F16", "BF16", "F32"}) {
        Json listed = request;
        listed["model"]["tensors"] = Json::array({{{"part", "language"},
                                                   {"type", type},
                                                   {"purpose", "parameter"},
                                                   {"count", 10},
                                                   {"parameters", 2560},
                                                   {"bytes", type == std::string("F32") ? 10240 : 5120}}});
        const Json reply = ask(listed);
        bool assumed = false;
        for (const Json& each : reply.at("assumptions"))
            assumed = assumed || (each.at("field") == "inference.runtime" && each.at("value") == "llama.cpp");
        INFO(type);
        CHECK(assumed);
    }
}

}  // namespace plimsoll::test::edges
