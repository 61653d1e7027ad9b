// What formats store beside the values, and which weights they leave wide.
#include <algorithm>
#include <filesystem>

#include "engine/support.h"
#include "formats/gguf/ggml_types.h"
#include "formats/presets/presets.h"
#include "policies/encodings/gguf_types.h"

namespace plimsoll::test::encodings {

namespace {

Json with(const Json& config, const std::string& encoding) {
    Json request = {{"model", {{"config", config}}}, {"inference", {{"context", 128}}}};
    if (!encoding.empty()) request["weights"] = {{"encoding", encoding}};
    return request;
}

double weights(const Json& config, const std::string& encoding) {
    return row(ask(with(config, encoding)), "weights").at("bytes").get<double>();
}

Json small_mixture() {
    return {{"model_type", "mixtral"},     {"vocab_size", 1024},       {"hidden_size", 256},
            {"intermediate_size", 512},    {"num_hidden_layers", 4},   {"num_attention_heads", 4},
            {"num_key_value_heads", 2},    {"num_local_experts", 4},   {"num_experts_per_tok", 2},
            {"tie_word_embeddings", true}, {"torch_dtype", "bfloat16"}};
}

// Of the small mixture: by hand.
constexpr double layers = 4, attention = 256 * 256 * 2 + 256 * 128 * 2, experts = 4 * 3 * 256 * 512, router = 256 * 4,
                 norms = 2 * 256, outside = 1024 * 256 + 256;

bool is_block_type(const Json& preset) {
    const Json& uses = preset.at("uses");
    return std::find(uses.begin(), uses.end(), "blocks") != uses.end();
}

std::string upper(std::string text) {
    for (char& letter : text) letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    return text;
}

}  // namespace

TEST_CASE(
    "what a preset says of a block type of GGUF is what the reader of files knows, and the rules' names are theirs") {
    const std::string prefix = "gguf-";
    const std::filesystem::path folder = std::filesystem::path(PLIMSOLL_SOURCE_DIR) / "presets/encodings";
    std::vector<std::string> blocks;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const Json preset = Json::parse(read("presets/encodings/" + entry.path().filename().string()));
        const std::string id = preset.at("id");
        if (id.rfind(prefix, 0) != 0 || !is_block_type(preset)) continue;
        INFO(id);
        blocks.push_back(id.substr(prefix.size()));
        const GgmlType* type = ggml_type(upper(blocks.back()));
        REQUIRE(type);
        CHECK(preset.value("block", 1.0) == type->elements);
        CHECK(preset.at("bits").get<double>() * type->elements == 8 * type->bytes);
    }
    std::vector<std::string> named(std::begin(block_type_names), std::end(block_type_names));
    std::sort(blocks.begin(), blocks.end());
    std::sort(named.begin(), named.end());
    CHECK(blocks == named);
}

TEST_CASE("bytes beside the values, by hand") {
    const double packed = layers * (attention + experts), wide = 2 * (layers * (router + norms) + outside);
    const double outputs = layers * (256 + 128 + 128 + 256 + 4 * (512 + 512 + 256));
    const double inputs = layers * (4 * 256 + 4 * (256 + 256 + 512)), matrices = layers * (4 + 4 * 3);
    const Json config = small_mixture();
    CHECK(weights(config, "gptq-4bit-128g") == wide + packed / 2 + packed / 128 * 2.5 + inputs * 4);
    CHECK(weights(config, "awq-4bit-128g") == wide + packed / 2 + packed / 128 * 2.5);
    CHECK(weights(config, "nf4") == wide + packed / 2 + packed / 64 * 4 + matrices * 64);
    CHECK(weights(config, "nf4-dq") == wide + packed / 2 + packed / 64 + packed / 64 / 256 * 4 + matrices * 1092);
    CHECK(weights(config, "int8-llm") == wide + packed + outputs * 4);
    CHECK(weights(config, "fp8-tensor") == wide + packed + matrices * 8);
    CHECK(weights(config, "fp8-block-128") == wide + packed + packed / 128 / 128 * 4);
    CHECK(weights(config, "nvfp4") == wide + packed / 2 + packed / 16 + matrices * 8);
    CHECK(weights(config, "mxfp4") == wide + 2 * layers * attention + layers * experts * (0.5 + 1.0 / 32));
    const double all = layers * (attention + experts + router) + 1024 * 256;
    CHECK(weights(config, "mlx-4bit") == 2 * (layers * norms + 256) + all * (0.5 + 4.0 / 64));
}

