// How a mixture's experts are computed decides what is kept: against the tensors that transformers' functions make.
#include "engine/support.h"
#include "formats/huggingface/huggingface.h"
#include "model/core/profile.h"
#include "model/read/architecture.h"

using namespace plimsoll;
using plimsoll::test::Json;

namespace {

constexpr double hidden = 64, intermediate = 96, tokens = 40, active = 2;

// Of one layer of a small Mixtral in bf16.
double saved_bytes(ExpertsKernel kernel) {
    const Json config = {
        {"model_type", "mixtral"},  {"hidden_size", hidden},         {"num_attention_heads", 4},
        {"num_key_value_heads", 4}, {"num_hidden_layers", 1},        {"intermediate_size", intermediate},
        {"num_local_experts", 4},   {"num_experts_per_tok", active}, {"vocab_size", 100}};
    const auto facts = read_config(config, "row", "config");
    REQUIRE(static_cast<bool>(facts));
    const auto model = read_model(*facts);
    REQUIRE(static_cast<bool>(model));
    Pass<double> pass;
    pass.batch = 1, pass.sequence = pass.keys = pass.tokens = tokens;
    pass.options.experts = kernel;
    pass.training = true;
    double bytes = 0;
    const auto tape = run<double>(model->kinds.front().block, pass, hidden);
    for (const auto& saved : tape.saved())
        if (saved.recomputed == Brackets::none) bytes += saved.elements * bytes_of<double>(saved.dtype).n;
    return bytes;
}

}  // namespace

TEST_CASE("a product for each routed token keeps its expert's matrices, and two indices less than one product of all") {
    const double routed = tokens * active, matrices = 3 * hidden * intermediate;
    CHECK(saved_bytes(ExpertsKernel::batched) - saved_bytes(ExpertsKernel::grouped) ==
          routed * matrices * 2 - 2 * routed * 8);
}

TEST_CASE("each way to compute experts is answered, and the batched one needs most") {
    const auto total = [](const char* experts) {
        return test::ask({{"model", {{"preset", "qwen3-30b-a3b"}}},
                          {"training", {{"sequence", 16}, {"method", "lora"}, {"experts", experts}}}})
            .at("total")
            .at("bytes")
            .get<double>();
    };
    CHECK(total("batched") > total("grouped"));
    CHECK(total("batched") > total("loop"));
}

TEST_CASE("a pass that keeps nothing has all routed tokens at once: the activation's tensors, or outputs weighed") {
    const auto scratch = [](double width, double inner, bool cast, ExpertsKernel kernel) {
        Experts experts;
        experts.experts = Traced(4), experts.active = Traced(active), experts.from = "x", experts.to = "y";
        experts.width = Traced(width), experts.intermediate = Traced(inner), experts.weights_cast = cast;
        Pass<double> pass;
        pass.batch = 1, pass.sequence = pass.keys = pass.tokens = tokens;
        pass.options.experts = kernel;
        const double given_and_made = 2 * tokens * width * 2, scores = tokens * 4 * 4;
        return run<double>(Block{{experts}}, pass, width).forward_peak().alive.n - given_and_made - scores;
    };
    const double routed = tokens * active;
    // what was gathered, gate and up as one tensor, the activation, the product
    CHECK(scratch(64, 96, false, ExpertsKernel::grouped) == routed * 2 * (64 + 4 * 96));
    // what was gathered, each output, that weighed in fp32, and again in the tokens' order
    CHECK(scratch(64, 32, false, ExpertsKernel::grouped) == routed * 64 * (2 + 2 + 4 + 4));
    CHECK(scratch(64, 32, true, ExpertsKernel::grouped) == routed * 64 * (2 + 2 + 2 + 2));
    CHECK(scratch(64, 32, false, ExpertsKernel::loop) == routed / 4 * 2 * (2 * 64 + 3 * 32));
}
