// What the forward pass leaves to be computed anew, by Megatron's modules; losses without logits; keys and values that a
// model returns while it trains. The bytes that modules keep are held to ledgers in ledgers.cpp.
#include "engine/support.h"

namespace plimsoll::test::recomputed {

namespace {

Json trained(const char* preset, const Json& training) {
    return {{"task", "training"}, {"model", {{"preset", preset}}}, {"training", training}};
}

std::string refused(const char* preset, const Json& training) {
    return refuse(trained(preset, training).dump()).at("where");
}

double phase(const Json& reply, const char* of, const char* id, const char* name) {
    for (const Json& child : row(reply, of).value("rows", Json::array()))
        if (child.at("id") == id) return child.at("by_phase").value(name, 0.0);
    return 0;
}

double kept(const Json& training) {
    const Json reply = ask(trained("llama-3-8b", training));
    double bytes = 0;
    for (const Json& child : row(reply, "activations").at("rows"))
        if (child.at("id").get<std::string>().rfind("saved.", 0) == 0)
            bytes += child.at("by_phase").at("loss").get<double>();
    return bytes;
}

Json with_modules(const Json& modules) {
    return {{"checkpointing", "selective"},
            {"recompute_modules", modules},
            {"precision", "bf16"},
            {"attention", "flash"},
            {"sequence", 4096}};
}

}  // namespace

TEST_CASE("modules computed anew leave nothing but what they are given") {
    const double T = 4096, h = 4096, f = 14336, layers = 32;
    Json none = with_modules({"core_attn"});
    none.erase("recompute_modules");
    const double core = kept(none), all = core + layers * 4 * 32 * T;  // flash keeps one log-sum-exp per head and token
    CHECK(kept(with_modules({"core_attn"})) == core);
    CHECK(kept(with_modules(Json::array())) == all);
    CHECK(all - kept(with_modules({"mlp"})) == layers * 4 * 2 * T * f);
    // of each norm the fp32 copy, rstd, the normalised value and what it gives; the stream, which it is given, stays
    CHECK(all - kept(with_modules({"layernorm"})) ==
          layers * 2 * (4 * T * h + 4 * T + 2 * T * h + 2 * T * h - 2 * T * h));
}

TEST_CASE("modules that cannot be computed anew are refused by their field") {
    const char* where = "training.recompute_modules";
    CHECK(refused("llama-3-8b", {{"recompute_modules", {"mlp"}}}) == where);
    CHECK(refused("llama-3-8b", with_modules({"attention"})) == where);
    CHECK(refused("llama-3-8b", with_modules({1})) == where);
    CHECK(refused("llama-3-8b", with_modules("moe")) == where);
    for (const char* module : {"moe", "moe_act", "shared_experts", "mla_up_proj"})
        CHECK(refused("llama-3-8b", with_modules({module})) == where);
    CHECK(refused("qwen3-30b-a3b", with_modules({"mlp"})) == where);
    Json delayed = with_modules({"layernorm"});
    delayed["precision"] = "fp8-mixed";
    delayed["fp8_recipe"] = "delayed";
    CHECK(refused("llama-3-8b", delayed) == "training.fp8_recipe");
}

TEST_CASE("a model of latents and experts has all modules, each where a layer has it") {
    const Json config = {{"model_type", "deepseek_v3"},
                         {"hidden_size", 96},
                         {"num_attention_heads", 4},
                         {"intermediate_size", 160},
                         {"num_hidden_layers", 4},
                         {"vocab_size", 1000},
                         {"q_lora_rank", 40},
                         {"kv_lora_rank", 32},
                         {"qk_nope_head_dim", 16},
                         {"qk_rope_head_dim", 8},
                         {"v_head_dim", 16},
                         {"first_k_dense_replace", 1},
                         {"n_routed_experts", 6},
                         {"num_experts_per_tok", 2},
                         {"moe_intermediate_size", 40},
                         {"n_shared_experts", 1},
                         {"tie_word_embeddings", false}};
    const double T = 512;
    const auto kept_with = [&](const Json& modules) {
        Json training = with_modules(modules);
        training["sequence"] = T, training["attention"] = "sdpa";
        const Json reply = ask({{"task", "training"}, {"model", {{"config", config}}}, {"training", training}});
        return phase(reply, "activations", "saved.feed_forward", "loss") +
               phase(reply, "activations", "saved.shared_experts", "loss");
    };
    const double all = kept_with(Json::array());
    CHECK(all - kept_with({"mlp"}) == 4 * 2 * T * 160);                // of the one dense layer
    CHECK(all - kept_with({"shared_experts"}) == 3 * 4 * 2 * T * 40);  // and of the three others
    CHECK(kept_with({"core_attn", "mla_up_proj", "layernorm", "moe_act"}) < all);
}

TEST_CASE("cut cross-entropy has no logits, and keeps what the head is given") {
    const Json training = {{"loss", "cut"}, {"precision", "bf16"}, {"sequence", 4096}, {"micro_batch", 2}};
    const Json reply = ask(trained("llama-3-8b", training));
    const double T = 8192, V = 128256, h = 4096, predicted = 2 * 4095;
    CHECK(row(reply, "logits").at("by_phase").at("forward") == 0);
    CHECK(row(reply, "logits").at("by_phase").at("loss").get<double>() == 16 * predicted + 8 * T + 4 * V);
    CHECK(phase(reply, "activations", "saved.head", "loss") == 2 * T * h);
    Json adapters = training;
    adapters["method"] = "lora";
    CHECK(phase(ask(trained("llama-3-8b", adapters)), "activations", "saved.head", "loss") == 2 * T * h);
    Json preference = training;
    preference["objective"] = "dpo";
    CHECK(refused("llama-3-8b", preference) == "training.loss");
}

TEST_CASE("keys and values that a model returns outlive its layers' checkpoints, and its outputs hold them") {
    const double T = 2048, cache = 32 * 2 * 2 * T * 1024;  // layers, keys and values, bf16, 8 heads of 128
    Json training = {{"checkpointing", "full"}, {"precision", "bf16"}, {"use_cache", true}};
    const auto cached = [&](const char* name) {
        return phase(ask(trained("llama-3-8b", training)), "activations", "cached_keys_and_values", name);
    };
    CHECK(cached("forward") == cache);
    CHECK(cached("loss") == cache);
    CHECK(cached("backward") == 0);
    training["logits_kept"] = true;
    CHECK(cached("backward") == cache);
    training["checkpointing"] = "none";  // attention keeps them itself
    CHECK(cached("forward") == 0);
    CHECK(cached("loss") == 0);
    training["attention"] = "eager";  // attention keeps them repeated to all heads
    CHECK(cached("loss") == cache);
}

TEST_CASE("layers in pieces: the input of each is kept, and one piece's tensors come anew") {
    const double T = 4096, h = 4096, f = 14336, fed = 8 * T * f + 2 * T * h;
    Json training = {{"checkpointing", "full"},
                     {"recompute_method", "uniform"},
                     {"recompute_num_layers", 4},
                     {"precision", "bf16"},
                     {"loss", "cut"},
                     {"sequence", T},
                     {"attention", "flash"},
                     {"optimizer", "sgd"}};
    const auto at = [&](const char* id, const char* name) {
        return phase(ask(trained("llama-3-8b", training)), "activations", id, name);
    };
    CHECK(at("saved.checkpoints", "loss") == 8 * 2 * T * h);
    CHECK(at("saved.feed_forward", "loss") == 0);
    // the fullest moment: in the last layer of the first piece, with three below it and the gradients of all above
    CHECK(at("saved.checkpoints", "backward") == 2 * T * h);
    CHECK(at("saved.feed_forward", "backward") == 3 * fed);
    training["recompute_num_layers"] = 5;  // six pieces of five, and one of two
    CHECK(at("saved.checkpoints", "loss") == 7 * 2 * T * h);
    CHECK(at("saved.feed_forward", "backward") == 4 * fed);
    training["recompute_method"] = "block";
    CHECK(at("saved.checkpoints", "loss") == 5 * 2 * T * h);
    CHECK(at("saved.feed_forward", "loss") == 27 * fed);
}

TEST_CASE("one layer at a time is what full checkpointing does by itself, and so are all layers of a stage") {
    const Json alone = {{"checkpointing", "full"}, {"precision", "bf16"}, {"sequence", 1024}};
    const Json answer = ask(trained("llama-3-8b", alone)).at("total");
    Json training = alone;
    training["recompute_method"] = "uniform";
    CHECK(ask(trained("llama-3-8b", training)).at("total") == answer);
    training["recompute_method"] = "block", training["recompute_num_layers"] = 32;
    CHECK(ask(trained("llama-3-8b", training)).at("total") == answer);
    training["checkpoint_every"] = 2;
    CHECK(refused("llama-3-8b", training) == "training.checkpoint_every");
    CHECK(refused("llama-3-8b", {{"recompute_method", "block"}}) == "training.recompute_method");
}

}  // namespace plimsoll::test::recomputed
