// What the layers' own kernels keep: one for activation and product, and those that a compiler makes.
#include "engine/support.h"

namespace plimsoll::test::kernels_of_layers {

namespace {

constexpr double T = 2 * 256, h = 256, kv = 64, f = 704, heads = 8, layers = 3;

Json training(const Json& fields) {
    Json request = {{"task", "training"}, {"model", {{"config", small_llama()}}}};
    request["training"] = {{"precision", "bf16"}, {"micro_batch", 2}, {"sequence", 256}, {"attention", "flash"}};
    for (const auto& [name, value] : fields.items()) request["training"][name] = value;
    return request;
}

/// What the layers keep for the backward pass.
double saved(const Json& reply) {
    double bytes = 0;
    for (const Json& child : row(reply, "activations").at("rows")) {
        const std::string id = child.at("id");
        if (id.rfind("saved.", 0) == 0 && id != "saved.head" && id != "saved.rotary_tables" && id != "saved.embedding")
            bytes += child.at("by_phase").at("loss").get<double>();
    }
    return bytes;
}

}  // namespace

TEST_CASE("one kernel for activation and product keeps what they are given, not what the activation gives") {
    const double apart = saved(ask(training({}))), fused = saved(ask(training({{"feed_forward", "fused"}})));
    CHECK(apart - fused == layers * 2 * T * f);
    // Megatron-LM's is one by itself
    Json request = training({});
    request["devices"] = 2, request["parallel"] = {{"framework", "megatron"}, {"data", 2}};
    Json said = request;
    said["training"]["feed_forward"] = said["training"]["norm"] = "fused";
    CHECK(ask(request).at("rows") == ask(said).at("rows"));
}

TEST_CASE("a compiled layer keeps what its products and its attention read and give, the rest is made anew") {
    const double stream = 2 * T * h, keys = 2 * 2 * T * kv, statistics = 4 * T * heads;
    // input, rstd and the norm's result; q, k, v and what attention gives; the stream behind it, rstd and the norm's
    // result; gate, up and their product; the norm behind the layers keeps what it is given
    const double layer = stream + 4 * T + 2 * T * h + 2 * T * h + keys + 2 * T * h + statistics + stream + 4 * T +
                         2 * T * h + 3 * 2 * T * f;
    const double compiled = saved(ask(training({{"layers_compiled", true}})));
    CHECK(std::abs(compiled - layers * layer) <= stream + 8 * T * h);
    // of the same layer's own kernels, those that fuse norms and the activation with its product keep as much
    const double fused = saved(ask(training({{"norm", "fused"}, {"feed_forward", "fused"}})));
    CHECK(std::abs(compiled - fused) <= stream + 8 * T * h);
    CHECK(compiled < saved(ask(training({}))));
}

TEST_CASE("what comes and goes in a compiled layer is followed, and the allocator's settings act on it") {
    const double stream = 2 * T * h;
    for (const char* checkpointing : {"none", "selective-op", "full"}) {
        const Json compiled = {{"layers_compiled", true}, {"checkpointing", checkpointing}};
        const Json reply = ask(training(compiled));
        REQUIRE(reply.contains("allocator"));
        for (size_t phase = 0; phase < reply.at("timeline").size(); ++phase) {
            const double asked = reply.at("allocator").at("later_steps")[phase].at("requested"),
                         said = reply.at("timeline")[phase].at("bytes");
            INFO(checkpointing << " " << reply.at("timeline")[phase].at("phase"));
            CHECK(std::abs(asked - said) < 2 * stream);  // of what only comes and goes, the order is the compiler's
        }
    }
}

TEST_CASE("a model that multiplies its logits has them twice while it does") {
    Json request = training({}), scaled = request;
    scaled["model"]["config"]["model_type"] = "granite";
    const Json plain = ask(request), twice = ask(scaled);
    const double logits = T * 1000 * 2;
    const auto at = [](const Json& reply, const char* phase) {
        return row(reply, "logits").at("by_phase").at(phase).get<double>();
    };
    CHECK(at(twice, "forward") == 2 * logits);
    CHECK(row(twice, "logits/scaled_logits").at("by_phase").at("forward") == logits);
    CHECK(at(twice, "loss") == at(plain, "loss"));
    CHECK(at(twice, "backward") == at(plain, "backward"));
    // a fused loss makes none
    request["training"]["loss"] = scaled["training"]["loss"] = "fused";
    CHECK(row(ask(scaled), "logits") == row(ask(request), "logits"));
}

TEST_CASE("Falcon's ALiBi is a mask of every head and pair of tokens, once for all layers") {
    Json request = training({});
    request["model"]["config"] = {{"model_type", "falcon"}, {"hidden_size", h},      {"num_attention_heads", heads},
                                  {"alibi", true},          {"multi_query", false},  {"parallel_attn", false},
                                  {"vocab_size", 1000},     {"num_hidden_layers", 3}};
    const Json sloped = ask(request);
    request["model"]["config"]["alibi"] = false;
    const Json turned = ask(request);
    for (const char* phase : {"forward", "loss"})
        CHECK(row(sloped, "activations/attention_mask").at("by_phase").at(phase) == heads * T * 256 * 2);
    for (const Json& child : row(turned, "activations").at("rows")) CHECK(child.at("id") != "attention_mask");
}

}  // namespace plimsoll::test::kernels_of_layers
