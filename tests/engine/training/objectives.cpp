// What is held for an objective beside the next token's: against the moments of TRL's own loss, and against each other.
#include <sstream>

#include "engine/support.h"
#include "estimate/training/forward/frozen_pass.h"

namespace plimsoll::test::objectives {

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

double total(const Json& reply) { return reply.at("total").at("bytes").get<double>(); }

/// The moments of an objective as a row of the ledger names it.
LossMoments<double> moments_of(const std::string& objective, const Pass<double>& pass, double vocabulary) {
    if (objective == "dpo") return preference_loss<double>(pass, vocabulary, false);
    if (objective == "kto") return preference_loss<double>(pass, vocabulary, true);
    if (objective == "orpo") return odds_loss<double>(pass, vocabulary);
    return teacher_loss<double>(pass, vocabulary,
                                objective == "distill"           ? Divergence::jensen_shannon
                                : objective == "distill-forward" ? Divergence::forward
                                                                 : Divergence::reverse);
}

}  // namespace

TEST_CASE("the vocabulary's tensors of an objective's loss are those that autograd makes") {
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
        const std::string objective = row.at("objective");
        if (objective == "grpo" || objective == "ppo" || objective == "critic") break;  // answers.cpp
        LossMoments<double> moments = moments_of(objective, pass, vocabulary);
        const PairLogits<double> logits(pass, vocabulary);
        FrozenPass<double> other;
        other.returned = logits.made;
        other.scored = objective == "dpo" || objective == "kto" ? logits.unsaved() : logits.made;
        if (objective != "orpo") run_beside(moments, other);
        CHECK(std::max(moments.before.value(), moments.forward.value()) == row.at("forward").get<double>());
        CHECK(moments.loss.value() + moments.other.bytes.n == row.at("loss").get<double>());
        CHECK(moments.backward.value() == row.at("backward").get<double>());
        CHECK(moments.head.value() == row.at("head").get<double>());
    }
    CHECK(checked == 36);
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

TEST_CASE("odds need no reference: the same pairs, and less than a preference") {
    const Json odds = ask(trained("orpo", {{"method", "full"}})),
               preference = ask(trained("dpo", {{"method", "full"}}));
    CHECK(at(odds, "loss", "reference") == 0);
    CHECK(at(odds, "loss", "activations") == at(preference, "loss", "activations"));
    CHECK(total(odds) <= total(preference));
}

TEST_CASE("single sequences with a reference: none is doubled") {
    const Json reply = ask(trained("kto", {{"method", "full"}, {"micro_batch", 2}}));
    const Json two = ask(trained("", {{"method", "full"}, {"micro_batch", 2}}));
    CHECK(at(reply, "loss", "activations") == at(two, "loss", "activations"));
    CHECK(row(reply, "reference/weights").at("bytes") == row(reply, "weights").at("bytes"));
}

TEST_CASE("a teacher is a model of its own, stored as it is published or as is said, and runs while logits are held") {
    const Json teacher = {{"config", Json::parse(read("presets/models/llama-3-8b.json")).at("config")}};
    Json small = small_llama();
    small["vocab_size"] = teacher.at("config").at("vocab_size");
    const Json student = {{"config", small}};
    const Json alone = ask({{"model", teacher}, {"weights", {{"encoding", "nf4-dq"}}}, {"inference", Json::object()}});
    const auto taught = [&](const Json& more) {
        Json training = {{"models", {{"teacher", {{"model", teacher}, {"weights", {{"encoding", "nf4-dq"}}}}}}}};
        training.update(more);
        return ask(trained("distill", training, student));
    };
    const Json reply = taught(Json::object());
    CHECK(row(reply, "teacher/weights").at("bytes") == row(alone, "weights").at("bytes"));
    CHECK(at(reply, "loss", "teacher") > at(reply, "step", "teacher"));
    CHECK(total(taught({{"divergence", "forward"}})) < total(taught({{"divergence", "reverse"}})));
    CHECK(total(taught({{"divergence", "reverse"}})) < total(reply));
    const Json itself = ask(trained("distill", {{"precision", "bf16"}}, student));
    CHECK(row(itself, "teacher/weights").at("bytes") == row(itself, "weights").at("bytes"));
    CHECK(refuse(trained("distill", {{"models", {{"teacher", {{"model", teacher}}}}}}).dump()).at("where") ==
          "training.models.teacher.model");  // another vocabulary
    CHECK(refuse(trained("distill", {{"divergence", "hidden_states"}, {"models", {{"teacher", {{"model", teacher}}}}}},
                         student)
                     .dump())
              .at("where") == "training.models.teacher.model");  // other widths
    CHECK(refuse(trained("distill", {{"models", {{"teacher", {{"model", {{"preset", "no such"}}}}}}}}).dump())
              .at("where") == "training.models.teacher.model.preset");
}

