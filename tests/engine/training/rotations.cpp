// OFT: what turns the inputs of frozen layers, by its parameters, its indices, and what a step keeps of it.
#include "engine/support.h"
#include "model/operations/rotation.h"

namespace plimsoll::test::rotations {

namespace {

Json request(const Json& training = {}) {
    Json all = {{"method", "oft"}, {"sequence", 1024}, {"checkpointing", "none"}};
    if (!training.is_null()) all.update(training);
    return {{"task", "training"}, {"model", {{"preset", "llama-3-8b"}}}, {"training", all}};
}

double bytes_at(const Json& training, const char* path) {
    return row(ask(request(training)), path).at("bytes").get<double>();
}

}  // namespace

TEST_CASE("a block is the divisor next to what is asked, of two the smaller") {
    CHECK(Rotation::nearest_divisor(32, 4096) == 32);
    CHECK(Rotation::nearest_divisor(24, 96) == 24);
    CHECK(Rotation::nearest_divisor(24, 160) == 20);
    CHECK(Rotation::nearest_divisor(7, 96) == 6);
    CHECK(Rotation::nearest_divisor(1000, 96) == 96);
    CHECK(Rotation::nearest_divisor(2, 97) == 1);
}

TEST_CASE("a target trains block - 1 halves of each input, and has two lists of indices") {
    const double layers = 32, in = 4096, entries = 32 * 31 / 2, targets = 2 * layers;
    const double parameters = targets * in * 31 / 2;
    CHECK(bytes_at({}, "adapters") == parameters * 4 + targets * 2 * 8 * entries);
    CHECK(bytes_at({{"lora", {{"encoding", "bf16"}}}}, "adapters") == parameters * 2 + targets * 2 * 8 * entries);
    CHECK(bytes_at({}, "optimizer") >= 8 * parameters);
    const double wider = targets * in * 63 / 2;
    CHECK(bytes_at({{"oft", {{"block_size", 64}}}}, "adapters") == wider * 4 + targets * 2 * 8 * (64 * 63 / 2));
}

TEST_CASE("a turned layer keeps its cast input and four matrices of each block") {
    const double layers = 32, in = 4096, tokens = 1024;
    const auto kept = [](const Json& targets) {
        const Json reply = ask(request({{"lora", {{"targets", targets}}}}));
        return row(reply, "activations").at("by_phase").at("loss").get<double>();
    };
    CHECK(kept({"q_proj", "v_proj"}) - kept({"q_proj"}) == layers * (tokens * in * 4 + 4 * in * 32 * 4));
}

TEST_CASE("a packed base, full recomputation and ZeRO go with it") {
    const double all = bytes_at({}, "adapters");
    CHECK(bytes_at({{"checkpointing", "full"}}, "adapters") == all);
    Json packed = request();
    packed["weights"] = {{"encoding", "nf4-dq"}};
    CHECK(row(ask(packed), "weights").at("bytes") < 7e9);
    Json spread = request();
    spread["parallel"] = {{"data", 4}, {"framework", "fsdp2"}};
    CHECK(row(ask(spread), "adapters").at("bytes") < all);
}

TEST_CASE("what OFT has not is refused at its field") {
    const auto refused = [](const Json& training, const Json& parallel = {}) {
        Json asked = request(training);
        if (!parallel.is_null()) asked["parallel"] = parallel;
        return refuse(asked.dump()).at("where").get<std::string>();
    };
    const Json without = {{"rank", 8},       {"alpha", 16},        {"dropout", 0.1},
                          {"init", "pissa"}, {"kernels", "fused"}, {"use_rslora", true}};
    for (const auto& [field, value] : without.items())
        CHECK(refused({{"lora", {{field, value}}}}) == "training.lora." + field);
    CHECK(refused({{"fused_qkv", true}}) == "training.fused_qkv");
    CHECK(refused({}, {{"tensor", 2}}) == "parallel.tensor");
    CHECK(refused({{"oft", {{"block_size", 1}}}}) == "training.oft.block_size");
    CHECK(refused({{"lora", {{"targets", {"experts"}}}}}) == "training.lora.targets");
}

}  // namespace plimsoll::test::rotations
