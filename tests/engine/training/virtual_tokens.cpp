// Prompt and prefix tuning: what PEFT trains, and what attention then keeps.
#include "engine/support.h"

namespace plimsoll::test::virtual_tokens {

namespace {

Json tuned(const char* method, Json prompt = Json::object(), const Json& more = Json::object(),
           const Json& model = {{"config", small_llama()}}) {
    Json training = {{"method", method}, {"sequence", 100}, {"micro_batch", 3}};
    if (!prompt.empty()) training["prompt"] = prompt;
    training.update(more);
    return {{"task", "training"}, {"model", model}, {"training", training}};
}

double trainable(const Json& reply) { return reply.at("model").at("parameters").at("trainable"); }

double after_forward(const Json& reply, const char* path) { return row(reply, path).at("by_phase").at("forward"); }

}  // namespace

TEST_CASE("a prompt is a table of embeddings, and every sequence is longer by it") {
    const Json reply = ask(tuned("prompt", {{"virtual_tokens", 20}}));
    CHECK(trainable(reply) == 20 * 256);
    CHECK(row(reply, "adapters").at("bytes") == 20 * 256 * 4);
    CHECK(row(reply, "optimizer").at("bytes") >= 20 * 256 * 8);
    // as an adapter without targets would leave it, over longer sequences
    const Json longer = ask(tuned("prompt", {{"virtual_tokens", 10}}, {{"sequence", 110}}));
    CHECK(after_forward(reply, "activations") == after_forward(longer, "activations"));
    CHECK(after_forward(reply, "activations") > after_forward(ask(tuned("prefix")), "activations"));
}

TEST_CASE("a prefix is keys and values of every layer, as many as the model has heads for") {
    // 3 layers of 2 heads of keys and of values, 32 wide
    CHECK(trainable(ask(tuned("prefix", {{"virtual_tokens", 7}}))) == 7 * 3 * 2 * 64);
    const double all = 3 * 2 * 64, inner = 64;
    CHECK(trainable(ask(tuned("prefix", {{"virtual_tokens", 7}, {"projection", true}}))) ==
          7 * 64 + (64 * inner + inner) + (inner * all + all));
    CHECK(trainable(ask(tuned("prefix", {{"virtual_tokens", 7}, {"projection", true}, {"encoder_hidden_size", 10}}))) ==
          7 * 64 + (64 * 10 + 10) + (10 * all + all));
    const Json llama = {{"preset", "llama-3.1-8b"}};  // heads are grouped: 1024 wide, not 4096
    CHECK(trainable(ask(tuned("prefix", {{"virtual_tokens", 20}}, Json::object(), llama))) == 20.0 * 32 * 2 * 1024);
}

TEST_CASE("attention keeps keys and values together with the prefix's") {
    const Json without = ask(tuned("lora", Json::object(), {{"lora", {{"targets", {"lm_head"}}}}}));
    for (const double count : {1.0, 20.0}) {
        const Json with = ask(tuned("prefix", {{"virtual_tokens", count}}));
        const char* kept = "activations/saved.attention";
        CHECK(after_forward(with, kept) - after_forward(without, kept) == 3 * 2 * (3 * count * 64) * 2);
    }
}

TEST_CASE("learned tokens that cannot be are refused by their field") {
    CHECK(refuse(tuned("prefix", {{"virtual_tokens", 0}}).dump()).at("where") == "training.prompt.virtual_tokens");
    CHECK(refuse(tuned("prefix", {{"projection", "yes"}}).dump()).at("where") == "training.prompt.projection");
    CHECK(refuse(tuned("prefix", Json::object(), {{"checkpointing", "full"}}).dump()).at("where") ==
          "training.checkpointing");
    const Json latent = {{"preset", "deepseek-v2-lite"}};
    CHECK(refuse(tuned("prefix", Json::object(), Json::object(), latent).dump()).at("where") == "training.method");
    CHECK(ask(tuned("lora", {{"virtual_tokens", 5}})).at("notes").dump().find("training.prompt") != std::string::npos);
}

}  // namespace plimsoll::test::virtual_tokens
