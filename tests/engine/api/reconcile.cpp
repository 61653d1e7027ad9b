// What becomes of a text's settings and figures in the reply: numbers, words, units, and what is refused.
#include "engine/support.h"

namespace plimsoll::test::reconcile {
namespace {

Json reconciled(const char* log) { return Json::parse(Engine::reconcile(log)); }

}  // namespace

TEST_CASE("a setting is a number, yes or no, or a word, and states its line") {
    const Json reply = reconciled(
        "INFO 05-01 10:00:00 [core.py:58] Initializing a V1 LLM engine (v0.11.0) with config: model='org/some-8b', "
        "max_seq_len=32768, tensor_parallel_size=2, enforce_eager=True, enable_prefix_caching=False\n");
    CHECK(reply.at("tool") == "vllm");
    CHECK(reply.at("version") == "0.11.0");
    const Json& settings = reply.at("settings");
    CHECK(settings.at("model") == "org/some-8b");
    CHECK(settings.at("max_seq_len") == 32768);
    CHECK(settings.at("enforce_eager") == true);
    CHECK(settings.at("enable_prefix_caching") == false);
    CHECK(reply.at("stated").at("max_seq_len").get<std::string>().find("max_seq_len=32768") != std::string::npos);
    CHECK(reply.at("figures").empty());
}

TEST_CASE("a figure has its bytes, what rounding leaves open, its device, and the row that it is held against") {
    const Json reply = reconciled(
        "load_tensors:        CUDA0 model buffer size =  8509.25 MiB\n"
        "llama_kv_cache:      CUDA0 KV buffer size =  1600.00 MiB\n"
        "llama_kv_cache: size = 1600.00 MiB ( 16384 cells,  48 layers,  1/1 seqs), "
        "K (f16):  800.00 MiB, V (f16):  800.00 MiB\n");
    const Json& model = reply.at("figures").at(0);
    CHECK(model.at("counter") == "model_buffer");
    CHECK(model.at("device") == "CUDA0");
    CHECK(model.at("bytes").get<double>() == 8509.25 * 1024 * 1024);
    CHECK(model.at("low") < model.at("bytes"));
    CHECK(model.at("high") > model.at("bytes"));
    CHECK(!model.at("estimate").empty());
    size_t restated = 0;
    for (const Json& figure : reply.at("figures")) restated += figure.contains("restated");
    CHECK(restated == 1);
}

TEST_CASE("a text without a tool has no figures, and what cannot be is refused with its reason") {
    const Json nothing = reconciled("hello\n");
    CHECK(nothing.at("tool").is_null());
    CHECK(nothing.at("version").is_null());
    CHECK(nothing.at("settings").empty());
    const Json negative = reconciled("llama_context:      CUDA0 compute buffer size = -306.75 MiB\n");
    CHECK(negative.at("figures").empty());
    CHECK(negative.at("refused").at(0).at("why") == "negative");
    const Json underflow = reconciled("llama_context:      CUDA0 compute buffer size = 17592186044415.00 MiB\n");
    CHECK(underflow.at("refused").at(0).at("why") == "underflow");
}

TEST_CASE("a device that is a number is one") {
    const Json reply = reconciled(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. "
        "GPU 0 has a total capacity of 79.15 GiB of which 1.06 GiB is free. "
        "Of the allocated memory 70.00 GiB is allocated by PyTorch, "
        "and 1.00 GiB is reserved by PyTorch but unallocated.\n");
    bool numbered = false;
    for (const Json& figure : reply.at("figures")) numbered |= figure.contains("device") && figure.at("device") == 0;
    CHECK(numbered);
}

}  // namespace plimsoll::test::reconcile
