// Parameter counts, against the published ones (sources in presets/models and tests/measured/models.jsonl).
#include <sstream>

#include "engine/support.h"

namespace plimsoll::test::models {

TEST_CASE("published parameter counts come out exactly") {
    const std::vector<std::pair<const char*, double>> published = {
        {"llama-3-8b", 8030261248},    {"llama-3-70b-instruct", 70553706496}, {"mistral-7b-v0.1", 7241732096},
        {"mixtral-8x7b", 46702792704}, {"gemma-2-27b", 27227128320},          {"gpt2", 124439808}};
    for (const auto& [model, count] : published) {
        const Json reply = ask({{"model", {{"preset", model}}}, {"explain", "none"}});
        INFO(model);
        CHECK(reply.at("model").at("parameters").at("total").get<double>() == count);
    }
}

TEST_CASE("every row of tests/measured/models.jsonl counts exactly: in all, active, and the prediction layers") {
    std::istringstream lines(read("tests/measured/models.jsonl"));
    int counted = 0;
    for (std::string line; std::getline(lines, line);) {
        for (size_t at; (at = line.find("Infinity")) != std::string::npos;)
            line.replace(at, 8, "0");  // Python's, in fields of no use here
        const Json measured = Json::parse(line);
        const Json reply = ask({{"model", {{"config", measured.at("config")}}}, {"explain", "none"}});
        const Json& parameters = reply.at("model").at("parameters");
        INFO(measured.at("name"));
        CHECK(parameters.at("total") == measured.at("params_total"));
        CHECK(parameters.at("active") == measured.at("params_active"));
        CHECK(parameters.at("parts").value("mtp", 0.0) == measured.value("params_mtp", 0.0));
        ++counted;
    }
    CHECK(counted == 166);
}

TEST_CASE("Mixtral's active parameters leave out the experts that a token does not visit") {
    const Json reply = ask({{"model", {{"preset", "mixtral-8x7b"}}}, {"explain", "none"}});
    CHECK(reply.at("model").at("parameters").at("active").get<double>() == 46702792704.0 - 32.0 * 6 * 3 * 4096 * 14336);
}

TEST_CASE("a tied head is counted once") {
    Json config = small_llama();
    const auto count = [](const Json& given) {
        return ask({{"model", {{"config", given}}}}).at("model").at("parameters").at("total").get<double>();
    };
    const double untied = count(config);
    config["tie_word_embeddings"] = true;
    CHECK(untied - count(config) == 1000 * 256);
}

TEST_CASE("a field that is not stated takes the class default, and the reply says so") {
    Json config = small_llama();
    config.erase("vocab_size");
    const Json reply = ask({{"model", {{"config", config}}}});
    bool told = false;
    for (const Json& assumption : reply.at("assumptions"))
        told = told || (assumption.at("field") == "model.config.vocab_size" && assumption.at("value") == 32000);
    CHECK(told);
}

TEST_CASE("an architecture that is unknown is counted as a usual decoder, and the reply says so") {
    Json config = small_llama();
    const double known = ask({{"model", {{"config", config}}}}).at("model").at("parameters").at("total").get<double>();
    config["model_type"] = "nobody_knows";
    const Json reply = ask({{"model", {{"config", config}}}});
    CHECK(reply.at("model").at("parameters").at("total").get<double>() == known);
    CHECK(reply.at("notes")[0].at("code") == "generic_architecture");
    CHECK(row(reply, "weights").at("basis") == "rule");
    CHECK(row(reply, "weights").at("high").get<double>() > 1.2 * row(reply, "weights").at("bytes").get<double>());
    config["num_experts"] = 8;
    CHECK(refuse(Json{{"model", {{"config", config}}}}.dump()).at("code") == "unknown_architecture");
    config.erase("num_experts");
    config.erase("hidden_size");
    CHECK(refuse(Json{{"model", {{"config", config}}}}.dump()).at("where") == "model.config.hidden_size");
}

TEST_CASE("a windowed layer keeps its window, a full one the whole context") {
    const auto cache = [](const char* model, double context) {
        return row(ask({{"model", {{"preset", model}}}, {"inference", {{"context", context}}}}), "kv_cache")
            .at("bytes")
            .get<double>();
    };
    CHECK(cache("mistral-7b-v0.1", 4096) == 2.0 * 32 * 8 * 128 * 2 * 4096);
    CHECK(cache("mistral-7b-v0.1", 32000) == cache("mistral-7b-v0.1", 4096));
    CHECK(cache("gemma-2-27b", 8192) == 2.0 * 16 * 128 * 2 * (23 * 8192 + 23 * 4096));
    CHECK(cache("llama-3-70b-instruct", 8192) == 2.0 * 80 * 8 * 128 * 2 * 8192);
}

TEST_CASE("typed by hand and not complete: the part that can be told, and what is missing") {
    const Json reply = ask({{"model", {{"parameters", 70e9}}}});
    CHECK(row(reply, "weights").at("bytes").get<double>() == 140e9);
    CHECK(reply.at("missing") ==
          Json({"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size"}));
    const Json without = ask(
        {{"model",
          {{"hidden_size", 4096}, {"num_hidden_layers", 32}, {"num_attention_heads", 32}, {"num_key_value_heads", 8}}},
         {"inference", {{"context", 1000}}}});
    CHECK(without.at("missing")[0] == "parameters");
    CHECK(row(without, "kv_cache").at("bytes").get<double>() == 2.0 * 32 * 8 * 128 * 2 * 1000);
    const Json whole = ask({{"model",
                             {{"hidden_size", 256},
                              {"num_hidden_layers", 3},
                              {"num_attention_heads", 8},
                              {"num_key_value_heads", 2},
                              {"intermediate_size", 704},
                              {"vocab_size", 1000}}}});
    CHECK(whole.at("missing").empty());
    CHECK(whole.at("model").at("parameters").at("total") ==
          ask({{"model", {{"config", small_llama()}}}}).at("model").at("parameters").at("total"));
}

TEST_CASE("inspect tells architecture, parameters by part and the weights of each kind of layer") {
    const Json request = {{"files", {{{"name", "config.json"}, {"text", small_llama().dump()}}}}};
    const Json reply = Json::parse(engine().inspect(request.dump()));
    INFO(reply.dump());
    CHECK(reply.at("architecture") == "LlamaForCausalLM");
    double sum = 0;
    for (const auto& [part, count] : reply.at("parameters").at("by_part").items()) sum += count.get<double>();
    CHECK(sum == reply.at("parameters").at("total").get<double>());
    double layers = 0;
    for (const Json& kind : reply.at("layers"))
        for (const Json& weight : kind.at("weights"))
            layers += kind.at("count").get<double>() * weight.at("parameters").get<double>();
    CHECK(layers == sum);
}

}  // namespace plimsoll::test::models
