// A narrower format is never larger: one model of each family, and one typed by hand, in every format there is.
#include <filesystem>
#include <map>

#include "engine/support.h"

namespace plimsoll::test::narrower {

namespace {

namespace fs = std::filesystem;

// Formats of one kind, from the widest to the narrowest. GGUF's file types are told apart by what their quantizer does:
// a wider type for some tensors may outweigh a narrower one for the others, so that Q2_K and Q3_K_L have no place here.
const std::vector<std::vector<std::string>> chains = {
    {"fp64", "fp32", "bf16", "fp8", "int4"},
    {"bf16", "int8-llm", "nf4", "nf4-dq"},
    {"fp16", "gptq-8bit-128g", "gptq-4bit-32g", "gptq-4bit-64g", "gptq-4bit-128g", "gptq-3bit-128g", "gptq-2bit-128g"},
    {"fp16", "awq-4bit-64g", "awq-4bit-128g"},
    {"hqq-8bit-64g", "hqq-4bit-64g", "hqq-3bit-64g", "hqq-2bit-64g"},
    {"mlx-8bit-64g", "mlx-6bit-64g", "mlx-5bit-64g", "mlx-4bit-64g", "mlx-4bit-128g"},
    {"exl2-8.0bpw", "exl2-6.0bpw", "exl2-5.0bpw", "exl2-4.65bpw", "exl2-4.0bpw", "exl2-3.5bpw", "exl2-3.0bpw",
     "exl2-2.5bpw"},
    {"exl3-8.0bpw", "exl3-6.0bpw", "exl3-5.0bpw", "exl3-4.0bpw", "exl3-3.5bpw", "exl3-3.0bpw", "exl3-2.5bpw",
     "exl3-2.0bpw"},
    {"ct-w8a16", "ct-w4a16-32g", "ct-w4a16-128g"},
    {"gguf-f32", "gguf-f16", "gguf-q8_0", "gguf-q6_k", "gguf-q5_k_m", "gguf-q4_k_m", "gguf-q4_k_s", "gguf-q3_k_s"},
    {"gguf-q5_k_m", "gguf-q5_k_s"},
    {"gguf-q3_k_l", "gguf-q3_k_m", "gguf-q3_k_s"},
    {"gguf-iq3_m", "gguf-iq3_s"},
    {"gguf-iq2_m", "gguf-iq2_s", "gguf-iq2_xs", "gguf-iq2_xxs", "gguf-iq1_m", "gguf-iq1_s"}};

// The smallest model of each family, by its preset.
std::map<std::string, Json> families() {
    std::map<std::string, Json> chosen;
    for (const auto& entry : fs::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/models")) {
        const Json preset = Json::parse(read("presets/models/" + entry.path().filename().string()));
        Json& known = chosen[preset.at("family").get<std::string>()];
        if (known.is_null() || preset.at("id") < known.at("id")) known = preset;
    }
    return chosen;
}

std::vector<std::string> encodings() {
    std::vector<std::string> ids;
    for (const auto& entry : fs::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/encodings")) {
        const Json preset = Json::parse(read("presets/encodings/" + entry.path().filename().string()));
        for (const Json& use : preset.at("uses"))
            if (use == "weights") ids.push_back(preset.at("id"));
    }
    return ids;
}

std::map<std::string, double> sizes(const Json& model) {
    std::map<std::string, double> bytes;
    for (const std::string& encoding : encodings()) {
        const Json request = {
            {"model", model}, {"weights", {{"encoding", encoding}}}, {"inference", {{"context", 16}}}};
        bytes[encoding] = row(ask(request), "weights").at("bytes").get<double>();
        INFO(encoding);
        CHECK(bytes[encoding] > 0);
    }
    return bytes;
}

void check_chains(const Json& model) {
    std::map<std::string, double> bytes = sizes(model);
    for (const std::vector<std::string>& chain : chains)
        for (size_t index = 1; index < chain.size(); ++index) {
            INFO(chain[index - 1] << " " << bytes.at(chain[index - 1]) << ", " << chain[index] << " "
                                  << bytes.at(chain[index]));
            CHECK(bytes.at(chain[index]) <= bytes.at(chain[index - 1]));
        }
}

}  // namespace

TEST_CASE("a narrower format is never larger, family by family") {
    const std::map<std::string, Json> models = families();
    CHECK(models.size() > 40);
    size_t at = 0;
    for (const auto& [family, preset] : models) {
        if (at++ % one_of != 0) continue;
        INFO(family);
        check_chains({{"config", preset.at("config")}});
    }
}

TEST_CASE("a narrower format is never larger, of numbers typed by hand") {
    const Json shape = {{"hidden_size", 2048},      {"num_hidden_layers", 20},   {"num_attention_heads", 16},
                        {"num_key_value_heads", 4}, {"intermediate_size", 5632}, {"vocab_size", 50000}};
    check_chains(shape);
    for (const double parameters : {1e6, 0.4e9, 7e9, 70e9, 1e12}) {
        INFO(parameters);
        check_chains({{"parameters", parameters}});
    }
}

}  // namespace plimsoll::test::narrower
