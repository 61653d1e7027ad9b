// How a mixture's experts are computed decides what is kept: against the tensors that transformers' functions make.
#include "engine/support.h"
#include "formats/huggingface/huggingface.h"
#include "model/core/profile.h"
#include "model/read/architecture.h"

namespace plimsoll::test::experts {

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

namespace {

// Experts alone, all in one product, in bf16; the router's weights are fp32.
struct Backward {
    Backward(double width, double inner, double of, bool trained) {
        Experts experts;
        experts.experts = Traced(of), experts.active = Traced(active), experts.from = "x", experts.to = "y";
        experts.width = Traced(width), experts.intermediate = Traced(inner);
        Pass<double> pass;
        pass.batch = 1, pass.sequence = pass.keys = pass.tokens = tokens;
        pass.training = true, pass.trainable = trained;
        tape.emplace(run<double>(Block{{experts}}, pass, width));
        for (const auto& saved : tape->saved())
            if (saved.part == Part::router || saved.name == "token_indices")
                lists += saved.elements * bytes_of<double>(saved.dtype).n;
        lists += 2 * tokens * width;  // and the gradient of what they give
    }
    /// Beside the router's tensors: at the fullest moment, or where a product runs.
    double fullest(Tape<double>::Gradients gradients) {
        parameters = {0};
        return tape->backward_peak(gradients, 0, &parameters).alive.n - lists;
    }
    double at_the_last_product() const {
        return tape->backward_peak(Tape<double>::Gradients::left_out, 1e12).alive.n - lists;
    }
    std::optional<Tape<double>> tape;
    double lists = 0;
    Bytes<double> parameters{0};
};

constexpr double wide = 64, narrow = 32, routed = tokens * active, weights = 4 * routed;

}  // namespace

TEST_CASE("experts go backward in moments: first all that is kept and what weighs the outputs") {
    Backward frozen(wide, narrow, 4, false);
    // gate and up, the activation, the outputs; the gradient in fp32, its products with outputs and weights, one cast
    CHECK(frozen.fullest(Tape<double>::Gradients::left_out) ==
          routed * (2 * 3 * narrow + 2 * wide + 3 * 4 * wide + 2 * wide) + weights);
}

TEST_CASE("then wide experts' product and both its factors have gradients, when outputs are gone") {
    Backward frozen(wide, 8 * wide, 4, false);
    CHECK(frozen.fullest(Tape<double>::Gradients::left_out) == routed * 2 * (3 + 3) * 8 * wide + weights);
}

TEST_CASE("last come gate and up: what was gathered and its gradient, theirs, and all of the matrices") {
    Backward trained(wide, 96, 64, true);
    const double matrices = 64 * 3 * wide * 96 * 2, router = 64 * wide * 2, tokens_gradient = 2 * tokens * wide;
    const double left = routed * 2 * (wide + 2 * 96 + wide);
    CHECK(trained.at_the_last_product() == left);
    CHECK(trained.fullest(Tape<double>::Gradients::stay) == left);
    CHECK(trained.parameters.n == matrices + router);
    CHECK(tokens_gradient < routed * 2 * wide);  // which comes after, and takes no more
    // one step earlier the matrices that go down have theirs, while all else is still there
    CHECK(trained.tape->comes_apart(0, 3));
    CHECK(!trained.tape->comes_apart(0, 1));
}

}  // namespace plimsoll::test::experts
