// Losses by themselves against CUDA: Liger-Kernel's benchmark (benchmark/data/all_benchmark_data.csv), whose loop holds
// the logits and their gradient as leaves. Rows of tests/measured/training.jsonl.
#include <cmath>
#include <sstream>

#include "engine/support.h"
#include "estimate/training/loss.h"

using namespace plimsoll;
using plimsoll::test::Json;

namespace {

/// Calls `check(settings, bytes)` for every row of a kernel as this provider has it.
template <class Check>
int for_each_row(const std::string& where, Check check) {
    std::istringstream lines(test::read("tests/measured/training.jsonl"));
    int rows = 0;
    for (std::string line; std::getline(lines, line);) {
        const Json row = Json::parse(line);
        if (row.at("where") != where) continue;
        INFO(line);
        check(row.at("settings"), row.at("bytes").get<double>());
        ++rows;
    }
    return rows;
}

}  // namespace

TEST_CASE(
    "cross-entropy over fp32 logits: its backward pass beside the logits and their gradient, within 1,024 bytes") {
    const int rows = for_each_row("cross_entropy/huggingface/full", [](const Json& settings, double measured) {
        TrainingInputs inputs;
        inputs.request.micro_batch = settings.at("B"), inputs.request.sequence = settings.at("T");
        Pass<double> pass;
        pass.batch = inputs.request.micro_batch, pass.sequence = inputs.request.sequence;
        pass.tokens = pass.batch * pass.sequence;
        pass.options.numerics = precision_of("fp32")->numerics;
        const double vocabulary = settings.at("V"), leaf = 4 * pass.tokens * vocabulary;
        const double backward = at_once<double>(inputs, pass, vocabulary, 0).backward.value();
        CHECK(std::abs(2 * leaf + backward - measured) <= 1024);
    });
    CHECK(rows == 4);
}

namespace {

// Both the plain head and Liger's are made before either is measured: two matrices, and the gradient of one.
double held_by_the_benchmark(double tokens, double vocabulary, double hidden) {
    constexpr double workspace = 8519680;  // cuBLAS, of the thread that runs forward and of autograd's
    return 3 * 2 * vocabulary * hidden + 2 * 2 * tokens * hidden + 2 * workspace;
}

struct HeadCase {
    TrainingInputs inputs;
    Pass<double> pass;
    double vocabulary, hidden, held;
};

HeadCase head_case(const Json& settings) {
    HeadCase made;
    made.inputs.request.sequence = made.pass.sequence = made.pass.tokens = settings.at("BT");
    made.pass.batch = 1;
    made.inputs.request.logits_in_fp32 = false;
    made.pass.options.numerics = precision_of("bf16")->numerics;
    made.vocabulary = settings.at("V"), made.hidden = settings.at("H");
    made.held = held_by_the_benchmark(made.pass.tokens, made.vocabulary, made.hidden);
    return made;
}

double bytes_of_group(const Groups<double>& groups, const char* id) {
    for (const Group<double>& group : groups.list())
        if (group.id == id) return group.bytes.n;
    return 0;
}

}  // namespace

TEST_CASE("vocabulary product and cross-entropy in bf16: the loss's backward pass, within 1,024 bytes") {
    const int rows =
        for_each_row("fused_linear_cross_entropy/huggingface/full", [](const Json& settings, double measured) {
            const HeadCase head = head_case(settings);
            const auto at = at_once<double>(head.inputs, head.pass, head.vocabulary, head.hidden);
            CHECK(std::abs(head.held + at.backward.value() - measured) <= 1024);
        });
    CHECK(rows == 4);
}

TEST_CASE("Liger's fused product and cross-entropy: the loss makes the gradients, but for blocks that are not split") {
    // from a cached block the allocator splits off no less than a MiB (CUDACachingAllocator.cpp, should_split);
    // version 0.4.2 adds a chunk's gradient of the matrix where it lies (addmm with out=), later ones make it first
    const int rows = for_each_row("fused_linear_cross_entropy/liger/full", [](const Json& settings, double measured) {
        const HeadCase head = head_case(settings);
        const auto at = fused_loss<double>(head.inputs, head.pass, head.vocabulary, head.hidden, true);
        const double made = 2 * head.vocabulary * head.hidden,
                     losses_and_targets = 4 * head.pass.tokens + 8 * head.pass.tokens,
                     loss = at.loss.value() - bytes_of_group(at.loss, "matrix_gradient_of_a_chunk");
        const double beyond = measured - (head.held + made + losses_and_targets + loss);
        CHECK(beyond >= 0);
        CHECK(beyond <= 1048576 + 1024);
    });
    CHECK(rows == 4);
}

TEST_CASE("LayerNorm in fp32: what its backward pass reads and makes, beside leaves, within 1,024 bytes") {
    const int rows = for_each_row("layer_norm/huggingface/full", [](const Json& settings, double measured) {
        Pass<double> pass;
        pass.batch = 1, pass.sequence = pass.keys = pass.tokens = settings.at("M");
        pass.options.numerics = precision_of("fp32")->numerics;
        pass.training = true;
        const double width = settings.at("N"), activation = 4 * pass.tokens * width;
        const Block block{{Norm{"norm", Norm::Kind::layer, Traced(width), true, true, "x", "normed"}}};
        Bytes<double> arriving{0};
        const double alive = run<double>(block, pass, width).backward_peak(Tape<double>::Gradients::pass, &arriving).n;
        // the output and the input's gradient of the run before; two modules, and the gradients of one
        const double leaves = 2 * activation + 2 * 8 * width + 8 * width;
        CHECK(std::abs(alive + arriving.n + leaves - measured) <= 1024);
    });
    CHECK(rows == 4);
}

TEST_CASE("cut cross-entropy: a megabyte for the loss of Gemma 2 2B, and a gigabyte with its gradients") {
    // arXiv:2411.09009: 8,192 tokens, 256,000 words, width 2304, bf16; the loss takes 24 GB with all logits at once and
    // 1 MB so, the head with its gradients 28 GB and 1 GB. cce_backward.py makes no others than these two in 16 bits
    Pass<double> pass;
    pass.batch = 1, pass.sequence = pass.tokens = 8192;
    pass.options.numerics = precision_of("bf16")->numerics;
    const double vocabulary = 256000, hidden = 2304, tokens = 8192, predicted = 8191;
    const auto at = cut_loss<double>(pass, vocabulary, hidden, true);
    const double saved = 4 * predicted + 8 * predicted + 8 * tokens + 4 * vocabulary;
    CHECK(at.forward.value() == 0);
    CHECK(at.loss.value() == saved + 4 * predicted);
    CHECK(at.backward.value() == saved);
    CHECK(at.head.value() == saved + 4 * vocabulary + 4 * 36 * (64 + 2000));
    CHECK(std::round((at.loss.value() - 8 * tokens) / 1048576) == 1);
    const double gradients = 2 * hidden * (vocabulary + tokens);
    CHECK(std::round((at.head.value() - 8 * tokens + gradients) / 1073741824) == 1);
    pass.options.numerics = precision_of("bf16-autocast")->numerics;
    CHECK(cut_loss<double>(pass, vocabulary, hidden, true).head.value() == at.head.value() + gradients);
}