TEST_CASE("scales are a row of their own") {
    const Json reply = ask(with(small_mixture(), "awq-4bit-128g"));
    CHECK(row(reply, "weights/scales").at("bytes") == layers * (attention + experts) / 128 * 2.5);
    CHECK(row(reply, "weights/router").at("bytes") == 2 * layers * router);
    double tensors = 0;
    for (const Json& type : reply.at("model").at("tensor_types")) tensors += type.at("tensors").get<double>();
    CHECK(tensors > 0);
}

TEST_CASE("a narrower format is never larger") {
    for (const Json& config : {small_llama(), small_mixture()})
        for (const std::vector<std::string>& formats :
             {std::vector<std::string>{"gguf-f32", "gguf-f16", "gguf-q8_0", "gguf-q6_k", "gguf-q5_k_m", "gguf-q4_k_m",
                                       "gguf-q4_k_s", "gguf-q3_k_s", "gguf-q2_k_s"},
              {"bf16", "int8-llm", "nf4", "nf4-dq"},
              {"fp16", "gptq-8bit-128g", "gptq-4bit-128g", "gptq-3bit-128g", "gptq-2bit-128g"},
              {"mlx-8bit", "mlx-6bit", "mlx-5bit", "mlx-4bit", "mlx-3bit", "mlx-2bit"}})
            for (size_t index = 1; index < formats.size(); ++index) {
                INFO(formats[index - 1] << " and " << formats[index]);
                CHECK(weights(config, formats[index]) <= weights(config, formats[index - 1]));
            }
}

TEST_CASE("quantization_config selects the encoding, and says so") {
    const auto chosen = [](const Json& quantization) {
        Json config = small_mixture();
        config["quantization_config"] = quantization;
        const Json reply = ask(with(config, ""));
        for (const Json& assumption : reply.at("assumptions"))
            if (assumption.at("field") == "weights.encoding")
                return assumption.at("value").get<std::string>() + ": " + assumption.at("why").get<std::string>();
        return std::string();
    };
    const std::string why = ": quantization_config of config.json";
    CHECK(chosen({{"quant_method", "gptq"}, {"bits", 4}, {"group_size", 128}}) == "gptq-4bit-128g" + why);
    CHECK(chosen({{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}}) == "awq-4bit-128g" + why);
    CHECK(chosen({{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}}) == "fp8-block-128" + why);
    CHECK(chosen({{"quant_method", "fp8"}, {"weight_block_size", nullptr}}) == "fp8-tensor" + why);
    CHECK(chosen({{"quant_method", "mxfp4"}}) == "mxfp4" + why);
    CHECK(chosen({{"quant_method", "bitsandbytes"},
                  {"load_in_4bit", true},
                  {"bnb_4bit_quant_type", "nf4"},
                  {"bnb_4bit_use_double_quant", true}}) == "nf4-dq" + why);
    CHECK(chosen({{"group_size", 64}, {"bits", 4}}) == "mlx-4bit-64g" + why);
    CHECK(chosen({{"quant_method", "aqlm"}}) ==
          "bf16: quantization_config says aqlm, which is not known: counted unquantised");
}

TEST_CASE("what is quantised of a language model beside a tower is said where that is described") {
    const Json reply = ask({{"model", {{"preset", "kimi-k2.5"}}}, {"inference", {{"context", 1024}}}});
    const double hidden = 7168, expert = 3 * hidden * 2048, dense = 3 * hidden * 18432;
    CHECK(row(reply, "weights/experts").at("bytes") == 60 * 384 * expert / 2);
    CHECK(row(reply, "weights/shared_experts").at("bytes") == 60 * expert * 2);
    CHECK(row(reply, "weights/feed_forward").at("bytes") == dense * 2);
    CHECK(row(reply, "weights/scales").at("bytes") == 60 * 384 * (expert / 32 * 2 + 3 * 16));
}

}  // namespace plimsoll::test::encodings
