// Families beyond Llama's kin: published counts, and what their layers keep, worked out by hand.
#include <algorithm>

#include "engine/support.h"

namespace plimsoll::test::architectures_wide {

namespace {

double kept(const Json& config, const char* path, double context, double sequences = 1) {
    return row(ask({{"model", {{"config", config}}}, {"inference", {{"context", context}, {"sequences", sequences}}}}),
               path)
        .at("bytes")
        .get<double>();
}

bool has_row(const Json& config, const std::string& id) {
    const Json reply = ask({{"model", {{"config", config}}}, {"inference", {{"context", 1000}}}});
    return std::any_of(reply.at("rows").begin(), reply.at("rows").end(),
                       [&](const Json& each) { return each.at("id") == id; });
}

double count(const Json& config) {
    return ask({{"model", {{"config", config}}}, {"explain", "none"}})
        .at("model")
        .at("parameters")
        .at("total")
        .get<double>();
}

}  // namespace

TEST_CASE("Mamba keeps a state of fixed size and no cache") {
    const Json config = {
        {"model_type", "mamba"}, {"hidden_size", 768}, {"num_hidden_layers", 24}, {"vocab_size", 50280}};
    CHECK(kept(config, "state/recurrent", 1000) == 24.0 * 1536 * 16 * 2);
    CHECK(kept(config, "state/convolution", 1000) == 24.0 * 1536 * 4 * 2);
    CHECK(kept(config, "state", 100000, 3) == 3 * kept(config, "state", 10));
    CHECK(!has_row(config, "kv_cache"));
}

TEST_CASE("Nemotron-H keeps keys of its attention layers and states of its Mamba layers, by the pattern") {
    const Json config = {{"model_type", "nemotron_h"},
                         {"hidden_size", 3072},
                         {"num_hidden_layers", 6},
                         {"hybrid_override_pattern", "M-M*M-"},
                         {"vocab_size", 1000},
                         {"intermediate_size", 12288},
                         {"num_attention_heads", 32},
                         {"num_key_value_heads", 8},
                         {"attention_head_dim", 128},
                         {"ssm_state_size", 128},
                         {"mamba_num_heads", 112},
                         {"mamba_head_dim", 64},
                         {"n_groups", 8},
                         {"conv_kernel", 4}};
    CHECK(kept(config, "kv_cache", 1000) == 2.0 * 8 * 128 * 2 * 1000);
    CHECK(kept(config, "state/recurrent", 1000) == 3.0 * 112 * 64 * 128 * 2);
    CHECK(kept(config, "state/convolution", 1000) == 3.0 * (112 * 64 + 2 * 8 * 128) * 4 * 2);
    Json wide = config;
    wide["mamba_ssm_cache_dtype"] = "float32";
    CHECK(kept(wide, "state/recurrent", 1000) == 2 * kept(config, "state/recurrent", 1000));
    Json wrong = config;
    wrong["num_hidden_layers"] = 7;
    CHECK(refuse(Json{{"model", {{"config", wrong}}}}.dump()).at("code") == "does_not_match");
}

TEST_CASE("Qwen3-Next: one layer in four has a cache, the others an fp32 state, prediction layers are apart") {
    Json config = {{"model_type", "qwen3_next"}};  // the class defaults are those of the 80B
    CHECK(count(config) == 79674391296.0);
    CHECK(kept(config, "kv_cache", 1000) == 12.0 * 2 * 2 * 256 * 2 * 1000);
    CHECK(kept(config, "state/recurrent", 1000) == 36.0 * 32 * 128 * 128 * 4);
    CHECK(kept(config, "state/convolution", 1000) == 36.0 * (2 * 16 * 128 + 32 * 128) * 4 * 2);
    config["num_nextn_predict_layers"] = 1;
    const Json parameters = ask({{"model", {{"config", config}}}, {"explain", "none"}}).at("model").at("parameters");
    CHECK(parameters.at("total") == 79674391296.0);
}

TEST_CASE("multi-query and grouped Falcon keep one and eight key-value heads") {
    const Json small = {{"model_type", "falcon"}};
    CHECK(kept(small, "kv_cache", 1000) == 32.0 * 2 * 64 * 2 * 1000);
    const Json large = {{"model_type", "falcon"},  {"new_decoder_architecture", true}, {"hidden_size", 8192},
                        {"num_hidden_layers", 60}, {"num_attention_heads", 128},       {"num_kv_heads", 8}};
    CHECK(kept(large, "kv_cache", 1000) == 60.0 * 2 * 8 * 64 * 2 * 1000);
}

TEST_CASE("an encoder keeps nothing and has no vocabulary head") {
    const Json config = {{"model_type", "bert"}};
    CHECK(count(config) == 109482240.0);
    CHECK(!has_row(config, "kv_cache"));
    CHECK(!has_row(config, "logits"));
    const Json reranker = {{"model_type", "xlm-roberta"}, {"architectures", {"XLMRobertaForSequenceClassification"}},
                           {"hidden_size", 768},          {"num_hidden_layers", 12},
                           {"num_attention_heads", 12},   {"intermediate_size", 3072},
                           {"vocab_size", 250002},        {"max_position_embeddings", 514},
                           {"type_vocab_size", 1}};
    CHECK(count(reranker) == 278044417.0);  // 278,043,648 with the pooler's matrix, and one score's weights and bias
    CHECK(!has_row({{"model_type", "modernbert"}}, "kv_cache"));
    CHECK(count({{"model_type", "modernbert"}}) == 149014272.0);  // ModernBERT-base without its prediction head
}

TEST_CASE("an encoder-decoder keeps its own keys and those of its source") {
    const Json t5 = {{"model_type", "t5"}};
    CHECK(kept(t5, "kv_cache", 1000) == 6.0 * 2 * 2 * 512 * 2 * 1000);
    const Json whisper = {{"model_type", "whisper"}};  // the class defaults are those of tiny
    CHECK(count(whisper) == 37760640.0);
    CHECK(kept(whisper, "kv_cache", 448) == 4.0 * 2 * 384 * 2 * (448 + 1500));
}

TEST_CASE("Llama 3.2 Vision attends to one image's patches in eight of forty layers") {
    const Json config = {
        {"model_type", "mllama"},
        {"text_config", {{"vocab_size", 128256}, {"cross_attention_layers", {3, 8, 13, 18, 23, 28, 33, 38}}}},
        {"vision_config",
         {{"image_size", 560},
          {"patch_size", 14},
          {"max_num_tiles", 4},
          {"intermediate_layers_indices", {3, 7, 15, 23, 30}},
          {"vision_output_dim", 7680}}}};
    CHECK(count(config) == 10670220835.0);  // safetensors.total of Llama-3.2-11B-Vision
    CHECK(kept(config, "kv_cache", 1000) == 2.0 * 1024 * 2 * (32 * 1000 + 8 * 4 * 1601));
}

TEST_CASE("short convolutions keep their last inputs, attention layers keys of normed heads") {
    const Json config = {{"model_type", "lfm2"},
                         {"hidden_size", 1024},
                         {"num_hidden_layers", 4},
                         {"num_attention_heads", 16},
                         {"num_key_value_heads", 8},
                         {"intermediate_size", 6656},
                         {"layer_types", {"conv", "conv", "full_attention", "conv"}},
                         {"vocab_size", 65536}};
    CHECK(kept(config, "state/convolution", 1000) == 3.0 * 1024 * 3 * 2);
    CHECK(kept(config, "kv_cache", 1000) == 2.0 * 8 * 64 * 2 * 1000);
    const double width = 4608;  // two thirds of 6656, rounded up to 256
    CHECK(count(config) == 65536.0 * 1024 + 4 * (3 * 1024 * width + 2048) + 3 * (4.0 * 1024 * 1024 + 3 * 1024) +
                               (2.0 * 1024 * 1024 + 2.0 * 1024 * 512 + 2 * 64) + 1024);
}

TEST_CASE("RWKV keeps five vectors a layer, three of them in fp32") {
    const Json config = {{"model_type", "rwkv"}, {"hidden_size", 768}, {"num_hidden_layers", 12}};
    CHECK(count(config) == 169342464.0);  // RWKV-4 169M
    CHECK(kept(config, "state", 1000) == 12.0 * 768 * (2 * 2 + 3 * 4));
}

}  // namespace plimsoll::test::architectures_wide
