// Several devices: unequal ones, groups that share experts or a cache, and which is the fullest.
#include "engine/support.h"

namespace plimsoll::test::devices {

namespace {

Json uneven(const char* runtime) {
    return {{"model", {{"preset", "llama-3-8b"}}},
            {"weights", {{"encoding", "gguf-q8_0"}}},
            {"device", {{{"preset", "rtx-4090"}}, {{"memory_bytes", 8 * 1073741824.0}}}},
            {"inference", {{"runtime", runtime}, {"context", 4096}}}};
}

Json mixture(int tensor, int data, int expert) {
    return {{"model", {{"preset", "mixtral-8x7b"}}},
            {"device", {{"preset", "h100-sxm-80gb"}}},
            {"devices", tensor * data},
            {"parallel", {{"tensor", tensor}, {"data", data}, {"expert", expert}}},
            {"inference", {{"runtime", "vllm"}, {"context", 4096}}}};
}

double bytes_of(const Json& device, const char* id) {
    for (const Json& each : device.at("rows"))
        if (each.at("id") == id) return each.at("bytes").get<double>();
    return 0;
}

}  // namespace

TEST_CASE("llama.cpp gives unequal devices layers by their free memory, and each must fit") {
    const Json reply = ask(uneven("llama.cpp"));
    REQUIRE(reply.at("devices").size() == 2);
    const Json &large = reply.at("devices")[0], &little = reply.at("devices")[1];
    CHECK(bytes_of(large, "kv_cache") > 2 * bytes_of(little, "kv_cache"));
    CHECK(bytes_of(large, "kv_cache") + bytes_of(little, "kv_cache") == 4096.0 * 32 * 8 * 128 * 2 * 2);
    CHECK(little.at("usable_bytes") == 8 * 1073741824.0);
    CHECK(reply.at("total").at("because").contains("share"));
    CHECK(reply.at("fit").at("verdict") == "fits");
    Json even = uneven("llama.cpp");
    even["inference"]["offload"] = {{"tensor_split", {1, 1}}};
    even["device"][1]["memory_bytes"] = 3 * 1073741824.0;
    const Json halves = ask(even);
    CHECK(halves.at("total").at("device") == "device 1");  // not the one with most bytes: the one with least left
    CHECK(halves.at("fit").at("verdict") == "too large");
    even["inference"]["offload"] = {{"tensor_split", {1}}};
    CHECK(refuse(even.dump()).at("where") == "inference.offload.tensor_split");
}

namespace {

Json in_order(double memory, int devices) {
    Json request = {{"model", {{"config", small_llama()}}},
                    {"devices", devices},
                    {"inference", {{"runtime", "transformers"}, {"context", 64}, {"prompt", 1}}}};
    if (memory > 0) request["device"] = {{"memory_bytes", memory}};
    return request;
}

double sum_of(const Json& reply, const char* id) {
    double sum = 0;
    for (const Json& device : reply.at("devices")) sum += bytes_of(device, id);
    return sum;
}

}  // namespace

TEST_CASE("transformers puts layers on its devices in order, the first with room for what is largest behind them") {
    Json request = {{"model", {{"preset", "llama-3-8b"}}},
                    {"device", {{"preset", "rtx-4090"}}},
                    {"devices", 2},
                    {"inference", {{"runtime", "transformers"}, {"context", 4096}}}};
    const Json reply = ask(request);
    REQUIRE(reply.at("devices").size() == 2);
    const Json &first = reply.at("devices")[0], &second = reply.at("devices")[1];
    // accelerate: an even share is 8,030,261,248 bytes and 1.25 layers of 436,224,000 more; of it the embedding takes
    // 1,050,673,152, as much is kept free for the head, and 14 layers fit into the rest
    CHECK(bytes_of(first, "weights") == 1050673152.0 + 14 * 436224000.0);
    CHECK(bytes_of(second, "weights") == 18 * 436224000.0 + 4096 * 2 + 1050673152.0);
    CHECK(bytes_of(first, "kv_cache") == 14 * 4096.0 * 2 * 8 * 128 * 2);
    CHECK(bytes_of(second, "kv_cache") == 18 * 4096.0 * 2 * 8 * 128 * 2);
    request["devices"] = 1;
    const Json one = ask(request);
    CHECK(sum_of(reply, "weights") == row(one, "weights").at("bytes").get<double>());
    CHECK(sum_of(reply, "kv_cache") == row(one, "kv_cache").at("bytes").get<double>());
}

TEST_CASE("unequal devices take by their memory, and what fits on none lies in the host's") {
    Json request = {{"model", {{"preset", "llama-3-8b"}}},
                    {"device", {{{"preset", "rtx-4090"}}, {{"memory_bytes", 6 * 1073741824.0}}}},
                    {"inference", {{"runtime", "transformers"}, {"context", 4096}}}};
    const Json reply = ask(request);
    CHECK(bytes_of(reply.at("devices")[0], "weights") == 1050673152.0 + 14 * 436224000.0);
    const double second = bytes_of(reply.at("devices")[1], "weights");
    CHECK(second < 6 * 1073741824.0);
    const double away = 16060522496.0 - bytes_of(reply.at("devices")[0], "weights") - second;
    CHECK(bytes_of(reply.at("host"), "weights") == away);
    // computed on the first device: so is what they keep
    const double kept = 32 * 4096.0 * 2 * 8 * 128 * 2;
    CHECK(bytes_of(reply.at("devices")[0], "kv_cache") + bytes_of(reply.at("devices")[1], "kv_cache") == kept);
    CHECK(bytes_of(reply.at("devices")[0], "loading") == 128256.0 * 4096 * 2);
}

TEST_CASE("a number of parameters has no layers that could go to devices in order") {
    Json request = in_order(0, 2);
    CHECK(ask(request).at("devices").size() == 2);
    request["model"] = {{"parameters", 8e9}};
    CHECK(refuse(request.dump()).at("where") == "model");
}

TEST_CASE("servers take the smallest of unequal devices, and one device alone runs MLX") {
    Json request = uneven("vllm");
    request.erase("weights");
    const Json reply = ask(request);
    CHECK(reply.at("fit").at("usable_bytes") == 8 * 1073741824.0);
    bool told = false;
    for (const Json& note : reply.at("notes")) told = told || note.at("code") == "smallest_device";
    CHECK(told);
    request["inference"]["runtime"] = "mlx";
    CHECK(refuse(request.dump()).at("where") == "device");
    request["device"] = Json::array();
    CHECK(refuse(request.dump()).at("where") == "device");
}

TEST_CASE("routed experts are divided by width over all devices, or whole over groups") {
    const auto experts = [](int tensor, int data, int expert) {
        return row(ask(mixture(tensor, data, expert)), "weights/experts").at("bytes").get<double>();
    };
    const double all = experts(1, 1, 1);
    CHECK(experts(2, 1, 1) == all / 2);
    CHECK(experts(2, 2, 1) == all / 4);  // vLLM: copies of the model share the experts
    CHECK(experts(2, 2, 4) == all / 4);
    CHECK(experts(2, 1, 2) == all / 2);
    CHECK(row(ask(mixture(1, 2, 2)), "weights/attention") == row(ask(mixture(1, 1, 1)), "weights/attention"));
    CHECK(refuse(mixture(2, 2, 2).dump()).at("where") == "parallel.expert");
    CHECK(refuse(mixture(16, 1, 16).dump()).at("where") == "parallel.expert");
}

TEST_CASE("devices share a sequence's tokens where they hold the same heads") {
    Json request = mixture(16, 1, 1);
    request["model"] = {{"preset", "llama-3-8b"}};
    const double whole = row(ask(request), "kv_cache").at("bytes").get<double>();
    request["parallel"]["context"] = 2;
    CHECK(row(ask(request), "kv_cache").at("bytes").get<double>() == whole / 2);
    request["parallel"]["context"] = 4;
    CHECK(refuse(request.dump()).at("where") == "parallel.context");
    request["parallel"]["context"] = 3;
    CHECK(refuse(request.dump()).at("where") == "parallel.context");
}

TEST_CASE("the fullest stage says what it has most of") {
    Json request = {{"model", {{"preset", "llama-3-8b"}}},
                    {"device", {{"preset", "h100-sxm-80gb"}}},
                    {"devices", 3},
                    {"parallel", {{"tensor", 1}, {"pipeline", 3}}},
                    {"inference", {{"runtime", "vllm"}, {"context", 4096}}}};
    const Json because = ask(request).at("total").at("because");
    CHECK(because.at("row") == "weights");  // the vocabulary matrix, in the last stage alone
    CHECK(because.at("more_bytes").get<double>() > 0);
}

TEST_CASE("where layers cannot be put on devices one by one, the reason is said at its field") {
    const auto refused = [](Json model, double devices) {
        const Json request{{"model", std::move(model)},
                           {"devices", devices},
                           {"inference", {{"runtime", "transformers"}, {"context", 512}}}};
        return refuse(request.dump()).at("where").get<std::string>();
    };
    CHECK(refused({{"parameters", 7e9}}, 2) == "model");
    CHECK(refused({{"preset", "llama-3-8b"}}, 65) == "devices");
    Json stored{{"config", small_llama()}};
    stored["tensors"] = {{{"part", "language"},
                          {"type", "BF16"},
                          {"purpose", "parameter"},
                          {"count", 9},
                          {"parameters", 2e6},
                          {"bytes", 4e6}}};
    CHECK(refused(stored, 2) == "model.tensors");
}

}  // namespace plimsoll::test::devices
