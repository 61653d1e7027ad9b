// Parts of a model that are trained by name, adapters in fused kernels, masks of packed samples: what the rows say, and
// what cannot be. What each operation keeps of them is held by ledgers.cpp and the ledgers' score.
#include "engine/support.h"

namespace plimsoll::test::frozen_parts {

namespace {

constexpr double h = 256, q = 256, kv = 64, f = 704, V = 1000, T = 128;
constexpr double layer = 2 * h * q + 2 * h * kv + 3 * h * f + 2 * h;

Json request_of(const Json& training) {
    Json request = {{"schema", 1}, {"task", "training"}, {"model", {{"config", small_llama()}}}};
    request["training"] = {{"precision", "bf16"}, {"sequence", T}};
    request["training"].update(training);
    return request;
}

Json frozen(const Json& freeze, Json more = Json::object()) {
    more["method"] = "freeze", more["freeze"] = freeze;
    return request_of(more);
}

double at(const Json& reply, const char* path, const char* phase) {
    return row(reply, path).at("by_phase").at(phase).get<double>();
}

Json error_of(const Json& request) { return refuse(request.dump()); }

}  // namespace

TEST_CASE("gradients, master weights and states are of the parts that are named") {
    const auto trained = [](const Json& freeze) {
        const Json reply = ask(frozen(freeze, {{"optimizer_step", "fused"}}));
        const double count = reply.at("model").at("parameters").at("trainable");
        CHECK(at(reply, "gradients", "step") == 2 * count);
        CHECK(at(reply, "optimizer/exp_avg", "step") == 2 * count);
        return count;
    };
    CHECK(trained({{"trainable_layers", 1}}) == layer);
    CHECK(trained({{"trainable_layers", -2}}) == 2 * layer);
    CHECK(trained({{"trainable_layers", 99}}) == 3 * layer);
    CHECK(trained(Json::object()) == 2 * layer);  // LLaMA-Factory's default
    CHECK(trained({{"trainable_layers", 2}, {"trainable_modules", {"mlp"}}}) == 2 * 3 * h * f);
    CHECK(trained({{"trainable_layers", 1}, {"trainable_modules", {"self_attn", "input_layernorm"}}}) ==
          2 * h * q + 2 * h * kv + h);
    CHECK(trained({{"trainable_layers", 0}, {"extra_modules", {"lm_head"}}}) == h * V);
    CHECK(trained({{"trainable_layers", 1}, {"extra_modules", {"embed_tokens", "norm"}}}) == layer + h * V + h);
    const Json mixed = ask(frozen({{"trainable_layers", 1}}, {{"precision", "bf16-mixed"}}));
    CHECK(at(mixed, "master_weights", "load") == 4 * layer);
}

TEST_CASE("a head that is trained alone keeps what it reads, and layers keep nothing") {
    const Json reply = ask(frozen({{"trainable_layers", 0}, {"extra_modules", {"lm_head"}}}));
    CHECK(at(reply, "activations/saved.head", "loss") == 2 * T * h);
    for (const Json& child : row(reply, "activations").at("rows"))
        CHECK((child.at("id") != "saved.attention" && child.at("id") != "saved.feed_forward"));
}

TEST_CASE("parts that cannot be named are refused, at the field that names them") {
    const auto where = [](const Json& request) { return error_of(request).at("where").get<std::string>(); };
    CHECK(where(frozen({{"trainable_modules", {"conv"}}})) == "training.freeze.trainable_modules");
    CHECK(where(frozen({{"extra_modules", {"score"}}})) == "training.freeze.extra_modules");
    CHECK(where(frozen({{"extra_modules", 3}})) == "training.freeze.extra_modules");
    CHECK(where(frozen({{"trainable_layers", 0}})) == "training.freeze.trainable_layers");
    CHECK(where(frozen({{"trainable_layers", 1}}, {{"trainable_percent", 10}})) == "training.trainable_percent");
    CHECK(where(request_of({{"freeze", {{"trainable_layers", 1}}}})) == "training.freeze");
    CHECK(error_of(frozen({{"trainable_modules", {"conv"}}})).at("hint") ==
          "some of: all, input_layernorm, self_attn, post_attention_layernorm, mlp");
    Json tied = frozen({{"extra_modules", {"lm_head"}}});
    tied["model"]["config"]["tie_word_embeddings"] = true;
    CHECK(where(tied) == "training.freeze.extra_modules");
    tied["training"]["freeze"]["extra_modules"] = {"embed_tokens"};
    CHECK(ask(tied).at("model").at("parameters").at("trainable") == 2 * layer + h * V);
    Json divided = frozen({{"trainable_layers", 1}});
    divided["devices"] = 2, divided["parallel"] = {{"tensor", 2}};
    CHECK(where(divided) == "training.freeze");
}

TEST_CASE("adapters in fused kernels keep their input once, and make the rest anew") {
    const auto kept = [](const Json& lora) {
        Json adapters = {{"rank", 8}, {"targets", "all-linear"}, {"encoding", "bf16"}};
        adapters.update(lora);
        const Json reply = ask(request_of({{"method", "lora"}, {"lora", adapters}}));
        return at(reply, "activations/saved.attention", "loss") + at(reply, "activations/saved.feed_forward", "loss");
    };
    const double a_outputs = 2 * T * 8 * 7, activation_and_product = 2 * 2 * T * f;
    CHECK(kept(Json::object()) - kept({{"kernels", "fused"}}) == 3 * (a_outputs + activation_and_product));
    CHECK(kept({{"kernels", "fused"}, {"use_rslora", true}}) == kept({{"kernels", "fused"}}));
    Json dropped = request_of({{"method", "lora"}, {"lora", {{"kernels", "fused"}, {"dropout", 0.1}}}});
    CHECK(error_of(dropped).at("where") == "training.lora.kernels");
}

TEST_CASE("adapters in fp32 beside a base of 16 bits: under autocast they read it in 16") {
    const auto reply = [](const char* precision, double dropout) {
        Json request = request_of({{"method", "lora"},
                                   {"precision", precision},
                                   {"lora", {{"rank", 8}, {"targets", {"up_proj"}}, {"dropout", dropout}}}});
        request["weights"] = {{"encoding", "bf16"}};
        return ask(request);
    };
    const auto kept = [](const Json& answer) { return at(answer, "activations/saved.feed_forward", "loss"); };
    const Json plain = reply("bf16", 0), cast = reply("bf16-autocast", 0);
    CHECK(at(plain, "weights", "load") == at(cast, "weights", "load"));
    // its input, and what A gives
    CHECK(kept(plain) - kept(cast) == 3 * (4 - 2) * T * (h + 8));
    CHECK(kept(reply("bf16-autocast", 0.1)) - kept(cast) == 3 * T * h);  // the mask
    Json other = request_of({{"method", "lora"}, {"precision", "bf16"}});
    other["weights"] = {{"encoding", "fp32"}};
    CHECK(error_of(other).at("where") == "weights.encoding");
}

TEST_CASE("adapters that begin with singular vectors take fp32 matrices while the model loads") {
    const auto loading = [](const char* init) {
        const Json reply = ask(request_of({{"method", "lora"}, {"lora", {{"targets", {"up_proj"}}, {"init", init}}}}));
        return at(reply, "loading", "load");
    };
    CHECK(loading("pissa") == 4 * (3 * h * f + h * (h + f) + h));
    CHECK(loading("olora") == 4 * (2 * h * f + h * (h + f)));
    const Json packed = request_of({{"method", "qlora"}, {"lora", {{"init", "pissa"}}}});
    CHECK(error_of(packed).at("where") == "training.lora.init");
}

TEST_CASE("a mask is there beside what attention keeps, booleans become what is added in each layer") {
    const auto reply = [](const Json& fields) { return ask(request_of(fields)); };
    const Json none = reply(Json::object()), repeated = reply({{"repeat_kv", true}});
    const Json boolean = reply({{"mask", "boolean"}}), added = reply({{"mask", "additive"}});
    const char* attention = "activations/saved.attention";
    CHECK(at(none, attention, "loss") < at(repeated, attention, "loss"));
    CHECK(at(added, attention, "loss") == at(repeated, attention, "loss"));
    CHECK(at(boolean, attention, "loss") - at(repeated, attention, "loss") == 3 * 2 * T * T);
    CHECK(at(boolean, "activations/attention_mask", "loss") == T * T);
    CHECK(at(added, "activations/attention_mask", "loss") == 2 * T * T);
    CHECK(error_of(request_of({{"mask", "boolean"}, {"attention", "flash"}})).at("where") == "training.mask");
    CHECK(error_of(request_of({{"mask", "boolean"}, {"attention", "eager"}})).at("where") == "training.mask");
}

}  // namespace plimsoll::test::frozen_parts
