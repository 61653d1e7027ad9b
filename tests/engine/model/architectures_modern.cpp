// Families built from model/build/layer.h: parameters against published counts, and what their layers keep, by hand.
#include <algorithm>
#include <sstream>

#include "engine/support.h"

namespace plimsoll::test::architectures_modern {

namespace {

Json estimate(const Json& config, double context = 1000) {
    return ask({{"model", {{"config", config}}},
                {"inference", {{"context", context}, {"kv_encoding", "bf16"}}},
                {"explain", "rows"}});
}

double total(const Json& config) { return estimate(config).at("model").at("parameters").at("total").get<double>(); }

double cache(const Json& config, double context, const std::string& child = "") {
    return row(estimate(config, context), child.empty() ? "kv_cache" : "kv_cache/" + child).at("bytes").get<double>();
}

/// A configuration of `model_type` small enough to count by hand: hidden 64, 4 heads of 16, 2 key-value heads.
Json small(const std::string& model_type, const Json& more = Json::object()) {
    Json config = {{"model_type", model_type}, {"hidden_size", 64},        {"num_hidden_layers", 4},
                   {"num_attention_heads", 4}, {"num_key_value_heads", 2}, {"head_dim", 16},
                   {"intermediate_size", 128}, {"vocab_size", 100},        {"tie_word_embeddings", true}};
    config.update(more);
    return config;
}

constexpr double embedding = 100 * 64, last_norm = 64, attention = 64 * (64 + 32 + 32 + 64),
                 feed_forward = 3 * 64 * 128;

}  // namespace

TEST_CASE(
    "every row of tests/measured/models.jsonl of these families counts exactly: all, active and predicting ahead") {
    const std::vector<std::string> known = {"qwen3",       "qwen3_moe",    "qwen2_moe", "gemma3_text", "gemma3",
                                            "gpt_oss",     "glm",          "glm4",      "glm4_moe",    "glm4_moe_lite",
                                            "chatglm",     "qwen",         "phimoe",    "deepseek",    "deepseek_v2",
                                            "deepseek_v3", "deepseek_v32", "llama4",    "smollm3",     "granite",
                                            "granitemoe",  "olmo",         "olmo2",     "cohere",      "cohere2"};
    std::istringstream lines(read("tests/measured/models.jsonl"));
    int counted = 0;
    for (std::string line; std::getline(lines, line);) {
        const Json measured = Json::parse(line, nullptr, false);
        if (measured.is_discarded()) continue;
        const Json& config = measured.at("config");
        if (!config.contains("model_type") ||
            std::find(known.begin(), known.end(), config.at("model_type").get<std::string>()) == known.end())
            continue;
        const Json parameters =
            ask({{"model", {{"config", config}}}, {"explain", "none"}}).at("model").at("parameters");
        INFO(measured.at("name"));
        CHECK(parameters.at("total") == measured.at("params_total"));
        CHECK(parameters.at("active") == measured.at("params_active"));
        CHECK(parameters.at("parts").value("mtp", 0.0) == measured.at("params_mtp").get<double>());
        ++counted;
    }
    CHECK(counted == 39);
}

TEST_CASE(
    "models without a row there: the totals of their repositories, less what is stored there and is no parameter") {
    const std::vector<std::pair<Json, double>> published = {
        {{{"model_type", "gpt_oss"}}, 116829156672},
        {{{"model_type", "olmoe"}, {"intermediate_size", 1024}}, 6919161856},
        {{{"model_type", "olmo3"}, {"vocab_size", 100278}}, 7298011136},
        {{{"model_type", "ernie4_5"}}, 360748032},
        {{{"model_type", "ernie4_5_moe"}}, 21825437888},
        {{{"model_type", "seed_oss"}, {"hidden_size", 5120}}, 36151104512},
        {{{"model_type", "apertus"}, {"num_key_value_heads", 8}, {"intermediate_size", 21504}}, 8053338176},
        {{{"model_type", "minimax_m2"}}, 228689748992},
        {{{"model_type", "hunyuan_v1_moe"},
          {"vocab_size", 128167},
          {"intermediate_size", 3072},
          {"num_key_value_heads", 8},
          {"num_experts", 64},
          {"moe_topk", std::vector<int>(32, 8)},
          {"tie_word_embeddings", true}},
         80393183232},
        {{{"model_type", "cohere"},
          {"hidden_size", 12288},
          {"intermediate_size", 33792},
          {"num_hidden_layers", 64},
          {"num_attention_heads", 96},
          {"num_key_value_heads", 8},
          {"use_qk_norm", true}},
         103810674688},
        {{{"model_type", "chatglm"}, {"inner_hidden_size", 16384}, {"vocab_size", 130528}}, 6173286400},
        {{{"model_type", "deepseek_v2"},
          {"hidden_size", 5120},
          {"intermediate_size", 12288},
          {"moe_intermediate_size", 1536},
          {"num_hidden_layers", 60},
          {"num_attention_heads", 128},
          {"n_routed_experts", 160},
          {"first_k_dense_replace", 1},
          {"vocab_size", 102400},
          {"num_experts_per_tok", 6}},
         235741434880}};
    for (const auto& [config, count] : published) {
        INFO(config.dump());
        CHECK(total(config) == count);
    }
    const Json mimo = estimate({{"model_type", "mimo"},
                                {"vocab_size", 151680},
                                {"intermediate_size", 11008},
                                {"num_hidden_layers", 36},
                                {"num_key_value_heads", 8},
                                {"num_nextn_predict_layers", 1}})
                          .at("model")
                          .at("parameters");
    CHECK(mimo.at("total").get<double>() + mimo.at("parts").at("mtp").get<double>() ==
          7833409536);  // the repository holds both
}

TEST_CASE("norms of query and key: one weight for all heads, one over the projection, one for each head") {
    const double plain = embedding + last_norm + 4 * (attention + feed_forward + 2 * 64);
    CHECK(total(small("qwen3")) == plain + 4 * 2 * 16);
    CHECK(total(small("olmo2")) == plain + 4 * (64 + 32));
    CHECK(total(small("cohere", {{"use_qk_norm", true}})) == plain - 4 * 64 + 4 * (64 + 32));  // one norm a layer
    CHECK(total(small("olmo")) == plain - 9 * 64);                                             // norms without weights
    CHECK(total(small("glm4")) == plain + 4 * 2 * 64 + 4 * (64 + 32 + 32));  // four norms; biases on q, k and v
    CHECK(total(small("apertus")) == plain + 4 * (2 * 16 + 2 - 64 * 128));   // no gate; two scalars of the activation
    CHECK(total(small("arcee")) == plain - 4 * 64 * 128);
}

TEST_CASE("experts: shared ones, gates and biases, which layers have them") {
    const double around = embedding + last_norm + 4 * (attention + 2 * 64);
    const Json experts = {{"num_experts", 8}, {"num_experts_per_tok", 2}, {"moe_intermediate_size", 32}};
    const double expert = 3 * 64 * 32, sparse = 8 * expert + 64 * 8;
    CHECK(total(small("qwen3_moe", experts)) == around + 4 * (sparse + 2 * 16));
    Json some = experts;
    some.update({{"decoder_sparse_step", 2}, {"mlp_only_layers", {3}}});  // 1 and 3, less 3
    CHECK(total(small("qwen3_moe", some)) == around + 4 * 2 * 16 + sparse + 3 * feed_forward);
    Json shared = experts;
    shared["shared_expert_intermediate_size"] = 48;
    CHECK(total(small("qwen2_moe", shared)) == around + 4 * (sparse + 3 * 64 * 48 + 64 + 64 + 32 + 32));
    const Json parameters = estimate(small("qwen2_moe", shared)).at("model").at("parameters");
    CHECK(parameters.at("total").get<double>() - parameters.at("active").get<double>() == 4 * 6 * expert);
    const Json oss = {
        {"num_local_experts", 8}, {"num_experts_per_tok", 2}, {"intermediate_size", 32}, {"tie_word_embeddings", true}};
    CHECK(total(small("gpt_oss", oss)) == around + 4 * (sparse + 8 * (32 + 32 + 64) + 8 + 64 + 32 + 32 + 64 + 4));
    const Json ernie = {{"moe_num_experts", 8},
                        {"moe_k", 2},
                        {"moe_intermediate_size", 32},
                        {"moe_num_shared_experts", 1},
                        {"moe_layer_end_index", 2}};
    CHECK(total(small("ernie4_5_moe", ernie)) == around + 2 * (sparse + expert + 8) + 2 * feed_forward);
}

TEST_CASE("a cache knows which layers look at a window, at a chunk, or at everything") {
    const double of_layer = 2 * 2 * 32;  // bytes a token: keys and values of two heads
    const auto with = [](double window, const Json& more = Json::object()) {
        Json both = {{"sliding_window", window}};
        both.update(more);
        return both;
    };
    CHECK(cache(small("gpt_oss", with(8)), 100) == of_layer * (2 * 8 + 2 * 100));
    CHECK(cache(small("gemma3_text", with(8)), 100) ==
          of_layer * 4 * 8);  // the sixth layer would be the first full one
    CHECK(cache(small("gemma3_text", with(8, {{"sliding_window_pattern", 2}})), 100) == of_layer * (2 * 8 + 2 * 100));
    CHECK(cache(small("olmo3", with(8)), 100) == of_layer * (3 * 8 + 100));
    CHECK(cache(small("cohere2", with(8, {{"sliding_window_pattern", 4}})), 100) == of_layer * (3 * 8 + 100));
    CHECK(cache(small("ministral", with(8)), 100) == of_layer * 4 * 8);
    const Json named = {{"layer_types", {"full_attention", "sliding_attention", "full_attention", "full_attention"}}};
    CHECK(cache(small("ministral", with(8, named)), 100) == of_layer * (8 + 3 * 100));
    CHECK(cache(small("qwen3", with(8)), 100) == of_layer * 4 * 100);
    CHECK(cache(small("qwen3", with(8, {{"use_sliding_window", true}, {"max_window_layers", 1}})), 100) ==
          of_layer * (100 + 3 * 8));
    CHECK(cache(small("llama4_text", {{"attention_chunk_size", 8}, {"num_local_experts", 2}}), 100) ==
          of_layer * (3 * 8 + 100));
    CHECK(cache(small("smollm3"), 100) == of_layer * 4 * 100);
}

TEST_CASE("latent attention keeps the latent and the shared rotated key, and the indexer its own") {
    const Json latent = {{"kv_lora_rank", 24},        {"q_lora_rank", 40},        {"qk_nope_head_dim", 12},
                         {"qk_rope_head_dim", 4},     {"v_head_dim", 10},         {"n_routed_experts", 8},
                         {"n_shared_experts", 2},     {"num_experts_per_tok", 2}, {"moe_intermediate_size", 32},
                         {"first_k_dense_replace", 1}};
    const double key = 12 + 4;
    const double mla = 64 * 40 + 40 + 40 * 4 * key + 64 * (24 + 4) + 24 + 24 * 4 * (12 + 10) + 4 * 10 * 64;
    const double expert = 3 * 64 * 32, sparse = 10 * expert + 64 * 8;
    const double v3 = embedding + last_norm + 4 * (mla + 2 * 64) + feed_forward + 3 * sparse;
    CHECK(total(small("deepseek_v3", latent)) == v3);
    CHECK(cache(small("deepseek_v3", latent), 100) == 4 * 2 * (24 + 4) * 100);
    CHECK(cache(small("kimi_k2", latent), 100, "latents") == 4 * 2 * (24 + 4) * 100);
    Json lite = latent;
    lite["q_lora_rank"] = nullptr;
    CHECK(total(small("deepseek_v2", lite)) == v3 + 4 * (64 * 4 * key - 64 * 40 - 40 - 40 * 4 * key));
    Json indexed = latent;
    indexed.update({{"index_n_heads", 3}, {"index_head_dim", 8}});
    const double indexer = 40 * 3 * 8 + 64 * 8 + 2 * 8 + 64 * 3;
    CHECK(total(small("deepseek_v32", indexed)) == v3 + 4 * indexer);
    CHECK(cache(small("deepseek_v32", indexed), 100, "keys") == 4 * 2 * 8 * 100);
    Json sharing = indexed;
    sharing["indexer_types"] = {"full", "shared", "full", "shared"};
    CHECK(total(small("glm_moe_dsa", sharing)) == v3 + 2 * indexer);
    CHECK(cache(small("glm_moe_dsa", sharing), 100, "keys") == 2 * 2 * 8 * 100);
    Json ahead = latent;
    ahead["num_nextn_predict_layers"] = 2;
    const Json parameters = estimate(small("deepseek_v3", ahead)).at("model").at("parameters");
    CHECK(parameters.at("total").get<double>() == v3);
    CHECK(parameters.at("parts").at("mtp").get<double>() == 2 * (mla + 2 * 64 + sparse + 2 * 64 * 64 + 3 * 64));
}

TEST_CASE(
    "saved for the backward pass of latent attention: the latents, queries and keys put together, values padded to "
    "their width") {
    const Json config = small("deepseek_v2", {{"kv_lora_rank", 24},
                                              {"q_lora_rank", nullptr},
                                              {"qk_nope_head_dim", 12},
                                              {"qk_rope_head_dim", 4},
                                              {"v_head_dim", 10},
                                              {"num_experts_per_tok", 2},
                                              {"first_k_dense_replace", 4}});
    const Json request = {
        {"task", "training"},
        {"model", {{"config", config}}},
        {"training",
         {{"precision", "bf16"}, {"attention", "flash"}, {"optimizer", "sgd"}, {"micro_batch", 1}, {"sequence", 100}}}};
    const double saved = row(ask(request), "activations/saved.attention").at("by_phase").at("forward").get<double>();
    // a token of a layer, in elements of two bytes: the normed input (q and kv_a read it), the normed latent, query and
    // key of 4 × 16, the values padded to that width, as is flash attention's output, which is cut to 4 × 10 for
    // o_proj; and four log-sum-exps of four bytes
    CHECK(saved == 4 * 100 * (2.0 * (64 + 24 + 64 + 64 + 64 + 64 + 40) + 4 * 4));
}

}  // namespace plimsoll::test::architectures_modern
