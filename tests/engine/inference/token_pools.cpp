// SGLang: the share it claims by release, and the pools in which every layer has a place for each token.
#include <algorithm>
#include <cmath>

#include "engine/support.h"

namespace plimsoll::test::token_pools {

namespace {

Json served(const Json& model, const Json& inference = Json::object(), const Json& more = Json::object()) {
    Json request = {{"model", model},
                    {"device", {{"preset", "h100-sxm-80gb"}}},
                    {"inference", {{"runtime", "sglang"}, {"context", 8192}}}};
    request["inference"].merge_patch(inference);
    request.merge_patch(more);
    return request;
}

Json preset(const char* id) { return {{"preset", id}}; }
Json tensor(int degree) { return {{"devices", degree}, {"parallel", {{"tensor", degree}}}}; }

double share(const Json& request) {
    const Json reply = ask(request);
    for (const Json& assumed : reply.at("assumptions"))
        if (assumed.at("field") == "inference.memory_fraction") return assumed.at("value").get<double>();
    return 0;
}

double bytes(const Json& reply, const std::string& path) { return row(reply, path).at("bytes").get<double>(); }
double capacity(const Json& reply, const char* key) { return reply.at("capacity").at(key).get<double>(); }

// What the claimed share leaves beside the rows that are named as taken of it.
double left(const Json& reply) {
    double left = reply.at("total").at("claimed").get<double>();
    for (const Json& path : reply.at("capacity").at("beside")) {
        std::string name = path.get<std::string>();
        std::replace(name.begin(), name.end(), '.', '/');
        left -= bytes(reply, name);
    }
    return left;
}

}  // namespace

TEST_CASE("SGLang's share by release, as its logs of an H100 print it") {
    const Json llama = preset("llama-3.1-8b");
    const auto of = [&](const char* release, const Json& more = Json::object()) {
        return share(served(llama, {{"release", release}}, more));
    };
    CHECK(of("0.4.1") == Approx(0.88));
    CHECK(of("0.4.1", tensor(8)) == Approx(0.81));
    CHECK(of("0.5.1") == Approx(0.874));  // (9.5 + 1/2) GiB of 81,559 MiB
    CHECK(share(served(llama, {{"release", "0.5.1"}, {"draft", {{"kind", "eagle3"}}}})) == Approx(0.849));
    CHECK(of("0.5.7") == Approx(0.835));                                     // 512 + 8192 · 1.5 + 256 · 2 + 128 MiB
    CHECK(of("0.5.10") == Approx(0.83));                                     // and 8 MiB for each of 58 prefill graphs
    CHECK(of("0.5.13", tensor(2)) == Approx(0.828));                         // sgl-project/sglang issue 29092
    CHECK(share(served(llama)) == Approx(0.83));                             // today's
    CHECK(share(served(llama, {{"batch_tokens", 2048}})) == Approx(0.874));  // ten gibibytes at least
    const Json h200{{"device", {{"preset", "h200-sxm-141gb"}}}};
    CHECK(of("0.5.7", h200) == Approx(0.907));
}

TEST_CASE("a model with a tower gets less of it: by the tower's size, and before by a factor, said or not") {
    const Json model = preset("qwen2.5-vl-7b");
    CHECK(share(served(model, {{"release", "0.5.1"}})) == Approx(0.783595625).epsilon(1e-12));  // as 0.5.1 prints it
    const Json mi300x{{"device", {{"preset", "mi300x"}}}};
    const double kimi = share(served(preset("kimi-k2.5"), {{"release", "0.5.8"}}, mi300x)),
                 text = share(served(preset("llama-3.1-8b"), {{"release", "0.5.8"}}, mi300x));
    const double size = 27.0 * 1152 * 1152 / (24.0 * 1024 * 1024);
    CHECK(kimi == Approx(text * 0.95 * (1.1 - 0.1 * size)));  // 0.910 of it, as a log shows
    CHECK(share(served(model, {{"release", "0.4.4"}})) == Approx(0.88 * 0.95));
    CHECK(share(served(model, {{"release", "0.4.4"}, {"memory_fraction", 0.5}})) == Approx(0.5 * 0.95));
    CHECK(share(served(model, {{"release", "0.5.1"}, {"memory_fraction", 0.5}})) == 0);  // said, and kept
}

TEST_CASE("layers that attend to an image hold all tokens, and the image's") {
    const Json reply = ask(served(preset("llama-3.2-11b-vision"), {{"release", "0.4.1"}, {"memory_fraction", 0.88}}));
    const double token = 40 * 2 * 8 * 128 * 2, image = 4 * 1601;
    CHECK(bytes(reply, "kv_cache") == (8192 + image) * token);
    CHECK(capacity(reply, "kv_tokens") == std::floor(capacity(reply, "bytes") / token));
}

TEST_CASE("beside an indexer: latents with scales, and its key in 8 bits whole on each device") {
    for (const char* runtime : {"sglang", "vllm"})
        for (const int degree : {1, 8}) {
            Json request = served(preset("glm-5"), {{"runtime", runtime}, {"kv_encoding", "fp8"}}, tensor(degree));
            const Json reply = ask(request);
            CHECK(bytes(reply, "kv_cache/latents") == 8192.0 * 78 * (512 + 16 + 128));  // 61,464 a token, as logged
            CHECK(bytes(reply, "kv_cache/keys") == 8192.0 * 78 * (128 + 4));
            request["inference"]["kv_encoding"] = "bf16";
            CHECK(bytes(ask(request), "kv_cache/latents") == 8192.0 * 78 * 2 * 576);
            CHECK(bytes(ask(request), "kv_cache/keys") == 8192.0 * 78 * (128 + 4));
        }
}

TEST_CASE("windows have a pool of their own in the classes that are listed, elsewhere they hold all tokens") {
    const Json gemma = ask(served(preset("gemma-3-4b")));
    const double gemma_token = 34 * 2 * 4 * 256 * 2;
    CHECK(bytes(gemma, "kv_cache") == 8192 * gemma_token);
    CHECK(capacity(gemma, "kv_tokens") == std::floor(capacity(gemma, "bytes") / gemma_token));
    const Json oss = ask(served(preset("gpt-oss-20b")));
    const double layer = 2 * 8 * 64 * 2, token = 12 * layer + 0.8 * 12 * layer;
    CHECK(capacity(oss, "kv_tokens") == std::floor(capacity(oss, "bytes") / token));
    CHECK(capacity(oss, "sequences") == Approx(capacity(oss, "kv_tokens") / 8192).epsilon(1e-4));
    const Json borrowing = ask(served(preset("gemma-4-e4b")));  // 18 layers read others' keys: 35 and 7 have a pool
    const double sliding = 35 * 2 * 2 * 256 * 2, full = 7 * 2 * 2 * 512 * 2;
    CHECK(capacity(borrowing, "kv_tokens") == std::floor(capacity(borrowing, "bytes") / (full + 0.8 * sliding)));
    const Json brief = ask(served(preset("gpt-oss-20b"), {{"context", 64}}));
    CHECK(capacity(brief, "sequences") == Approx(capacity(brief, "kv_tokens") * 0.8 / 64).epsilon(1e-4));
}

TEST_CASE("states take nine tenths of what tokens get, in whole slots, of which a sequence takes three") {
    const Json reply = ask(served(preset("qwen3.5-9b"), Json::object(), tensor(2)));
    const double slot = bytes(reply, "state"), token = bytes(reply, "kv_cache") / 8192;
    const double slots = std::floor(left(reply) * 0.9 / 1.9 / slot);
    CHECK(slot == Approx((0.10 + 4.38) / 187 * 1073741824).epsilon(0.003));  // a log of 0.5.9: 186 and one
    CHECK(capacity(reply, "bytes") == Approx(left(reply) - slots * slot).margin(2));
    CHECK(capacity(reply, "kv_tokens") == std::floor(capacity(reply, "bytes") / token));
    CHECK(capacity(reply, "sequences") <= std::floor(slots / 3));
    const Json many = ask(served(preset("qwen3.5-9b"), {{"context", 128}}, tensor(2)));
    CHECK(capacity(many, "sequences") == std::floor(slots / 3));
}

TEST_CASE("entries that stand for many tokens, and the rings of what goes into them") {
    const Json reply = ask(served(preset("deepseek-v4-flash"), {{"memory_fraction", 0.88}}, tensor(8)));
    const double windows = 0.1 * 584 * 44, sparse = 21 * (584 / 4.0 + 132 / 4.0 + 0.1 / 16 * (8192 + 2048));
    const double token = windows + sparse + 20 * (584 / 128.0 + 0.1 * 4096);
    CHECK(token == Approx(15955.85).margin(0.005));  // as SGLang prints it
    CHECK(capacity(reply, "kv_tokens") == std::floor(capacity(reply, "bytes") / token));
}

TEST_CASE("a draft lies beyond the share in earlier releases: first all of it, then its weights") {
    const Json llama = preset("llama-3.1-8b");
    const auto with = [&](const char* release, bool drafts) {
        Json inference{{"release", release}, {"memory_fraction", 0.7}};
        if (drafts) inference["draft"] = {{"kind", "eagle3"}};
        return ask(served(llama, inference));
    };
    const double token = 32 * 2 * 8 * 128 * 2, drafted = token / 32;
    const Json alone = with("0.5.1", false), before = with("0.5.1", true), cache = with("0.5.13", true);
    CHECK(capacity(before, "kv_tokens") == capacity(alone, "kv_tokens"));
    const double beyond = bytes(before, "draft/weights") + capacity(before, "kv_tokens") * drafted;
    CHECK(before.at("total").at("claimed").get<double>() ==
          Approx(alone.at("total").at("claimed").get<double>() + beyond).margin(2));
    CHECK(capacity(cache, "kv_tokens") == std::floor(capacity(cache, "bytes") / (token + drafted)));
    const Json today = with("0.5.20", true), alone_today = with("0.5.20", false);
    CHECK(capacity(cache, "bytes") == capacity(alone_today, "bytes"));
    CHECK(capacity(today, "bytes") == Approx(capacity(alone_today, "bytes") - bytes(today, "draft/weights")).margin(2));
}

}  // namespace plimsoll::test::token_pools