TEST_CASE("hidden states are compared beside the next token's loss, with no logits of the teacher") {
    const Json taught = ask(trained("distill", {{"divergence", "hidden_states"}, {"precision", "bf16"}}));
    const Json alone = ask(trained("", {{"precision", "bf16"}}));
    const double hidden = small_llama().at("hidden_size"), states = 128 * hidden * 2;
    CHECK(at(taught, "loss", "logits") == at(alone, "loss", "logits") + states);
    CHECK(at(taught, "loss", "teacher") == row(taught, "teacher/weights").at("bytes").get<double>() + states);
}

TEST_CASE("models that are not trained are divided where weights are, and whole elsewhere") {
    const auto spread = [](const char* framework, int zero) {
        Json request = trained("dpo", {{"method", "full"}});
        request["devices"] = 4;
        request["parallel"] = {{"framework", framework}, {"zero", zero}};
        return ask(request);
    };
    const Json whole = ask(trained("dpo", {{"method", "full"}}));
    const double alone = row(whole, "reference/weights").at("bytes");
    CHECK(row(spread("deepspeed", 2), "reference/weights").at("bytes") == alone);
    CHECK(row(spread("deepspeed", 3), "reference/weights").at("bytes") == alone / 4);
    const Json units = spread("fsdp2", 3);
    CHECK(row(units, "reference/weights").at("bytes") == row(units, "weights").at("bytes"));
    Json pipeline =
        trained("dpo", {{"method", "full"}, {"models", {{"reference", {{"model", {{"config", small_llama()}}}}}}}});
    pipeline["parallel"] = {{"pipeline", 2}};
    const Json staged = ask(pipeline);
    CHECK(staged.at("devices").size() == 2);
    CHECK(row(staged, "reference/weights").at("bytes") == row(staged, "weights").at("bytes"));
}

TEST_CASE("a packed model beside the policy is not divided by layers") {
    const Json packed{{"model", {{"config", small_llama()}}}, {"weights", {{"encoding", "nf4-dq"}}}};
    Json pipeline = trained("dpo", {{"method", "full"}, {"models", {{"reference", packed}}}});
    CHECK(row(ask(pipeline), "reference/weights").at("bytes") > 0);
    pipeline["parallel"] = {{"pipeline", 2}};
    CHECK(refuse(pipeline.dump()).at("where") == "training.models.reference.weights.encoding");
}

TEST_CASE("an objective that cannot be estimated is refused by its name") {
    CHECK(refuse(trained("best", Json::object()).dump()).at("where") == "training.objective");
    CHECK(refuse(trained("dpo", {{"loss", "fused"}}).dump()).at("where") == "training.loss");
    CHECK(refuse(trained("dpo", {{"reference_precomputed", 1}}).dump()).at("where") ==
          "training.reference_precomputed");
    const Json unused = ask(trained("", {{"reference_precomputed", true}}));
    CHECK(unused.at("notes").dump().find("reference_precomputed") != std::string::npos);
}

}  // namespace plimsoll::test::objectives
