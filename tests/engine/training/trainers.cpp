// What holds where nothing is said: the defaults of the tool that a training is run with.
#include "engine/support.h"

namespace plimsoll::test::trainers {

namespace {

Json training(const Json& fields) {
    return {{"task", "training"}, {"model", {{"config", small_llama()}}}, {"training", fields}};
}

/// What the reply assumed of a field; null where it was said.
Json assumed(const Json& reply, const char* field) {
    for (const Json& each : reply.at("assumptions"))
        if (each.at("field") == field) return each.at("value");
    return nullptr;
}

}  // namespace

TEST_CASE("beside packed weights layers are recomputed, as PEFT prepares them, and the reply says who does so") {
    const Json usual = ask(training({{"method", "qlora"}}));
    CHECK(assumed(usual, "training.trainer") == "peft");
    CHECK(assumed(usual, "training.checkpointing") == "full");
    CHECK(usual.at("rows") == ask(training({{"method", "qlora"}, {"checkpointing", "full"}})).at("rows"));
    const Json said = ask(training({{"method", "qlora"}, {"checkpointing", "none"}}));
    CHECK(assumed(said, "training.checkpointing").is_null());
    CHECK(said.at("total").at("bytes") > usual.at("total").at("bytes"));
    Json packed = training({{"method", "dora"}});
    CHECK(assumed(ask(packed), "training.checkpointing") == "none");
    packed["weights"] = {{"encoding", "nf4-dq"}};
    CHECK(assumed(ask(packed), "training.checkpointing") == "full");
}

TEST_CASE("a tool that is named brings its own, and none of them where the request speaks") {
    CHECK(assumed(ask(training({{"trainer", "trl"}})), "training.checkpointing") == "full");
    CHECK(assumed(ask(training({{"trainer", "torchtitan"}})), "training.checkpointing") == "selective-op");
    CHECK(assumed(ask(training({{"trainer", "transformers"}, {"method", "qlora"}})), "training.checkpointing") ==
          "full");
    CHECK(assumed(ask(training({{"trainer", "transformers"}})), "training.checkpointing") == "none");
    const Json factory = ask(training({{"trainer", "llama-factory"}, {"method", "lora"}}));
    CHECK(assumed(factory, "training.lora.targets") == "all-linear");
    const Json all = ask(training({{"method", "lora"},
                                   {"checkpointing", "full"},
                                   {"optimizer_step", "fused"},
                                   {"lora", {{"targets", "all-linear"}}}}));
    CHECK(factory.at("rows") == all.at("rows"));
    const Json megatron = ask(training({{"trainer", "megatron-lm"}}));
    CHECK(megatron.at("rows") == ask(training({{"norm", "fused"}, {"feed_forward", "fused"}})).at("rows"));
    CHECK(refuse(training({{"trainer", "nobody"}}).dump()).at("where") == "training.trainer");
}

TEST_CASE("Trainer steps AdamW by the fused kernel, and other optimizers as they do") {
    const auto step = [](Json said) {
        said["trainer"] = "transformers";
        return assumed(ask(training(said)), "training.optimizer_step");
    };
    CHECK(step(Json::object()) == "fused");
    CHECK(step({{"optimizer", "adamw"}}) == "fused");
    CHECK(step({{"optimizer", "rmsprop"}}) == "foreach");
    const Json told = ask(training({{"trainer", "transformers"}, {"optimizer_step", "foreach"}}));
    CHECK(told.at("rows") == ask(training({{"checkpointing", "none"}, {"optimizer_step", "foreach"}})).at("rows"));
}

TEST_CASE("an 8B with QLoRA fits a card of 24 GB at 4,096 tokens where nothing else is said") {
    const Json request = {{"task", "training"},
                          {"model", {{"preset", "llama-3.1-8b"}}},
                          {"device", {{"preset", "rtx-4090"}}},
                          {"training", {{"method", "qlora"}, {"sequence", 4096}}}};
    CHECK(ask(request).at("fit").at("verdict") != "too large");
}

}  // namespace plimsoll::test::trainers
