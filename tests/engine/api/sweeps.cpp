// A sweep reads its request once and its lengths alone after that: at every point it must say what a single request
// says, whatever the runtime, the model, and the field that moves.
#include "engine/support.h"

namespace plimsoll::test::sweeps {

namespace {

struct Swept {
    const char* name;
    Json request;
};

Json inference(const char* runtime, const char* model, const char* encoding, Json more = Json::object()) {
    Json block = {{"runtime", runtime}, {"context", 6000}, {"sequences", 3}};
    block.update(more);
    return {{"model", {{"preset", model}}},
            {"weights", {{"encoding", encoding}}},
            {"device", {{"preset", "h100-sxm-80gb"}}},
            {"inference", block}};
}

std::vector<Swept> inferences() {
    const Json draft = {{"draft", {{"model", {{"preset", "llama-3.2-1b"}}}}}}, slots = {{"lora", {{"max_loras", 2}}}};
    return {{"grown cache", inference("transformers", "llama-3.1-8b", "bf16")},
            {"windows", inference("transformers", "gemma-3-12b", "bf16")},
            {"latents", inference("transformers", "deepseek-v2-lite", "fp8-block-128")},
            {"state", inference("transformers", "falcon-h1-0.5b", "bf16")},
            {"packed", inference("transformers", "llama-3.1-8b", "nf4", {{"beams", 2}})},
            {"steps of a cache", inference("mlx", "qwen3-8b", "mlx-4bit-64g")},
            {"pages", inference("vllm", "llama-3.1-8b", "bf16", {{"shared_prefix", 100}})},
            {"pages of two kinds", inference("vllm", "gemma-3-12b", "bf16", slots)},
            {"an old release", inference("vllm", "qwen2.5-7b", "bf16", {{"release", "0.6.1"}})},
            {"a share by memory", inference("sglang", "qwen3-30b-a3b", "bf16")},
            {"a share of what is free", inference("tensorrt-llm", "llama-3.1-8b", "bf16")},
            {"cells", inference("llama.cpp", "llama-3.1-8b", "gguf-q4_k_m")},
            {"cells of windows", inference("llama.cpp", "gemma-3-12b", "gguf-q4_0")},
            {"whole windows", inference("llama.cpp", "gemma-3-12b", "gguf-q4_0", {{"swa_full", true}})},
            {"scores", inference("llama.cpp", "gemma-2-9b", "gguf-f16", {{"flash_attention", false}})},
            {"one stream", inference("llama.cpp", "qwen3-30b-a3b", "gguf-q4_k_m",
                                     {{"kv_unified", true}, {"kv_encoding", "gguf-q8_0"}, {"backend", "vulkan"}})},
            {"layers on the host", inference("llama.cpp", "llama-3.1-8b", "gguf-q4_k_m",
                                             {{"offload", {{"gpu_layers", 9}}}, {"logits", "all"}})},
            {"no device", inference("llama.cpp", "deepseek-v2-lite", "gguf-q8_0", {{"backend", "cpu"}})},
            {"a draft model", inference("vllm", "llama-3.1-8b", "bf16", draft)},
            {"a draft's graph", inference("llama.cpp", "llama-3.1-8b", "gguf-q4_k_m", draft)},
            {"images", inference("vllm", "qwen2.5-vl-7b", "bf16", {{"images", {{"tokens", 64}}}})}};
}

Json sweep(const Json& request, const Json& over) {
    return Json::parse(engine().sweep(Json{{"request", request}, {"over", over}}.dump()));
}

// Moves one field through `values`, and asks for each of them alone.
void compare(const Swept& swept, const char* block, const char* field, const std::vector<double>& values) {
    const std::string path = std::string(block) + "." + field;
    INFO(swept.name << ", " << path);
    const Json over = {{{"field", path}, {"values", values}}};
    const Json reply = sweep(swept.request, over);
    INFO(reply.dump().substr(0, 300));
    REQUIRE(reply.contains("bytes"));
    Json request = swept.request;
    for (size_t point = 0; point < values.size(); ++point) {
        request[block][field] = values[point];
        INFO(values[point]);
        const Json single = ask(request);
        CHECK(reply["bytes"][point] == single["total"]["bytes"]);
        Json rows = Json::object();
        for (const Json& row : single["rows"]) rows[row["id"].get<std::string>()] = row["bytes"];
        for (const auto& [id, list] : reply["rows"].items()) CHECK(list[point] == rows.value(id, 0.0));
        for (const auto& [id, bytes] : rows.items()) CHECK(reply["rows"].contains(id));
    }
}

}  // namespace

TEST_CASE("a sweep over lengths says what single requests say, under every runtime") {
    for (const Swept& swept : inferences()) {
        // back and forth, across the padding of cells, windows, and the micro-batch
        compare(swept, "inference", "context",
                {1000, 100, 257, 512, 513, 1024, 1537, 4096, 4097, 5000, 8192, 20000, 40000, 90000, 131072, 3000});
        compare(swept, "inference", "sequences", {1, 2, 4, 3, 7, 64});
        compare(swept, "inference", "replicas", {1, 2});
    }
}

TEST_CASE("a fine sweep over llama.cpp's cells finds each size of its buffers") {
    std::vector<double> contexts;
    for (double context = 256; context < 70000; context += 1024) contexts.push_back(context);
    for (const Swept& swept : inferences())
        if (swept.request["inference"]["runtime"] == "llama.cpp") compare(swept, "inference", "context", contexts);
}

TEST_CASE("a sweep over the other lengths of inference says what single requests say") {
    const Swept transformers{"prompts", inference("transformers", "llama-3.1-8b", "bf16")};
    compare(transformers, "inference", "prompt", {1, 100, 6000});
    const Swept beams{"beams", inference("vllm", "llama-3.1-8b", "bf16", {{"beams", 4}})};
    compare(beams, "inference", "prompt", {1, 100, 6000});
    for (const char* runtime : {"vllm", "sglang", "llama.cpp"}) {
        const Swept swept{runtime, inference(runtime, "llama-3.1-8b", runtime[0] == 'l' ? "gguf-q4_0" : "bf16")};
        compare(swept, "inference", "batch_tokens", {64, 512, 2048, 100});
    }
    const Swept server{"at once", inference("vllm", "llama-3.1-8b", "bf16")};
    compare(server, "inference", "sequences_at_once", {1, 256, 1024});
    compare(server, "inference", "shared_prefix", {0, 17, 4000});
}

TEST_CASE("a sweep over the lengths of training says what single requests say") {
    std::vector<Swept> all;
    for (const char* method : {"full", "lora", "qlora", "freeze"}) {
        const Json training = {{"method", method}, {"sequence", 512}, {"checkpointing", "full"}};
        all.push_back({method, {{"model", {{"preset", "llama-3.1-8b"}}}, {"training", training}}});
    }
    for (const Swept& swept : all) {
        compare(swept, "training", "sequence", {128, 2048, 100, 4096});
        compare(swept, "training", "micro_batch", {1, 2, 16});
        compare(swept, "training", "accumulation", {1, 8, 1});
    }
}

TEST_CASE("a sweep over lengths stops where a single request would be refused") {
    const auto swept = [](const Json& request, const char* field, const Json& values) {
        const Json over = {{{"field", field}, {"values", values}}};
        return sweep(request, over);
    };
    const auto refused = [&](const Json& request, const char* field, const Json& values, const char* where) {
        const Json reply = swept(request, field, values);
        INFO(reply.dump());
        REQUIRE(reply.contains("error"));
        CHECK(reply["error"]["where"] == where);
    };
    const Json usual = inference("transformers", "llama-3.1-8b", "bf16", {{"prompt", 1000}});
    refused(usual, "inference.context", {4096, 0}, "inference.context");
    refused(usual, "inference.context", {4096, "many"}, "inference.context");
    refused(usual, "inference.context", {4096, 1.5}, "inference.context");
    refused(usual, "inference.context", {4096, 999}, "inference.prompt");
    refused(usual, "inference.batch_tokens", {nullptr, 512}, "inference.batch_tokens");
    const Json server = inference("vllm", "llama-3.1-8b", "bf16", {{"shared_prefix", 1000}});
    refused(server, "inference.context", {4096, 999}, "inference.shared_prefix");
    const Json seen = inference("vllm", "qwen2.5-vl-7b", "bf16", {{"images", {{"count", 4}}}});
    refused(seen, "inference.context", {90000, 100}, "inference.images");
    const Json back = swept(usual, "inference.context", {4096, nullptr, 4096});  // null: the default
    CHECK(back["bytes"][0] == back["bytes"][2]);
    CHECK(back["bytes"][0] != back["bytes"][1]);
}

TEST_CASE("a sweep over lengths and what is no length reads anew where it must") {
    const Json request = inference("transformers", "llama-3.1-8b", "bf16");
    const std::vector<const char*> encodings = {"bf16", "nf4", "fp32"}, models = {"llama-3.1-8b", "qwen3-8b"};
    const std::vector<double> contexts = {100, 2000};
    const Json over = {{{"field", "model.preset"}, {"values", models}},
                       {{"field", "inference.context"}, {"values", contexts}},
                       {{"field", "weights.encoding"}, {"values", encodings}},
                       {{"field", "inference.sequences"}, {"values", contexts}}};
    const Json reply = sweep(request, over);
    REQUIRE(reply.contains("bytes"));
    size_t point = 0;
    for (const char* model : models)
        for (const double context : contexts)
            for (const char* encoding : encodings)
                for (const double sequences : contexts) {
                    const Json single = ask(
                        inference("transformers", model, encoding, {{"context", context}, {"sequences", sequences}}));
                    CHECK(reply["bytes"][point++] == single["total"]["bytes"]);
                }
}

}  // namespace plimsoll::test::sweeps
