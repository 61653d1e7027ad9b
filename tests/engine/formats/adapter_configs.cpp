// PEFT's adapter_config.json: what it says, and the training that it asks for.
#include "engine/formats/inspecting.h"

namespace plimsoll::test::adapter_configs {

namespace {

Json inspect_adapter(const Json& config) {
    const std::string model = small_llama().dump(), adapter = config.dump();
    return inspect({{"config.json", model, static_cast<double>(model.size())},
                    {"adapter_config.json", adapter, static_cast<double>(adapter.size())}});
}

}  // namespace

TEST_CASE("an adapter's config becomes a training request for its base model") {
    const Json reply = inspect_adapter(Json::parse(R"({"peft_type": "LORA", "r": 16, "lora_alpha": 32,
        "lora_dropout": 0.05, "target_modules": ["q_proj", "v_proj"], "modules_to_save": null,
        "base_model_name_or_path": "a/b", "bias": "none"})"));
    const Json& adapter = reply.at("adapter");
    CHECK(adapter.at("rank") == 16);
    CHECK(adapter.at("alpha") == 32);
    CHECK(adapter.at("dropout") == 0.05);
    CHECK(adapter.at("targets") == Json({"q_proj", "v_proj"}));
    CHECK(adapter.at("targets_are_pattern") == false);
    CHECK(adapter.at("modules_to_save").empty());
    CHECK(adapter.at("bias") == "none");
    CHECK(adapter.at("base_model") == "a/b");
    CHECK(reply.at("notes").empty());
    const Json estimate = ask(reply.at("request"));
    const double hidden = small_llama().at("hidden_size"), layers = small_llama().at("num_hidden_layers");
    const double kv = hidden / small_llama().at("num_attention_heads").get<double>() *
                      small_llama().at("num_key_value_heads").get<double>();
    CHECK(estimate.at("model").at("parameters").at("trainable") == layers * 16 * ((hidden + hidden) + (hidden + kv)));
}

TEST_CASE("an adapter's config says what it says of biases and patterns, and names no base where none is") {
    const Json reply = inspect_adapter(Json::parse(R"({"peft_type": "LORA", "r": 4, "lora_alpha": 8,
        "target_modules": ".*_proj", "bias": "all", "modules_to_save": ["lm_head"], "use_rslora": true})"));
    const Json& adapter = reply.at("adapter");
    CHECK(adapter.at("bias") == "all");
    CHECK(adapter.at("targets_are_pattern") == true);
    CHECK(adapter.at("modules_to_save") == Json::array({"lm_head"}));
    CHECK(adapter.at("use_rslora") == true);
    CHECK(adapter.at("use_dora") == false);
    CHECK(!adapter.contains("base_model"));
}

TEST_CASE("DoRA, modules that are trained whole and OFT are asked for as they are") {
    const auto method = [](const Json& reply) { return reply.at("request").at("training").at("method"); };
    const Json dora = inspect_adapter({{"peft_type", "LORA"},
                                       {"r", 8},
                                       {"target_modules", {"q_proj"}},
                                       {"use_dora", true},
                                       {"modules_to_save", {"embed_tokens", "lm_head"}}});
    CHECK(method(dora) == "dora");
    CHECK(dora.at("notes").empty());
    CHECK(dora.at("request").at("training").at("lora").at("modules_to_save") == Json({"embed_tokens", "lm_head"}));
    CHECK(row(ask(dora.at("request")), "modules_to_save").at("bytes") > 0);

    const Json oft = inspect_adapter(
        {{"peft_type", "OFT"}, {"r", 0}, {"oft_block_size", 16}, {"target_modules", {"q_proj", "v_proj"}}});
    CHECK(method(oft) == "oft");
    CHECK(oft.at("adapter").at("block_size") == 16);
    CHECK(oft.at("notes").empty());
    const double hidden = small_llama().at("hidden_size"), layers = small_llama().at("num_hidden_layers");
    CHECK(ask(oft.at("request")).at("model").at("parameters").at("trainable") == layers * 2 * hidden * 15 / 2);
}

TEST_CASE("what of an adapter is not estimated is said") {
    const auto note = [](const Json& config) {
        const Json reply = inspect_adapter(config);
        REQUIRE(reply.at("notes").size() == 1);
        return reply.at("notes").at(0).at("code").get<std::string>();
    };
    CHECK(note({{"peft_type", "LOHA"}, {"r", 8}}) == "adapter_not_estimated");
    CHECK(note({{"peft_type", "OFT"}, {"r", 8}, {"oft_block_size", 0}}) == "adapter_not_estimated");
    CHECK(note({{"peft_type", "LORA"}, {"modules_to_save", {"score"}}}) == "modules_to_save_not_estimated");
    CHECK(note({{"peft_type", "LORA"}, {"rank_pattern", {{"q_proj", 4}}}}) == "rank_pattern_not_used");
}

}  // namespace plimsoll::test::adapter_configs
