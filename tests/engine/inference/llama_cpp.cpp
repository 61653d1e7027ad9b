// What llama.cpp reports of its own buffers, to the byte: 2,321 contexts of 33 models, on a GPU, on the CPU and on
// both.
#include <fstream>

#include "engine/support.h"

namespace plimsoll::test::llama_cpp {

namespace {

Json request_for(const Json& row, const Json& config) {
    const Json& settings = row.at("settings");
    const bool unified = settings.value("kv_unified", false), cpu = row.at("backend") == "cpu";
    const int sequences = settings.value("n_seq", 1), total = settings.at("n_ctx").get<int>();
    std::string quant = row.at("quant").get<std::string>();
    for (char& letter : quant) letter = static_cast<char>(std::tolower(letter));
    Json inference = {{"runtime", "llama.cpp"},
                      {"backend", row.at("backend")},
                      {"context", unified ? total : total / sequences},
                      {"sequences", sequences},
                      {"batch_tokens", settings.at("n_ubatch")},
                      {"kv_encoding",
                       {{"k", "gguf-" + settings.value("type_k", std::string("f16"))},
                        {"v", "gguf-" + settings.value("type_v", std::string("f16"))}}},
                      {"flash_attention", settings.value("flash_attn", true)},
                      {"logits", settings.contains("n_outputs_max") ? "last" : "all"},
                      {"kv_unified", unified},
                      {"swa_full", settings.value("swa_full", false)}};
    if (cpu || settings.contains("n_gpu_layers"))
        inference["offload"] = {{"gpu_layers", cpu ? 0 : settings.at("n_gpu_layers").get<int>()}};
    return {{"task", "inference"},
            {"model", {{"config", config}}},
            {"weights", {{"encoding", "gguf-" + quant}}},
            {"inference", inference}};
}

double bytes_at(const Json& rows, const std::string& id, const std::string& child) {
    for (const Json& row : rows)
        if (row.at("id") == id)
            for (const Json& each : row.at("rows"))
                if (each.at("id") == child) return each.at("bytes").get<double>();
    return 0;
}

double reported(const Json& row, bool host, const char* what) {
    double sum = 0;
    for (const auto& [buffer, bytes] : row.at("buffers").items())
        if ((buffer != "Vulkan0") == host) sum += bytes.value(what, 0.0);
    return sum;
}

bool has(const Json& row, const char* artifact) {
    for (const Json& each : row.value("artifact", Json::array()))
        if (each == artifact) return true;
    return false;
}

}  // namespace

TEST_CASE("llama.cpp's model, KV, state and compute buffers, on the device and on the host, to the byte") {
    const Json configs = Json::parse(read("tests/measured/gguf_models.json"));
    std::ifstream rows(PLIMSOLL_SOURCE_DIR "/tests/measured/llama_cpp.jsonl");
    size_t at = 0;
    for (std::string line; std::getline(rows, line); ++at) {
        if (at % one_of != 0) continue;
        const Json row = Json::parse(line);
        const Json reply = ask(request_for(row, configs.at(row.at("config").get<std::string>())));
        INFO(line.substr(0, 400));
        for (const bool host : {false, true}) {
            const Json& ours = host ? reply.at("host").at("rows") : reply.at("rows");
            CHECK(bytes_at(ours, "kv_cache", "kv_buffer") + bytes_at(ours, "state", "rs_buffer") ==
                  reported(row, host, "context"));
            // a device that lacks an operation leaves weights on the host
            if (!has(row, "weights_on_cpu") && !(has(row, "mamba_1_on_cpu") && row.at("backend") != "cpu"))
                CHECK(bytes_at(ours, "weights", "model_buffer") == reported(row, host, "model"));
            const bool split = row.at("settings").contains("n_gpu_layers");
            if (split || (row.contains("artifact") && !(has(row, "mamba_1_on_cpu") && row.at("backend") == "cpu")))
                continue;
            CHECK(bytes_at(ours, "activations", "compute_buffer") == reported(row, host, "compute"));
        }
    }
    CHECK(at == 2377);
}

TEST_CASE("llama.cpp's layers go to devices from the last one back, and the head with them") {
    Json request = {{"model", {{"config", small_llama()}}},
                    {"weights", {{"encoding", "gguf-f16"}}},
                    {"inference", {{"runtime", "llama.cpp"}, {"context", 256}}}};
    const Json whole = ask(request);
    CHECK(bytes_at(whole.at("host").at("rows"), "kv_cache", "kv_buffer") == 0);
    request["inference"]["offload"] = {{"gpu_layers", 0}};
    const Json none = ask(request);
    CHECK(bytes_at(none.at("rows"), "weights", "model_buffer") == 0);
    CHECK(bytes_at(none.at("host").at("rows"), "kv_cache", "kv_buffer") ==
          bytes_at(whole.at("rows"), "kv_cache", "kv_buffer"));
    request["inference"]["offload"] = {{"kv_on_host", true}};
    const Json cache = ask(request);
    CHECK(bytes_at(cache.at("rows"), "kv_cache", "kv_buffer") == 0);
    CHECK(bytes_at(cache.at("rows"), "weights", "model_buffer") ==
          bytes_at(whole.at("rows"), "weights", "model_buffer"));
    request["inference"].erase("offload");
    request["devices"] = 2;
    const Json two = ask(request);
    double sum = 0;
    for (const Json& device : two.at("devices"))
        for (const Json& row : device.at("rows"))
            if (row.at("id") == "kv_cache") sum += row.at("bytes").get<double>();
    CHECK(two.at("devices").size() == 2);
    CHECK(sum == bytes_at(whole.at("rows"), "kv_cache", "kv_buffer"));
}

TEST_CASE("llama.cpp on the processor alone opens no device: nothing of a driver's is there") {
    const auto context = [](const char* backend) {
        const Json reply = ask({{"model", {{"preset", "llama-3-8b"}}},
                                {"weights", {{"encoding", "gguf-q6_k"}}},
                                {"inference", {{"runtime", "llama.cpp"}, {"backend", backend}, {"context", 4096}}}});
        for (const Json& row : reply.at("rows"))
            if (row.at("id") == "device_context") return row.at("bytes").get<double>();
        return 0.0;
    };
    CHECK(context("cpu") == 0);
    CHECK(context("cuda") > 0);
}

TEST_CASE("llama.cpp refuses what it cannot load, and says what it passes over") {
    const Json error = refuse(R"({"model": {"parameters": 7e9, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32}, "weights": {"encoding": "awq-4bit-128g"}, "inference": {"runtime": "llama.cpp"}})");
    CHECK(error.at("where") == "weights.encoding");
    CHECK(error.at("hint").get<std::string>().find("gguf-q4_k_m") != std::string::npos);
}

}  // namespace plimsoll::test::llama_cpp
