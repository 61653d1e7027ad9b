// What of a run's reserved memory nobody can say who does not know the order of its batches: the estimate for lengths
// that vary, held against runs whose batches come in random orders, each replayed batch by batch.
#include <algorithm>
#include <cmath>
#include <random>

#include "api/request/request.h"
#include "engine/support.h"
#include "estimate/training/replay/replay_run.h"

namespace plimsoll::test::random_orders {

using plimsoll::test::Json;

namespace {

/// JSON as the engine reads it: every number is a double.
Json as_read(const std::string& text) {
    Result<Json> json = parse_json(text, "");
    REQUIRE(json);
    return *json;
}

Library usual_presets() {
    Library library;
    for (const char* file : {"runtimes/transformers", "optimizers/adamw", "encodings/bf16", "encodings/fp32"}) {
        const std::string path = file, kind = path.substr(0, path.find('/'));
        Json presets;
        presets[kind].push_back(as_read(test::read("presets/" + path + ".json")));
        REQUIRE(library.provide(presets));
    }
    return library;
}

/// Bytes reserved of a run of so many batches, their lengths drawn from a log-normal distribution, which is not the estimate's.
double reserved_in_order(const Model& model, const TrainingInputs& inputs, const ReplayedWeights& weights,
                         unsigned seed, int batches) {
    std::mt19937 random(seed);  // the standard library's distributions differ from one to the next
    const auto between_0_and_1 = [&random] { return (static_cast<double>(random()) + 0.5) / 4294967296.0; };
    const SequenceLengths& lengths = *inputs.request.batch.lengths;
    const double square = std::log(1 + std::pow(lengths.deviation / lengths.mean, 2));
    const auto sample = [&] {
        const double normal = std::sqrt(-2 * std::log(between_0_and_1())) * std::cos(2 * M_PI * between_0_and_1());
        return lengths.mean * std::exp(std::sqrt(square) * normal - square / 2);
    };
    ReplayRun run(model, inputs, weights);
    run.load(ReplayedPasses(model, inputs, inputs.request.batch.sequence));
    for (int batch = 0; batch < batches;) {
        const double tokens = std::ceil(sample());
        if (tokens > inputs.request.batch.sequence) continue;  // left out
        run.micro_batch(ReplayedPasses(model, inputs, tokens));
        if (++batch % 8 == 0) run.end_step();
    }
    return run.reserved();
}

}  // namespace

TEST_CASE(
    "the order of batches decides what stays reserved: of random ones the middle takes about the estimate, one in ten "
    "a third less, another a fifth more") {
    Json config = test::small_llama();
    config["vocab_size"] = 128000;
    const Json asked = {{"schema", 1},
                        {"task", "training"},
                        {"model", {{"config", config}}},
                        {"training",
                         {{"method", "lora"},
                          {"sequence", 2048},
                          {"accumulation", 8},
                          {"checkpointing", "full"},
                          {"lengths", {{"mean", 1000}, {"deviation", 800}, {"longer", "left-out"}}}}}};
    const Json request = as_read(asked.dump());
    const Library library = usual_presets();
    const ModelChoice choice = read_model_choice(request, library);
    REQUIRE_FALSE(choice.error);
    const Request read = read_request(request, library, choice);
    REQUIRE_FALSE(read.reading.error);
    const double estimate = test::ask(asked).at("total").at("reserved").at("bytes");
    const ReplayedWeights weights(choice.model, read.training);
    std::vector<double> runs;
    for (unsigned seed = 1; seed <= 60 / test::one_of; ++seed)
        runs.push_back(reserved_in_order(choice.model, read.training, weights, seed, 1000));
    std::sort(runs.begin(), runs.end());
    const double low = runs[runs.size() / 12], middle = runs[runs.size() / 2], high = runs[runs.size() * 9 / 10];
    INFO(estimate << ": " << low << " " << middle << " " << high);
    CHECK(std::abs(estimate / middle - 1) < 0.12);
    CHECK(low < 0.7 * estimate);
    CHECK(high > 1.2 * estimate);
}

}  // namespace plimsoll::test::random_orders
