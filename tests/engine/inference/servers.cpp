// Servers that hold keys and values in pages: shares of devices, what is whole on each of them, and what the cache
// holds.
#include <cmath>

#include "engine/support.h"

namespace plimsoll::test::servers {

namespace {

Json served(const char* runtime, const Json& model, const Json& more = Json::object()) {
    Json request = {{"model", model},
                    {"device", {{"preset", "h100-sxm-80gb"}}},
                    {"inference", {{"runtime", runtime}, {"context", 8192}}}};
    request.merge_patch(more);
    return request;
}

Json parallel(int tensor, int pipeline = 1) {
    return {{"devices", tensor * pipeline}, {"parallel", {{"tensor", tensor}, {"pipeline", pipeline}}}};
}

const Json llama{{"preset", "llama-3-8b"}};

double bytes(const Json& reply, const std::string& path) { return row(reply, path).at("bytes").get<double>(); }

}  // namespace

TEST_CASE("a page is a number of tokens: vLLM's cache holds what its log says of the same memory") {
    // Llama-3.1-8B on an H100, October 2026: 56.21 GiB, 460,496 tokens
    const Json reply = ask(served("vllm", llama));
    const Json& capacity = reply.at("capacity");
    const double tokens = capacity.at("kv_tokens").get<double>(), held = capacity.at("bytes").get<double>();
    CHECK(tokens / held * 56.21 * 1073741824 == Approx(460496).epsilon(0.001));
    CHECK(static_cast<int>(tokens) % 16 == 0);
    CHECK(reply.at("total").at("claimed").get<double>() < reply.at("fit").at("usable_bytes").get<double>());
    CHECK(bytes(reply, "kv_cache") == 8192.0 * 32 * 8 * 128 * 2 * 2);
}

TEST_CASE("one token more is one page more") {
    Json request = served("vllm", llama, {{"inference", {{"context", 16}}}});
    const double one = bytes(ask(request), "kv_cache");
    request["inference"]["context"] = 17;
    CHECK(bytes(ask(request), "kv_cache") == 2 * one);
    request["inference"]["runtime"] = "sglang";
    CHECK(bytes(ask(request), "kv_cache") == one / 16 * 17);
}

TEST_CASE("key-value heads are divided until each device has one") {
    const double whole = bytes(ask(served("vllm", llama)), "kv_cache");
    CHECK(bytes(ask(served("vllm", llama, parallel(8))), "kv_cache") == whole / 8);
    CHECK(bytes(ask(served("vllm", llama, parallel(16))), "kv_cache") == whole / 8);
    CHECK(refuse(served("vllm", llama, parallel(3)).dump()).at("where") == "parallel.tensor");
    CHECK(refuse(served("vllm", llama, parallel(1, 33)).dump()).at("where") == "parallel.pipeline");
    Json uneven = served("vllm", llama, parallel(2));
    uneven["devices"] = 3;
    CHECK(refuse(uneven.dump()).at("where") == "parallel.tensor");
}

TEST_CASE("latents are whole on every device") {
    const Json model{{"config", small_latents()}};
    const double one = bytes(ask(served("vllm", model)), "kv_cache");
    CHECK(one > 0);
    CHECK(bytes(ask(served("vllm", model, parallel(4))), "kv_cache") == one);
}

TEST_CASE("shards of a model sum to it, but for what every device holds and the padded vocabulary") {
    Json config = small_llama();
    const double vocabulary = config.at("vocab_size").get<double>(), hidden = config.at("hidden_size").get<double>();
    const Json one = ask(served("vllm", {{"config", config}}));
    const Json two = ask(served("vllm", {{"config", config}}, parallel(2)));
    for (const char* part : {"weights/attention", "weights/feed_forward"})
        CHECK(2 * bytes(two, part) == bytes(one, part));
    CHECK(bytes(two, "weights/norm") == bytes(one, "weights/norm"));
    const double padded = 64 * std::ceil(vocabulary / 64) * hidden * 2;
    CHECK(bytes(one, "weights/embedding") == padded);
    CHECK(bytes(two, "weights/embedding") == padded / 2);
}

TEST_CASE("the first stage has the embedding, the last the head, and together they have all layers") {
    const Json whole = ask(served("vllm", llama));
    const Json staged = ask(served("vllm", llama, parallel(1, 3)));
    REQUIRE(staged.at("devices").size() == 3);
    double weights = 0, cache = 0;
    for (const Json& device : staged.at("devices"))
        for (const Json& each : device.at("rows")) {
            if (each.at("id") == "weights") weights += each.at("bytes").get<double>();
            if (each.at("id") == "kv_cache") cache += each.at("bytes").get<double>();
        }
    CHECK(weights - 2 * bytes(whole, "weights/rotary_tables") == bytes(whole, "weights"));  // each stage has its own
    CHECK(cache == bytes(whole, "kv_cache"));
}

TEST_CASE("weights of which only the sum is known are all there, on device and host, whatever the runtime") {
    const Json typed{
        {"parameters", 7e9}, {"hidden_size", 4096}, {"num_hidden_layers", 32}, {"num_attention_heads", 32}};
    CHECK(bytes(ask(served("vllm", typed)), "weights") == 14e9);
    CHECK(bytes(ask(served("sglang", typed, parallel(2, 2))), "weights") == 3.5e9);
    Json stored{{"config", small_llama()}};
    stored["tensors"] = {{{"part", "language"},
                          {"type", "Q4_K"},
                          {"purpose", "parameter"},
                          {"count", 9},
                          {"parameters", 2e6},
                          {"bytes", 1125000}}};
    CHECK(bytes(ask(served("vllm", stored)), "weights") == 1125000);
    for (const int layers : {0, 2, 100}) {
        const Json split = ask(served("llama.cpp", stored, {{"inference", {{"offload", {{"gpu_layers", layers}}}}}}));
        double sum = 0;
        for (const Json* rows : {&split.at("rows"), &split.at("host").at("rows")})
            for (const Json& each : *rows)
                if (each.at("id") == "weights") sum += each.at("bytes").get<double>();
        CHECK(sum == Approx(1125000).margin(2));
    }
}

TEST_CASE("what vLLM measures before it starts: a layer over a batch, or the sampler over all sequences") {
    // logs: 0.6.4 with 20,000 and 29,000 tokens, 0.6.6 with 16 sequences, 0.6 with 256 and with 2048
    const auto step = [](const Json& model, const char* release, int context, int sequences) {
        const Json reply = ask(
            served("vllm", model,
                   {{"device", {{"preset", nullptr}, {"memory_bytes", 85e9}}},
                    {"inference", {{"release", release}, {"context", context}, {"sequences_at_once", sequences}}}}));
        double sum = 0;
        for (const Json& each : reply.at("rows"))
            if (each.at("id") == "activations" || each.at("id") == "logits") sum += each.at("bytes").get<double>();
        return (sum + 8519680) / 1073741824;
    };
    const Json qwen{{"model_type", "qwen2"},       {"architectures", {"Qwen2ForCausalLM"}},
                    {"hidden_size", 3584},         {"num_hidden_layers", 28},
                    {"num_attention_heads", 28},   {"num_key_value_heads", 4},
                    {"intermediate_size", 18944},  {"vocab_size", 152064},
                    {"tie_word_embeddings", false}};
    CHECK(step(llama, "0.6.4", 20000, 256) == Approx(17.06 - 14.9888).margin(0.006));
    CHECK(step(llama, "0.6.4", 29000, 256) == Approx(17.98 - 14.9888).margin(0.006));
    CHECK(step(llama, "0.7.3", 131072, 256) == Approx(1.19).margin(0.006));
    CHECK(step(llama, "0.6.6", 8192, 2048) == Approx(9.37).margin(0.006));
    CHECK(step({{"config", qwen}}, "0.6.6", 8192, 16) == Approx(1.09).margin(0.006));
    CHECK(step(llama, "0.31", 131072, 1024) == Approx(1.44).margin(0.006));
}

TEST_CASE("SGLang sets aside more on larger devices") {
    const auto share = [](double memory) {
        const Json reply = ask(served("sglang", llama, {{"device", {{"preset", nullptr}, {"memory_bytes", memory}}}}));
        for (const Json& assumed : reply.at("assumptions"))
            if (assumed.at("field") == "inference.memory_fraction") return assumed.at("value").get<double>();
        return 0.0;
    };
    const double gib = 1073741824;
    CHECK(share(24 * gib) == Approx(0.704));  // 512 + 6144 + 96 + 128 + 50 prefill graphs of 8, of 24,576 MiB
    CHECK(share(80 * gib) == Approx(0.83));   // 512 + 12288 + 512 + 128 + 58 · 8 of 81,920
    CHECK(share(192 * gib) == Approx(0.864));
}

TEST_CASE("a larger share holds more, and more weights leave less") {
    const auto tokens = [](const Json& reply) { return reply.at("capacity").at("kv_tokens").get<double>(); };
    const double usual = tokens(ask(served("vllm", llama)));
    CHECK(tokens(ask(served("vllm", llama, {{"inference", {{"memory_fraction", 0.5}}}}))) < usual);
    CHECK(tokens(ask(served("vllm", llama, {{"weights", {{"encoding", "fp8"}}}}))) > usual);
    const Json nothing = ask(served("vllm", {{"preset", "llama-3-70b-instruct"}}));
    CHECK(tokens(nothing) == 0);
    CHECK(nothing.at("fit").at("verdict") == "too large");
}

TEST_CASE("an encoder's matrices are divided by tensor parallelism, too") {
    const auto attention = [](int tensor) {
        const Json reply = ask({{"model", {{"preset", "modernbert-base"}}},
                                {"device", {{"preset", "h100-sxm-80gb"}}},
                                {"parallel", {{"tensor", tensor}}},
                                {"inference", {{"runtime", "vllm"}, {"context", 1635}}}});
        for (const Json& part : reply.at("rows").at(0).at("rows"))
            if (part.at("id") == "attention") return part.at("bytes").get<double>();
        return 0.0;
    };
    CHECK(attention(1) == 207618048);
    CHECK(attention(2) == 103809024);
}

TEST_CASE("layers that keep different things share one pool: what vLLM's logs say of hybrids") {
    const auto held = [](const Json& request, double gib) {
        const Json capacity = ask(request).at("capacity");
        return capacity.at("kv_tokens").get<double>() / capacity.at("bytes").get<double>() * gib * 1073741824;
    };
    Json hybrid = {{"model", {{"preset", "qwen3.6-35b-a3b"}}},
                   {"device", {{"preset", "dgx-spark"}}},
                   {"inference", {{"runtime", "vllm"}, {"release", "0.19.2"}, {"context", 131072}}}};
    CHECK(held(hybrid, 47.55) == Approx(18.44 * 131072).epsilon(0.002));
    Json mamba = hybrid;
    mamba["model"]["preset"] = "nemotron-3-super-120b-a12b";
    mamba["inference"]["kv_encoding"] = "fp8";
    mamba["inference"]["draft"] = {{"kind", "mtp"}, {"num_speculative_tokens", 3}};
    mamba["weights"] = {{"encoding", "nvfp4"}};
    CHECK(held(mamba, 36.25) == Approx(27.81 * 131072).epsilon(0.002));
}

TEST_CASE("attention within chunks keeps all tokens in the releases that left the hybrid cache off") {
    const auto tokens = [](const char* release) {  // of a gibibyte: releases leave more or less for the cache
        const Json capacity = ask({{"model", {{"preset", "llama-4-scout"}}},
                                   {"device", {{"preset", "h100-sxm-80gb"}}},
                                   {"devices", 8},
                                   {"parallel", {{"tensor", 8}}},
                                   {"inference", {{"runtime", "vllm"}, {"release", release}, {"context", 131072}}}})
                                  .at("capacity");
        return capacity.at("kv_tokens").get<double>() / capacity.at("bytes").get<double>() * 1073741824;
    };
    CHECK(tokens("0.10.2") < 0.45 * tokens("0.13"));
    CHECK(tokens("0.10") == Approx(tokens("0.13")).epsilon(0.01));
}

TEST_CASE("the stages between the first and the last have no embedding, tied or not") {
    Json config = small_llama();
    config["tie_word_embeddings"] = true;
    config["num_hidden_layers"] = 3;
    const Json reply = ask({{"model", {{"config", config}}},
                            {"devices", 3},
                            {"parallel", {{"pipeline", 3}}},
                            {"inference", {{"runtime", "vllm"}, {"context", 64}}}});
    const auto weights = [&reply](size_t stage) -> double {
        for (const Json& row : reply.at("devices")[stage].at("rows"))
            if (row.at("id") == "weights") return row.at("bytes");
        return 0;
    };
    const double rows =
        64 * std::ceil(config.at("vocab_size").get<double>() / 64);  // vLLM: vocab_parallel_embedding.py
    const double embedding = 2 * rows * config.at("hidden_size").get<double>();
    CHECK(weights(0) - weights(1) == embedding);
    CHECK(weights(2) - weights(1) == Approx(embedding).epsilon(0.001));  // and the last norm
}

}  // namespace plimsoll::test::servers
