// What transformers' loader and PyTorch's allocator hold beside the weights themselves.
#include <cmath>

#include "engine/support.h"
#include "policies/allocator/torch_allocator.h"

namespace plimsoll::test::loaded {

namespace {

constexpr double mebibyte = 1048576;

double left_over(std::initializer_list<EqualTensors> groups) { return bytes_left_over(groups); }

Json request(const Json& config, const std::string& encoding, const std::string& release = "") {
    Json json = {{"model", {{"config", config}}},
                 {"weights", {{"encoding", encoding}}},
                 {"device", {{"preset", "a100-sxm-80gb"}}},
                 {"inference", {{"context", 128}}}};
    if (!release.empty()) json["inference"]["release"] = release;
    return json;
}

double workspace(const Json& reply, const std::string& child, const char* phase) {
    const Json& whole = row(reply, "workspace");
    if (!whole.contains("rows")) return 0;
    for (const Json& entry : whole.at("rows"))
        if (entry.at("id") == child) return entry.at("by_phase").at(phase).get<double>();
    return 0;
}

}  // namespace

TEST_CASE("blocks of the caching allocator keep what is not worth cutting off") {
    CHECK(left_over({{100, 3}}) == 3 * 412);                     // to 512 bytes
    CHECK(left_over({{mebibyte, 5}}) == 0);                      // segments of small blocks are cut anywhere
    CHECK(left_over({{43 * mebibyte, 2}}) == 2 * mebibyte);      // 44 MiB each: 1 MiB is not cut off
    CHECK(left_over({{26.25 * mebibyte, 2}}) == 0);              // 28 MiB each: 1.75 MiB are
    CHECK(left_over({{1.5 * mebibyte, 13}}) == 0.5 * mebibyte);  // 13 in 20 MiB, the last with half more
    CHECK(left_over({{4.5 * mebibyte, 4}}) == 0);                // 2 MiB are left, and cut off
    CHECK(left_over({{32.375 * mebibyte, 1}, {1.25 * mebibyte, 1}}) == 0.375 * mebibyte);  // in the other's 1.625
}

TEST_CASE("what releases of transformers keep beside the weights") {
    Json config = small_llama();
    config["max_position_embeddings"] = 4096;
    config["hidden_size"] = 1024, config["intermediate_size"] = 5632;
    const Json old = ask(request(config, "bf16", "4.38"));
    CHECK(workspace(old, "rotary_tables", "decode") == 3 * 2 * 4096 * 128 * 2);
    CHECK(workspace(ask(request(config, "bf16", "4.46")), "rotary_tables", "decode") == 0);
    // before 4.45 logits of the whole prompt, in 16 and in 32 bits
    Json wordy = small_llama();
    wordy["vocab_size"] = 100000;
    CHECK(row(ask(request(wordy, "bf16", "4.38")), "logits").at("by_phase").at("prefill") == 128 * 100000 * 6);
    const double whole = workspace(ask(request(config, "bf16", "4.46")), "block_rounding", "load");
    CHECK(whole == 9 * mebibyte);  // nine matrices of 11 MiB
    CHECK(workspace(ask(request(config, "bf16")), "block_rounding", "load") == whole);
    CHECK(workspace(ask(request(config, "bf16", "4.51")), "block_rounding", "load") == 0);
    CHECK(refuse(request(config, "bf16", "new").dump()).at("where") == "inference.release");
}

TEST_CASE("formats whose loaders hold more than the weights") {
    Json tied = small_llama();
    tied["tie_word_embeddings"] = true;
    const double head = 1000 * 256 * 2;
    const Json awq = ask(request(tied, "awq-4bit-128g")), fp8 = ask(request(tied, "fp8-block-128"));
    CHECK(workspace(awq, "tied_head_again", "load") == head);
    CHECK(workspace(awq, "tied_head_again", "decode") == 0);
    CHECK(workspace(fp8, "tied_head_again", "decode") == head);
    CHECK(workspace(ask(request(small_llama(), "awq-4bit-128g")), "tied_head_again", "load") == 0);
    CHECK(workspace(ask(request(tied, "gptq-4bit-128g")), "dequantised_matrix", "decode") == 256 * 704 * 2);
    CHECK(workspace(ask(request(tied, "gptq-8bit-128g")), "dequantised_matrix", "decode") == 0);
}

TEST_CASE("a step copies a layer's keys, and once held all of the cache twice") {
    Json today = request(small_llama(), "bf16");
    Json old = request(small_llama(), "bf16", "4.38");
    for (Json* each : {&today, &old}) (*each)["inference"]["context"] = 200000, (*each)["inference"]["prompt"] = 1;
    const auto work = [](const Json& reply) {
        return row(reply, "activations").at("by_phase").at("decode").get<double>();
    };
    const double keys = 200000.0 * 64 * 2;
    // keys and values of three layers against one layer's keys; beside them a few tensors of one token
    CHECK(std::abs((work(ask(old)) - work(ask(today))) / keys - 5) < 0.001);
}

TEST_CASE("an 8-bit product makes integers of its input, sums of 32 bits, and a result in fp16 before its output") {
    const auto prefill = [](const char* encoding) {
        Json json = request(small_llama(), encoding);
        json["inference"] = {{"context", 4112}, {"prompt", 4096}};
        return row(ask(json), "activations").at("by_phase").at("prefill").get<double>();
    };
    constexpr double tokens = 4096, hidden = 256, intermediate = 704;
    // gate, up and product of 16 bits; or gate, and of up the sums, the result and the output, beside the input's integers
    CHECK(prefill("int8-llm") - prefill("bf16") == tokens * (hidden + intermediate * (2 + 4 + 2 + 2 - 3 * 2)));
}

}  // namespace plimsoll::test::loaded
