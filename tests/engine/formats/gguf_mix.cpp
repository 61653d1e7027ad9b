// The type of every tensor of GGUF files, held against llama.cpp's own quantizer.
#include <filesystem>
#include <fstream>
#include <map>

#include "engine/support.h"
#include "formats/huggingface/huggingface.h"
#include "formats/presets/presets.h"
#include "model/read/architecture.h"
#include "policies/encodings/weight_mix.h"

namespace plimsoll::test::gguf_mix {

namespace {

Encodings encodings() {
    Encodings all;
    for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/encodings")) {
        const Result<Encoding> encoding =
            read_encoding(*parse_json(read("presets/encodings/" + entry.path().filename().string()), "preset"));
        REQUIRE(encoding);
        all[encoding->id] = *encoding;
    }
    return all;
}

// By the name that llama.cpp prints.
std::map<std::string, StoredType> by_name(const std::vector<StoredType>& types) {
    std::map<std::string, StoredType> named;
    for (const StoredType& type : types) {
        std::string name = type.encoding->id.substr(5);
        for (char& letter : name) letter = static_cast<char>(std::toupper(letter));
        named[name] = type;
    }
    return named;
}

}  // namespace

TEST_CASE("llama.cpp's quantizer and ours choose the same types") {
    const Encodings known = encodings();
    const Json configs = *parse_json(read("tests/measured/gguf_models.json"), "configs");
    std::ifstream rows(PLIMSOLL_SOURCE_DIR "/tests/measured/gguf_types.jsonl");
    int checked = 0;
    for (std::string line; std::getline(rows, line); ++checked) {
        const Json row = *parse_json(line, "row");
        const Json& config = configs.at(row.at("config").get<std::string>());
        const Result<Facts> facts = read_config(config, "config.json", "model.config");
        REQUIRE(facts);
        const Result<Model> model = read_model(*facts);
        REQUIRE(model);
        std::string id = "gguf-" + row.at("quant").get<std::string>();
        for (char& letter : id) letter = static_cast<char>(std::tolower(letter));
        INFO(row.at("config") << " " << id);
        REQUIRE(known.count(id) == 1);
        const bool mxfp4 = config.contains("quantization_config");
        const WeightMix mix = weight_mix(*model, known.at(id), known, mxfp4 ? "mxfp4" : "bf16");
        CHECK(mix.missing == "");
        const auto types = by_name(stored_types(*model, mix));
        Json ours = Json::object();
        for (const auto& [name, entry] : types) ours[name] = {{"tensors", entry.tensors}, {"bytes", entry.bytes}};
        std::string told;
        for (const auto& [name, entry] : row.at("tensor_types").items())
            if (types.count(name) == 0 || types.at(name).tensors != entry.at("tensors").get<double>() ||
                types.at(name).bytes != entry.at("bytes").get<double>())
                told += name + " ";
        INFO("llama.cpp " << row.at("tensor_types").dump() << "\nours      " << ours.dump());
        CHECK(told == "");
        double sum = 0;
        for (const auto& [name, entry] : types) sum += entry.bytes;
        CHECK(sum == row.at("model_bytes").get<double>());
        CHECK(types.size() == row.at("tensor_types").size());
    }
    CHECK(checked == 555);
}

}  // namespace plimsoll::test::gguf_mix
