// The optimizer's step in a training's time: bytes of a parameter in closed form, once a step, divided as its states are.
#include "engine/support.h"

namespace plimsoll::test::optimizer {

namespace {

constexpr double parameters = 1235814400;               // llama-3.2-1b
constexpr double peak = 3.35e12, share_reached = 0.57;  // H100 SXM; tests/measured/h200.jsonl

Json step_of(Json training, Json parallel) {
    training["sequence"] = 2048;
    return ask({{"task", "training"},
                {"time", true},
                {"model", {{"preset", "llama-3.2-1b"}}},
                {"device", {{"preset", "h100-sxm-80gb"}}},
                {"parallel", parallel},
                {"training", training}})
        .at("time");
}

Json sharded(const char* framework = "fsdp2", int zero = 3, int data = 8) {
    return {{"framework", framework}, {"data", data}, {"zero", zero}};
}

double optimizer_seconds(const Json& time) {
    for (const Json& row : time.at("step").at("rows"))
        if (row.at("id") == "optimizer") return row.at("seconds");
    return 0;
}

double bytes_of_a_parameter(const Json& training, const char* framework = "fsdp2", int zero = 3) {
    return optimizer_seconds(step_of(training, sharded(framework, zero))) * share_reached * peak * 8 / parameters;
}

}  // namespace

TEST_CASE("an optimizer's step moves the bytes of its tensors, and those that its kernels hand each other") {
    const auto adamw = [](const char* precision, const char* way) {
        return bytes_of_a_parameter({{"precision", precision}, {"optimizer_step", way}});
    };
    // parameter read and written, gradient read, two states read and written
    CHECK(adamw("bf16", "fused") == Approx(14));
    CHECK(adamw("bf16-autocast", "fused") == Approx(28));
    // a master weight's gradient is in fp32, and its 16-bit copy is written
    CHECK(bytes_of_a_parameter({{"precision", "bf16-mixed"}}, "megatron", 1) == Approx(30));
    CHECK(bytes_of_a_parameter({{"precision", "bf16-mixed"}, {"state_encoding", "bf16"}}, "megatron", 1) == Approx(22));
    // a kernel for each operation: 20 elements in place of 7
    CHECK(adamw("bf16", "foreach") == Approx(40));
    CHECK(adamw("bf16-autocast", "loop") == Approx(80));
    CHECK(bytes_of_a_parameter({{"precision", "bf16"}, {"optimizer", "sgd"}}) == Approx(6));
    CHECK(bytes_of_a_parameter({{"precision", "bf16"}, {"optimizer", "sgd-momentum"}}) == Approx(16));
}

TEST_CASE("the roof moves each tensor once, whichever way the optimizer walks") {
    const auto roof = [](const char* optimizer, const char* way) {
        const Json time =
            step_of({{"precision", "bf16"}, {"optimizer", optimizer}, {"optimizer_step", way}}, sharded());
        const double least = time.at("roof").at("step");
        CHECK(time.at("step").at("low").get<double>() >= least);
        return least;
    };
    CHECK(roof("adamw", "fused") == roof("adamw", "foreach"));
    CHECK((roof("adamw", "fused") - roof("sgd", "fused")) * peak * 8 / parameters == Approx(8));
}

TEST_CASE("the optimizer steps once, however many micro-batches there are") {
    const auto seconds = [](int accumulation) {
        return optimizer_seconds(step_of({{"precision", "bf16-mixed"}, {"accumulation", accumulation}}, sharded()));
    };
    CHECK(seconds(1) > 0);
    CHECK(seconds(1) == seconds(16));
}

TEST_CASE("those who divide the states step a share each, and those who divide the model their part") {
    const auto seconds = [](const Json& parallel) {
        return optimizer_seconds(step_of({{"precision", "bf16-mixed"}, {"accumulation", 4}}, parallel));
    };
    const double whole = seconds(sharded("megatron", 0));
    CHECK(seconds(sharded("megatron", 1)) == Approx(whole / 8));
    CHECK(seconds({{"framework", "megatron"}, {"data", 1}, {"tensor", 4}, {"pipeline", 2}}) == Approx(whole / 8));
    Json hybrid = sharded("fsdp2", 3, 16);
    const double shared_by_all = seconds(hybrid);
    hybrid["shard_group"] = 4;
    CHECK(seconds(hybrid) == Approx(4 * shared_by_all));
}

TEST_CASE("of an optimizer that nobody has counted the roof alone is told, but where it hardly counts") {
    for (const char* optimizer : {"adamw-8bit", "adafactor", "muon"}) {
        const Json full = step_of({{"precision", "bf16"}, {"optimizer", optimizer}}, sharded());
        CHECK_FALSE(full.contains("step"));
        CHECK(full.at("why").get<std::string>().find("optimizer") != std::string::npos);
        CHECK(full.at("roof").at("step").get<double>() > 0);
        const Json adapters = step_of({{"method", "lora"}, {"optimizer", optimizer}}, sharded());
        CHECK(adapters.contains("step"));
    }
    // 2 bytes of a gradient, 4 of a parameter, and 4 of two states of a byte with their scales
    const auto roof = [](const char* optimizer) {
        return step_of({{"precision", "bf16"}, {"optimizer", optimizer}}, sharded())
            .at("roof")
            .at("step")
            .get<double>();
    };
    CHECK(roof("adamw-8bit") < roof("adamw"));
    CHECK(roof("adamw-8bit") > roof("sgd"));
}

}  // namespace plimsoll::test::optimizer
