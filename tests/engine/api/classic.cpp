// The hosted calculator's arithmetic, to the byte. Source: LLM-Tools, llm_tools/utils/memory_utils.py.
#include "engine/support.h"

namespace plimsoll::test::classic {

namespace {

struct Preset {
    const char* id;
    double P, H, L, A;
};
const std::vector<Preset> presets = {
    {"llama-3-70b-instruct", 70, 8192, 80, 64}, {"llama-3-8b", 8, 4096, 32, 32}, {"mixtral-8x7b", 47, 4096, 32, 32},
    {"phi-3-mini-4k", 3.8, 3072, 32, 32},       {"qwen2-72b", 72, 8192, 80, 64}, {"phi-2", 2.7, 2560, 32, 32}};

double total(Json request) {
    request["task"] = "classic";
    return ask(request).at("total").at("bytes").get<double>();
}

double gigabytes(double bytes) { return std::round(bytes / 1073741824.0 * 100) / 100; }

}  // namespace

TEST_CASE("Llama-3-70B with the defaults: 142.51 and 924.82") {
    const Json model = {{"preset", "llama-3-70b-instruct"}};
    CHECK(total({{"model", model}}) == 153019119616.0);
    CHECK(total({{"model", model}, {"training", Json::object()}}) == 993019119616.0);
    CHECK(gigabytes(153019119616.0) == 142.51);
    CHECK(gigabytes(993019119616.0) == 924.82);
}

TEST_CASE("every preset gives the formula's bytes, rounded once") {
    for (const Preset& preset : presets)
        for (const auto& [encoding, bytes] :
             std::vector<std::pair<const char*, double>>{{"fp32", 4}, {"fp16", 2}, {"int8", 1}, {"int4", 0.5}})
            for (const double S : {1.0, 2048.0, 8191.0}) {
                const double B = 3, P = preset.P * 1e9;
                const double inference = P * bytes + 2 * B * S * preset.L * preset.H * bytes +
                                         B * S * preset.H * (34 + 5 * S * preset.A / preset.H) * 4;
                const Json model = {{"preset", preset.id}}, weights = {{"encoding", encoding}};
                INFO(preset.id << " " << encoding << " " << S);
                CHECK(total({{"model", model},
                             {"weights", weights},
                             {"inference", {{"context", S}, {"sequences", B}}}}) == std::round(inference));
                for (const auto& [optimizer, state] :
                     std::vector<std::pair<const char*, double>>{{"adamw", 8}, {"adamw-8bit", 2}, {"sgd", 4}}) {
                    const double t = 37;
                    const double training = inference + state * P * t / 100 + 4 * P * t / 100;
                    CHECK(total({{"model", model},
                                 {"weights", weights},
                                 {"training",
                                  {{"sequence", S},
                                   {"micro_batch", B},
                                   {"optimizer", optimizer},
                                   {"trainable_percent", t}}}}) == std::round(training));
                }
            }
}

TEST_CASE("the hosted calculator's own JSON, and numbers typed by hand, give the same") {
    const Json own = {{"hidden_size", 4096},      {"num_hidden_layers", 32}, {"num_attention_heads", 32},
                      {"num_key_value_heads", 8}, {"vocab_size", 128256},    {"torch_dtype", "bfloat16"},
                      {"model_size", 8}};
    const Json typed = {
        {"parameters", 8e9}, {"hidden_size", 4096}, {"num_hidden_layers", 32}, {"num_attention_heads", 32}};
    CHECK(total({{"model", {{"config", own}}}}) == total({{"model", {{"preset", "llama-3-8b"}}}}));
    CHECK(total({{"model", typed}}) == total({{"model", {{"preset", "llama-3-8b"}}}}));
    CHECK(gigabytes(total({{"model", typed}})) == 19.46);
    const Json answered =
        ask({{"task", "inference"}, {"model", {{"config", own}}}, {"inference", {{"context", 2048}}}});
    CHECK(row(answered, "weights").at("bytes").get<double>() == 16e9);
    CHECK(row(answered, "kv_cache").at("bytes").get<double>() == 2.0 * 32 * 8 * 128 * 2 * 2048);
}

TEST_CASE("each difference is told, and classic is never the default") {
    const Json reply =
        ask({{"task", "classic"}, {"model", {{"preset", "llama-3-70b-instruct"}}}, {"training", Json::object()}});
    std::vector<std::string> codes;
    for (const Json& note : reply.at("notes")) codes.push_back(note.at("code").get<std::string>());
    for (const char* code : {"kv_heads", "kv_in_training", "one_layer_times_four", "s_squared", "rounded_parameters",
                             "no_master_weights", "no_logits", "no_overhead", "gib_called_gb"})
        CHECK(std::find(codes.begin(), codes.end(), std::string("classic.") + code) != codes.end());
    CHECK(std::find(codes.begin(), codes.end(), "rule_of_thumb") != codes.end());
    CHECK(ask({{"model", {{"preset", "llama-3-70b-instruct"}}}}).at("total").at("bytes") !=
          reply.at("total").at("bytes"));
}

TEST_CASE("what the hosted calculator needs and does not get is named") {
    CHECK(refuse(R"({"task": "classic", "model": {"parameters": 7e9, "hidden_size": 4096, "num_hidden_layers": 32}})")
              .at("where") == "model.num_attention_heads");
    CHECK(
        refuse(
            R"({"task": "classic", "model": {"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32}})")
            .at("where") == "model.parameters");
}

}  // namespace plimsoll::test::classic
