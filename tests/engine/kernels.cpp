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
        const double backward = at_once<double>(inputs, pass, vocabulary).backward.value();
        CHECK(std::abs(2 * leaf + backward - measured) <= 1024);
    });
    CHECK(rows == 4);
}
