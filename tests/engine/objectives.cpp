// What is held for an objective beside the next token's: against the moments of TRL's own loss, and against each other.
#include "estimate/training/objectives.h"

#include <sstream>

#include "engine/support.h"

namespace plimsoll::test {
namespace {

Json trained(const char* objective, Json training, const Json& model = {{"config", small_llama()}}) {
    if (*objective) training["objective"] = objective;
    if (!training.contains("sequence")) training["sequence"] = 128;
    return {{"task", "training"}, {"model", model}, {"training", training}};
}

double at(const Json& reply, const char* phase, const char* row) {
    for (const Json& each : reply.at("timeline"))
        if (each.at("phase") == phase) return each.at("rows").value(row, 0.0);
    FAIL("no phase " << phase);
    return 0;
}

}  // namespace

TEST_CASE("the vocabulary's tensors of a preference's loss are those that autograd makes") {
    std::istringstream lines(read("tests/measured/training_objectives.jsonl"));
    int checked = 0;
    for (std::string line; std::getline(lines, line); ++checked) {
        INFO(line);
        const Json row = Json::parse(line);
        const double sequences = row.at("sequences"), tokens = row.at("tokens"), vocabulary = row.at("vocabulary");
        PassOptions options;
        const Dtype dtype = row.at("dtype") == "float32" ? Dtype::float32 : Dtype::sixteen_bit;
        options.numerics = {dtype, dtype, false};
        const Pass<double> pass{sequences, tokens, tokens, sequences * tokens, options, true};
        const LossMoments<double> moments = pair_loss<double>(pass, vocabulary);
        CHECK(moments.forward.value() == row.at("forward").get<double>());
        const double reference = PairLogits<double>(pass, vocabulary).unsaved().n;
        CHECK(moments.loss.value() + reference == row.at("loss").get<double>());
        CHECK(moments.backward.value() == row.at("backward").get<double>());
        CHECK(moments.head.value() == row.at("head").get<double>());
    }
    CHECK(checked == 6);
}

TEST_CASE("a preference holds its reference as the policy was, beside pairs of sequences") {
    const Json one = ask(trained("dpo", {{"method", "full"}, {"precision", "bf16"}}));
    const Json two = ask(trained("", {{"method", "full"}, {"precision", "bf16"}, {"micro_batch", 2}}));
    CHECK(row(one, "reference/weights").at("bytes") == row(one, "weights").at("bytes"));
    CHECK(at(one, "loss", "activations") == at(two, "loss", "activations"));
    CHECK(at(one, "step", "reference") == row(one, "weights").at("bytes"));
    CHECK(at(one, "loss", "reference") > at(one, "step", "reference"));
    const Json precomputed =
        ask(trained("dpo", {{"method", "full"}, {"precision", "bf16"}, {"reference_precomputed", true}}));
    CHECK(at(precomputed, "loss", "reference") == 0);
    CHECK(at(precomputed, "loss", "logits") == at(one, "loss", "logits"));
}

TEST_CASE("an adapter is switched off for the reference: nothing is held for it but a pass") {
    for (const char* method : {"lora", "qlora", "dora"}) {
        const Json reply = ask(trained("dpo", {{"method", method}, {"accumulation", 2}}));
        INFO(method);
        CHECK(at(reply, "load", "reference") == 0);
        CHECK(at(reply, "backward", "reference") == 0);
        CHECK(at(reply, "loss", "reference") > 0);
        CHECK(at(reply, "loss_2", "reference") == at(reply, "loss", "reference"));
    }
}

TEST_CASE("a reward model has one output in place of the vocabulary") {
    const Json config = small_llama();
    const double hidden = config.at("hidden_size"), vocabulary = config.at("vocab_size");
    for (const bool tied : {false, true}) {
        Json with = config;
        with["tie_word_embeddings"] = tied;
        const Json model = {{"config", with}};
        const Json policy = ask(trained("", {{"method", "full"}}, model)).at("model").at("parameters");
        const Json reply = ask(trained("reward", {{"method", "full"}}, model));
        const double removed = tied ? 0 : vocabulary * hidden;
        CHECK(reply.at("model").at("parameters").at("trainable") ==
              policy.at("trainable").get<double>() - removed + hidden);
        CHECK(row(reply, "weights/head").at("bytes") == 2 * hidden);
        CHECK(at(reply, "loss", "logits") == 2 * 128 * 2);  // two sequences, 16 bits
    }
    CHECK(row(ask(trained("reward", {{"method", "qlora"}})), "weights").at("bytes") <
          row(ask(trained("", {{"method", "qlora"}})), "weights").at("bytes"));
}

TEST_CASE("an objective that cannot be estimated is refused by its name") {
    CHECK(refuse(trained("kto", Json::object()).dump()).at("where") == "training.objective");
    CHECK(refuse(trained("best", Json::object()).dump()).at("where") == "training.objective");
    CHECK(refuse(trained("dpo", {{"loss", "fused"}}).dump()).at("where") == "training.loss");
    CHECK(refuse(trained("dpo", {{"reference_precomputed", 1}}).dump()).at("where") ==
          "training.reference_precomputed");
    const Json unused = ask(trained("", {{"reference_precomputed", true}}));
    CHECK(unused.at("notes").dump().find("reference_precomputed") != std::string::npos);
}

}  // namespace plimsoll::test
