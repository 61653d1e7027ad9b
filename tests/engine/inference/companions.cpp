// What a runtime holds beside the model: draft models and heads, slots for adapters, projectors; and how sequences
// share a cache.
#include <cmath>

#include "engine/support.h"

namespace plimsoll::test::companions {

namespace {

Json asked(const char* runtime, const Json& model, const Json& inference = Json::object(),
           const Json& more = Json::object()) {
    Json request = {{"model", model}, {"device", {{"preset", "h100-sxm-80gb"}}}, {"inference", inference}};
    request["inference"]["runtime"] = runtime;
    if (!inference.contains("context")) request["inference"]["context"] = 8192;
    request.merge_patch(more);
    return request;
}

const Json llama{{"preset", "llama-3-8b"}};
const Json small{{"config", small_llama()}};

double bytes(const Json& reply, const std::string& path) { return row(reply, path).at("bytes").get<double>(); }
double total(const Json& reply) { return reply.at("total").at("bytes").get<double>(); }
double tokens(const Json& reply) { return reply.at("capacity").at("kv_tokens").get<double>(); }

bool has_row(const Json& rows, const std::string& id) {
    for (const Json& each : rows)
        if (each.at("id") == id) return true;
    return false;
}

double on_host(const Json& reply, const std::string& id) {
    for (const Json& each : reply.at("host").at("rows"))
        if (each.at("id") == id) return each.at("bytes").get<double>();
    return 0;
}

}  // namespace

TEST_CASE("an EAGLE head is one layer more in vLLM's cache, as a log says") {
    // Llama-3.1-8B with an EAGLE head on an H100: 51.63 GiB hold 410,128 tokens, 33 layers' worth
    const Json reply = ask(asked("vllm", llama, {{"draft", {{"kind", "eagle"}}}}));
    const double held = reply.at("capacity").at("bytes").get<double>();
    CHECK(tokens(reply) / held * 51.63 * 1073741824 == Approx(410128).epsilon(0.0001));
    CHECK(bytes(reply, "draft/kv_cache") == 8192.0 * 8 * 128 * 2 * 2);
    // a layer without its first norm, and a product of embedding and hidden state: vLLM, models/llama_eagle.py
    const double hidden = 4096, inner = 14336, kv = 1024;
    CHECK(bytes(reply, "draft/weights") ==
          2 * (2 * hidden * hidden + 2 * hidden * kv + 3 * hidden * inner + hidden + 2 * hidden * hidden));
}

TEST_CASE("an EAGLE-3 head sees embedding and state side by side, and has a vocabulary of its own") {
    const Json reply = ask(asked("vllm", llama, {{"draft", {{"kind", "eagle3"}, {"vocab_size", 32000}}}}));
    const double hidden = 4096, inner = 14336, kv = 1024;
    // vLLM, models/llama_eagle3.py
    CHECK(bytes(reply, "draft/weights") == 2 * (2 * hidden * (hidden + 2 * kv) + hidden * hidden + 3 * hidden * inner +
                                                3 * hidden * hidden + 32000 * hidden + 4 * hidden));
}

TEST_CASE("a draft model has rows of its own under every runtime, and leaves a server less for the cache") {
    const Json draft{{"draft", {{"model", small}}}};
    for (const char* runtime : {"transformers", "vllm", "sglang", "tensorrt-llm"}) {
        INFO(runtime);
        const Json without = ask(asked(runtime, llama)), with = ask(asked(runtime, llama, draft));
        const Json alone = ask(asked(runtime, small));
        CHECK(bytes(with, "draft/weights") == bytes(alone, "weights"));
        CHECK(bytes(with, "draft/kv_cache") == bytes(alone, "kv_cache"));
        CHECK(total(with) > total(without));
        CHECK(bytes(with, "weights") == bytes(without, "weights"));
        if (with.contains("capacity")) CHECK(tokens(with) < tokens(without));
    }
}

TEST_CASE("llama.cpp's draft model has a context of its own with a 16-bit cache, and logits for what it proposes") {
    const Json weights{{"weights", {{"encoding", "gguf-f16"}}}};
    const Json kv{{"kv_encoding", "gguf-q8_0"}};
    Json drafting = kv;
    drafting["draft"] = {{"model", small}, {"weights", {{"encoding", "gguf-f16"}}}, {"num_speculative_tokens", 4}};
    const Json without = ask(asked("llama.cpp", small, kv, weights));
    const Json with = ask(asked("llama.cpp", small, drafting, weights));
    const Json alone = ask(asked("llama.cpp", small, {}, weights));  // its cache is in fp16
    CHECK(bytes(with, "draft/kv_cache/kv_buffer") == bytes(alone, "kv_cache/kv_buffer"));
    CHECK(bytes(with, "draft/weights/model_buffer") == bytes(alone, "weights/model_buffer"));
    CHECK(bytes(with, "draft/activations/compute_buffer") == bytes(alone, "activations/compute_buffer"));
    CHECK(on_host(with, "logits") == 5 * on_host(without, "logits"));
    CHECK(on_host(with, "draft") > 0);
}

TEST_CASE("prediction layers are held where they are asked for, and keep states to go back to") {
    Json config = small_llama();
    CHECK(refuse(asked("vllm", {{"config", config}}, {{"draft", {{"kind", "mtp"}}}}).dump()).at("code") ==
          "not_supported");
    config.merge_patch(
        {{"model_type", "mimo"}, {"architectures", {"MiMoForCausalLM"}}, {"num_nextn_predict_layers", 1}});
    const Json model{{"config", config}}, mtp{{"draft", {{"kind", "mtp"}, {"num_speculative_tokens", 2}}}};
    const Json without = ask(asked("vllm", model)), with = ask(asked("vllm", model, mtp));
    const double parameters = without.at("model").at("parameters").at("parts").at("mtp").get<double>();
    CHECK(bytes(with, "draft/weights") == 2 * parameters);
    CHECK(!has_row(without.at("rows"), "draft"));
    const double layers = config.at("num_hidden_layers").get<double>();
    CHECK(bytes(with, "draft/kv_cache") == bytes(without, "kv_cache") / layers);
    CHECK(refuse(asked("transformers", model, mtp).dump()).at("where") == "inference.draft.kind");
    CHECK(refuse(asked("llama.cpp", small, {{"draft", {{"kind", "eagle"}}}}).dump()).at("where") ==
          "inference.draft.kind");
}

TEST_CASE("llama.cpp keeps a recurrent state for each token that a head proposes, as a log says") {
    // Qwen3.8-27B: 598.5 MiB with --spec-draft-n-max 3, 748.12 MiB with 4
    const Json configs = Json::parse(read("tests/measured/inference_models.json"));
    const auto states = [&](const char* kind, int proposed) {
        const Json inference{{"context", 16384}, {"draft", {{"kind", kind}, {"num_speculative_tokens", proposed}}}};
        const Json model{{"config", configs.at("Qwen3.8-27B").at("config")}};
        return bytes(ask(asked("llama.cpp", model, inference)), "state/rs_buffer") / 1048576;
    };
    CHECK(states("mtp", 3) == Approx(598.5).epsilon(0.0001));
    CHECK(states("eagle3", 4) == Approx(748.12).epsilon(0.0001));
}

TEST_CASE("llama.cpp keeps no states to go back to for a whole model that drafts, nor where it cannot go back") {
    const auto states = [](const Json& model, const Json& draft) {
        return bytes(ask(asked("llama.cpp", model, {{"draft", draft}})), "state/rs_buffer");
    };
    const Json configs = Json::parse(read("tests/measured/inference_models.json"));
    const Json goes_back{{"config", configs.at("Qwen3.8-27B").at("config")}};
    const Json head{{"kind", "eagle3"}, {"num_speculative_tokens", 3}};
    Json whole = head;
    whole.merge_patch({{"kind", "model"}, {"model", small}});
    CHECK(states(goes_back, whole) == states(goes_back, nullptr));
    CHECK(states(goes_back, head) == 4 * states(goes_back, nullptr));
    const char* going_on[] = {
        R"({"model_type": "qwen3_next", "architectures": ["Qwen3NextForCausalLM"], "mlp_only_layers": [3]})",
        R"({"model_type": "jamba", "architectures": ["JambaForCausalLM"]})",
        R"({"model_type": "falcon_h1", "architectures": ["FalconH1ForCausalLM"]})",
    };
    for (const char* config : going_on) {
        const Json goes_on{{"config", Json::parse(config)}};
        INFO(config);
        CHECK(states(goes_on, head) == states(goes_on, nullptr));
    }
}

TEST_CASE("what is not held takes nothing: a request without companions has the same bytes") {
    for (const char* runtime : {"transformers", "vllm", "sglang"}) {
        Json request = asked(runtime, small);
        const Json plain = ask(request);
        request["inference"]["beams"] = 1;
        request["inference"]["draft"] = nullptr;
        request["inference"]["lora"] = nullptr;
        CHECK(ask(request).at("rows") == plain.at("rows"));
        CHECK(ask(request).at("total") == plain.at("total"));
    }
}

TEST_CASE("more of what is held never needs less, on the device and on the host") {
    const auto grows = [](const char* runtime, const Json& one, const Json& more) {
        INFO(runtime << " " << more.dump());
        const Json before = ask(asked(runtime, llama, one)), after = ask(asked(runtime, llama, more));
        CHECK(total(after) >= total(before));
        CHECK(after.at("host").at("bytes").get<double>() >= before.at("host").at("bytes").get<double>());
        if (after.contains("capacity")) CHECK(tokens(after) <= tokens(before));
    };
    for (const char* runtime : {"transformers", "vllm", "sglang"}) {
        grows(runtime, Json::object(), {{"draft", {{"model", small}}}});
        grows(runtime, {{"beams", 1}}, {{"beams", 2}});
        grows(runtime, {{"lora", {{"max_loras", 1}}}}, {{"lora", {{"max_loras", 2}}}});
        grows(runtime, {{"lora", {{"max_lora_rank", 8}}}}, {{"lora", {{"max_lora_rank", 9}}}});
    }
    for (const char* runtime : {"llama.cpp", "vllm"})
        grows(runtime, {{"draft", {{"kind", "eagle3"}, {"num_speculative_tokens", 1}}}},
              {{"draft", {{"kind", "eagle3"}, {"num_speculative_tokens", 8}}}});
    grows("vllm", {{"draft", {{"kind", "eagle"}}}}, {{"draft", {{"kind", "eagle3"}}}});
    grows("vllm", {{"sequences", 4}, {"shared_prefix", 999}}, {{"sequences", 4}});
    grows("transformers", {{"prompt", 10}}, {{"prompt", 20}});
}

TEST_CASE("slots for adapters are a rank beside every linear layer, whatever is loaded") {
    // q, o: h + h; k, v: h + kv; gate, up, down: h + inner (vLLM, lora/layers: lora_a_stacked, lora_b_stacked)
    const double hidden = 4096, inner = 14336, kv = 1024, layers = 32;
    const double widths = layers * (2 * (hidden + hidden) + 2 * (hidden + kv) + 3 * (hidden + inner));
    const Json lora{{"lora", {{"max_loras", 4}, {"max_lora_rank", 32}}}};
    CHECK(bytes(ask(asked("vllm", llama, lora)), "adapters") == 4 * 32 * widths * 2);
    CHECK(bytes(ask(asked("transformers", llama, lora)), "adapters") == 4 * 32 * widths * 4);
    CHECK(bytes(ask(asked("llama.cpp", llama, lora, {{"weights", {{"encoding", "gguf-q8_0"}}}})), "adapters") ==
          4 * 32 * widths * 4);
    CHECK(tokens(ask(asked("vllm", llama, lora))) < tokens(ask(asked("vllm", llama))));
    // column-parallel layers have whole inputs on each device, row-parallel ones whole outputs
    const double half =
        layers * ((hidden + hidden / 2) * 2 + 2 * (hidden + kv / 2) + 2 * (hidden + inner / 2) + (inner / 2 + hidden));
    CHECK(bytes(ask(asked("vllm", llama, lora, {{"devices", 2}})), "adapters") == 4 * 32 * half * 2);
    Json chosen = lora;
    chosen["lora"]["targets"] = {"q_proj"};
    const Json reply = ask(asked("sglang", llama, chosen));
    CHECK(bytes(reply, "adapters") == 4 * 32 * layers * 2 * hidden * 2);
    CHECK(row(reply, "adapters").at("basis") == "exact");
    CHECK(refuse(asked("tensorrt-llm", llama, lora).dump()).at("where") == "inference.lora");
}

TEST_CASE("a prefix that sequences share is held once, in whole pages") {
    const double page = 16, one = 8.0 * 128 * 2 * 2 * 32;
    const Json alone = ask(asked("vllm", llama, {{"sequences", 10}}));
    const Json shared = ask(asked("vllm", llama, {{"sequences", 10}, {"shared_prefix", 1000}}));
    CHECK(bytes(alone, "kv_cache") - bytes(shared, "kv_cache") == 9 * std::floor(1000 / page) * page * one);
    CHECK(bytes(ask(asked("vllm", llama, {{"shared_prefix", 1000}})), "kv_cache") == 8192 * one);
    CHECK(refuse(asked("vllm", llama, {{"shared_prefix", 8193}}).dump()).at("where") == "inference.shared_prefix");
}

TEST_CASE("beams are sequences, servers hold their prompt once") {
    const double one = 8.0 * 128 * 2 * 2 * 32;
    CHECK(bytes(ask(asked("transformers", llama, {{"beams", 4}})), "kv_cache") == 4 * 8192 * one);
    CHECK(bytes(ask(asked("vllm", llama, {{"beams", 4}, {"prompt", 4096}})), "kv_cache") == (4096 + 4 * 4096) * one);
    CHECK(bytes(ask(asked("vllm", llama, {{"beams", 4}})), "kv_cache") == 4 * 8192 * one);
}

TEST_CASE("transformers' static cache is there at full length from the prefill on, and is never copied") {
    const Json grown = ask(asked("transformers", llama, {{"prompt", 100}}));
    const Json fixed = ask(asked("transformers", llama, {{"prompt", 100}, {"cache", "static"}}));
    CHECK(row(fixed, "kv_cache").at("by_phase").at("prefill") == row(grown, "kv_cache").at("by_phase").at("decode"));
    CHECK(row(grown, "kv_cache").at("by_phase").at("prefill") < row(grown, "kv_cache").at("by_phase").at("decode"));
    CHECK(total(fixed) < total(grown));
}

TEST_CASE("a server leaves weights of its layers to pinned memory, and a pool there behind the cache") {
    const double left = 4e9;
    const Json all = ask(asked("vllm", llama));
    const Json part = ask(asked("vllm", llama, {{"offload", {{"weights_bytes", left}, {"kv_host_bytes", 1e9}}}}));
    CHECK(bytes(part, "weights") == bytes(all, "weights") - left);
    CHECK(row(part, "weights").at("low").get<double>() < bytes(part, "weights"));
    CHECK(on_host(part, "weights") == left);
    CHECK(on_host(part, "kv_cache") == 1e9);
    CHECK(tokens(part) > tokens(all));
    CHECK(refuse(asked("tensorrt-llm", llama, {{"offload", {{"weights_bytes", left}}}}).dump()).at("where") ==
          "inference.offload.weights_bytes");
}

TEST_CASE("images are patches of a tower, in a file of its own under llama.cpp, and tokens of the context") {
    const Json model{{"config", Json::parse(read("presets/models/qwen2.5-vl-7b.json")).at("config")}};
    const Json image{{"images", {{"width", 1008}, {"height", 1008}}}};
    const Json reply = ask(asked("llama.cpp", model, image, {{"weights", {{"encoding", "gguf-f16"}}}}));
    const double vision = reply.at("model").at("parameters").at("parts").at("vision").get<double>();
    CHECK(bytes(reply, "projector/weights") == Approx(2 * vision).epsilon(0.01));
    double found = 0;
    for (const Json& each : reply.at("assumptions"))
        if (each.at("field") == "inference.images.tokens") found = each.at("value").get<double>();
    CHECK(found == 36 * 36);  // 1008 / (14 · 2) a side
    Json many = image;
    many["images"]["count"] = 100;
    CHECK(refuse(asked("vllm", model, many).dump()).at("where") == "inference.images");
    CHECK(refuse(asked("vllm", llama, image).dump()).at("where") == "inference.images");
    CHECK(total(ask(asked("transformers", model, image))) >= total(ask(asked("transformers", model))));
}

TEST_CASE("embedding models keep nothing, and a server claims nothing for them") {
    const Json bert{{"config",
                     {{"model_type", "bert"},
                      {"architectures", {"BertModel"}},
                      {"hidden_size", 384},
                      {"num_hidden_layers", 12},
                      {"num_attention_heads", 12},
                      {"intermediate_size", 1536},
                      {"vocab_size", 30522}}}};
    for (const char* runtime : {"transformers", "vllm", "llama.cpp"}) {
        const Json reply = ask(asked(runtime, bert, {{"context", 512}, {"sequences", 8}}));
        CHECK(!has_row(reply.at("rows"), "kv_cache"));
        CHECK(!reply.contains("capacity"));
    }
}

TEST_CASE(
    "encoder-decoders run under transformers with a cache of both sequences, others refuse what they cannot run") {
    const Json t5{{"config",
                   {{"model_type", "t5"},
                    {"architectures", {"T5ForConditionalGeneration"}},
                    {"d_model", 512},
                    {"d_kv", 64},
                    {"d_ff", 2048},
                    {"num_layers", 6},
                    {"num_heads", 8},
                    {"vocab_size", 32128}}}};
    const double own = 512.0 * 6 * 2 * 512 * 2;  // 512 tokens of keys and values in six layers
    CHECK(bytes(ask(asked("transformers", t5, {{"context", 512}})), "kv_cache") == 2 * own);
    CHECK(bytes(ask(asked("llama.cpp", t5, {{"context", 512}})), "kv_cache") == own);
    const Json error = refuse(asked("vllm", t5).dump());
    CHECK(error.at("where") == "inference.runtime");
    CHECK(error.at("what").get<std::string>().find("Whisper") != std::string::npos);
}

}  // namespace plimsoll::test::companions
