#include "engine/support.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace plimsoll::test {

std::string read(const std::string& path) {
    std::ifstream file(std::string(PLIMSOLL_SOURCE_DIR) + "/" + path, std::ios::binary);
    INFO("file " << path);
    REQUIRE(file.good());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

const Engine& engine() {
    static const Engine instance = [] {
        Engine made;
        const auto provide = [&made](const std::string& kind, std::initializer_list<const char*> ids) {
            std::string list;
            for (const char* id : ids) list += (list.empty() ? "" : ",") + read("presets/" + kind + "/" + id + ".json");
            const Json reply = Json::parse(made.provide("{\"" + kind + "\":[" + list + "]}"));
            INFO(reply.dump());
            REQUIRE(reply.contains("provided"));
        };
        provide("devices", {"h100-sxm-80gb", "rtx-4090", "a100-sxm-80gb", "m2-max-96gb", "mi300x", "tpu-v5e",
                            "trainium2", "b200", "dgx-spark", "rtx-5090", "h200-sxm-141gb", "a100-sxm-40gb", "rtx-3090",
                            "l40s", "t4", "radeon-ai-pro-r9700"});
        for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/encodings"))
            provide("encodings", {entry.path().stem().string().c_str()});
        for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/optimizers"))
            provide("optimizers", {entry.path().stem().string().c_str()});
        for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/runtimes"))
            provide("runtimes", {entry.path().stem().string().c_str()});
        for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/trainers"))
            provide("trainers", {entry.path().stem().string().c_str()});
        for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/bands"))
            provide("bands", {entry.path().stem().string().c_str()});
        for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/speeds"))
            provide("speeds", {entry.path().stem().string().c_str()});
        provide("models", {"llama-3-70b-instruct",
                           "llama-3-8b",
                           "mistral-7b-v0.1",
                           "mixtral-8x7b",
                           "phi-2",
                           "phi-3-mini-4k",
                           "qwen2-72b",
                           "gemma-2b",
                           "gemma-2-27b",
                           "gpt2",
                           "llama-3.1-8b",
                           "llama-3.2-1b",
                           "qwen3-8b",
                           "qwen3-30b-a3b",
                           "gemma-2-9b",
                           "gemma-3-1b",
                           "gemma-3-12b",
                           "gemma-3-27b",
                           "gemma-4-26b-a4b",
                           "llama-2-7b",
                           "qwen1.5-moe-a2.7b",
                           "qwen2.5-0.5b",
                           "deepseek-v2-lite",
                           "falcon-h1-0.5b",
                           "qwen2.5-7b",
                           "qwen2.5-vl-7b",
                           "modernbert-base",
                           "gpt-oss-120b",
                           "gpt-oss-20b",
                           "llama-4-scout",
                           "nemotron-3-super-120b-a12b",
                           "qwen3.6-35b-a3b",
                           "qwen3.5-9b",
                           "glm-5",
                           "deepseek-v4-flash",
                           "gemma-3-4b",
                           "gemma-4-e4b",
                           "llama-3.2-11b-vision",
                           "kimi-k2.5"});
        return made;
    }();
    return instance;
}

Json ask(const Json& request) {
    Json reply = Json::parse(engine().estimate(request.dump()));
    INFO(request.dump() << "\n" << reply.dump());
    REQUIRE_FALSE(reply.contains("error"));
    return reply;
}

Json refuse(const std::string& request) {
    Json reply = Json::parse(engine().estimate(request));
    INFO(request.substr(0, 500) << "\n" << reply.dump());
    REQUIRE(reply.contains("error"));
    for (const char* part : {"code", "what", "hint"}) CHECK_FALSE(reply["error"][part].get<std::string>().empty());
    return reply["error"];
}

const Json& row(const Json& reply, const std::string& path) {
    const size_t dot = path.find('/');
    const std::string head = path.substr(0, dot);
    for (const Json& candidate : reply.at("rows"))
        if (candidate.at("id") == head)
            return dot == std::string::npos ? candidate : row(candidate, path.substr(dot + 1));
    FAIL("no row " << path << " in " << reply.dump());
    return reply;
}

Json small_llama() {
    return {{"model_type", "llama"},    {"hidden_size", 256},       {"num_attention_heads", 8},
            {"num_key_value_heads", 2}, {"intermediate_size", 704}, {"num_hidden_layers", 3},
            {"vocab_size", 1000}};
}

namespace {

// What is held beside a model, and what several devices share.
void add_companions(std::vector<Json>& requests) {
    const Json small{{"config", small_llama()}};
    const auto add = [&requests](const char* runtime, Json inference, const Json& more = Json::object()) {
        inference["runtime"] = runtime;
        inference["context"] = 1000;
        inference["sequences"] = 3;
        Json request = {{"task", "inference"},
                        {"model", {{"preset", "mixtral-8x7b"}}},
                        {"device", {{"preset", "h100-sxm-80gb"}}},
                        {"inference", inference}};
        request.merge_patch(more);
        requests.push_back(request);
    };
    const Json gguf{{"weights", {{"encoding", "gguf-q4_k_m"}}}};
    const Json lora{{"max_loras", 3}, {"max_lora_rank", 8}};
    for (const char* runtime : {"transformers", "vllm", "sglang"})
        add(runtime, {{"draft", {{"model", small}}}, {"lora", lora}, {"beams", 2}, {"prompt", 500}});
    add("transformers", {{"cache", "static"}, {"prompt", 200}});
    add("vllm", {{"draft", {{"kind", "eagle3"}, {"model", small}}}, {"shared_prefix", 700}},
        {{"model", {{"preset", nullptr}, {"config", small_llama()}}}});
    add("vllm", {{"lora", lora}, {"offload", {{"weights_bytes", 1e9}, {"kv_host_bytes", 1e9}}}},
        {{"devices", 4}, {"parallel", {{"tensor", 2}, {"data", 2}, {"expert", 4}}}});
    add("vllm", {{"draft", {{"model", small}}}}, {{"devices", 2}, {"parallel", {{"tensor", 1}, {"pipeline", 2}}}});
    add("llama.cpp", {{"draft", {{"model", small}}}, {"lora", lora}}, gguf);
    add("llama.cpp", {{"offload", {{"gpu_layers", 9}, {"tensor_split", {3, 1}}}}},
        {{"weights", gguf.at("weights")}, {"device", {{{"preset", "rtx-4090"}}, {{"preset", "a100-sxm-80gb"}}}}});
}

}  // namespace

Json small_latents(const char* type) {
    Json config = small_llama();
    config.merge_patch({{"model_type", type},
                        {"num_attention_heads", 8},
                        {"num_key_value_heads", 8},
                        {"kv_lora_rank", 64},
                        {"q_lora_rank", 96},
                        {"qk_rope_head_dim", 16},
                        {"qk_nope_head_dim", 32},
                        {"v_head_dim", 32},
                        {"n_routed_experts", 8},
                        {"num_experts_per_tok", 2},
                        {"n_shared_experts", 1},
                        {"moe_intermediate_size", 64},
                        {"first_k_dense_replace", 1},
                        {"num_nextn_predict_layers", 0}});
    config.erase("architectures");
    return config;
}

std::vector<Json> varied_requests() {
    std::vector<Json> requests;
    for (const char* model : {"llama-3-8b", "mistral-7b-v0.1", "mixtral-8x7b", "phi-2", "phi-3-mini-4k", "qwen2-72b",
                              "gemma-2b", "gemma-2-27b", "gpt2"}) {
        for (const char* encoding : {"fp32", "bf16", "int4"})
            for (const bool flash : {true, false})
                requests.push_back({{"task", "inference"},
                                    {"model", {{"preset", model}}},
                                    {"weights", {{"encoding", encoding}}},
                                    {"device", {{"preset", "rtx-4090"}}},
                                    {"inference",
                                     {{"context", 777},
                                      {"prompt", 555},
                                      {"sequences", 3},
                                      {"replicas", 2},
                                      {"flash_attention", flash},
                                      {"logits", flash ? "last" : "all"}}}});
        for (const char* precision : {"fp32", "bf16", "bf16-mixed", "bf16-autocast"})
            for (const char* attention : {"eager", "flash"})
                for (const char* checkpointing : {"none", "full"})
                    requests.push_back({{"task", "training"},
                                        {"model", {{"preset", model}}},
                                        {"device", {{"preset", "h100-sxm-80gb"}}},
                                        {"training",
                                         {{"precision", precision},
                                          {"attention", attention},
                                          {"checkpointing", checkpointing},
                                          {"optimizer", attention[0] == 'e' ? "adamw" : "adamw-8bit"},
                                          {"micro_batch", 3},
                                          {"sequence", 500},
                                          {"accumulation", checkpointing[0] == 'n' ? 1 : 4},
                                          {"dropout", attention[0] == 'e' ? 0.1 : 0.0}}}});
    }
    for (const char* objective : {"grpo", "ppo"})
        for (const char* runtime : {"transformers", "vllm"})
            requests.push_back({{"task", "training"},
                                {"model", {{"preset", "llama-3-8b"}}},
                                {"device", {{"preset", "h100-sxm-80gb"}}},
                                {"devices", 4},
                                {"parallel", {{"framework", "deepspeed"}, {"zero", 3}}},
                                {"training",
                                 {{"objective", objective},
                                  {"beta", 0.1},
                                  {"accumulation", 2},
                                  {"models", {{"reference", {{"offload", "cpu"}}}}},
                                  {"rollout", {{"runtime", runtime}}}}}});
    requests.push_back({{"task", "training"},
                        {"model", {{"preset", "llama-3-8b"}}},
                        {"training", {{"method", "freeze"}, {"trainable_percent", 12.5}}}});
    for (const char* model : {"llama-3-8b", "mixtral-8x7b", "phi-3-mini-4k"})
        requests.push_back({{"task", "training"},
                            {"model", {{"preset", model}}},
                            {"training",
                             {{"method", "lora"},
                              {"optimizer", "adamw-8bit"},
                              {"lora", {{"rank", 4}, {"targets", "all-linear"}, {"dropout", 0.05}}}}}});
    requests.push_back(
        {{"task", "classic"}, {"model", {{"preset", "llama-3-70b-instruct"}}}, {"training", Json::object()}});
    requests.push_back(
        {{"task", "inference"},
         {"model",
          {{"parameters", 7e9}, {"hidden_size", 4096}, {"num_hidden_layers", 32}, {"num_attention_heads", 32}}},
         {"inference", {{"context", 100}}}});
    add_companions(requests);
    std::vector<Json> taken;
    for (size_t at = 0; at < requests.size(); at += one_of) taken.push_back(requests[at]);
    return taken;
}

}  // namespace plimsoll::test
