// Files as people have them: what a header or an index says, and what is wrong with a broken one.
#include <cmath>
#include <set>

#include "engine/formats/inspecting.h"

namespace plimsoll::test::files {

namespace {

struct Tensor {
    std::string name, type;
    std::vector<double> shape;
    double bytes;
};

std::string little_endian(double length) {
    std::string bytes;
    for (int i = 0; i < 8; ++i, length = static_cast<double>(static_cast<std::uint64_t>(length) / 256))
        bytes += static_cast<char>(static_cast<std::uint64_t>(length) % 256);
    return bytes;
}

std::string with_length(const std::string& header) {
    return little_endian(static_cast<double>(header.size())) + header;
}

/// The header of a file that holds these tensors one after the other.
std::string safetensors(const std::vector<Tensor>& tensors) {
    Json header = {{"__metadata__", {{"format", "pt"}}}};
    double at = 0;
    for (const Tensor& tensor : tensors) {
        header[tensor.name] = {
            {"dtype", tensor.type}, {"shape", tensor.shape}, {"data_offsets", {at, at + tensor.bytes}}};
        at += tensor.bytes;
    }
    return with_length(header.dump());
}

double data_of(const std::vector<Tensor>& tensors) {
    double sum = 0;
    for (const Tensor& tensor : tensors) sum += tensor.bytes;
    return sum;
}

Json inspect_header(const std::string& header, double data) {
    const std::string bytes = with_length(header);
    return inspect({{"model.safetensors", bytes, static_cast<double>(bytes.size()) + data}});
}

/// All tensors of small_llama(), under transformers' names, in bf16.
std::vector<Tensor> small_llama_tensors() {
    const Json config = small_llama();
    const double hidden = config.at("hidden_size"), inner = config.at("intermediate_size"),
                 vocab = config.at("vocab_size"), layers = config.at("num_hidden_layers");
    const double kv = hidden / config.at("num_attention_heads").get<double>() *
                      config.value("num_key_value_heads", config.at("num_attention_heads").get<double>());
    std::vector<Tensor> tensors;
    const auto add = [&tensors](const std::string& name, std::vector<double> shape) {
        double elements = 1;
        for (const double side : shape) elements *= side;
        tensors.push_back({name, "BF16", std::move(shape), 2 * elements});
    };
    add("model.embed_tokens.weight", {vocab, hidden});
    for (int layer = 0; layer < layers; ++layer) {
        const std::string prefix = "model.layers." + std::to_string(layer) + ".";
        add(prefix + "input_layernorm.weight", {hidden});
        add(prefix + "self_attn.q_proj.weight", {hidden, hidden});
        add(prefix + "self_attn.k_proj.weight", {kv, hidden});
        add(prefix + "self_attn.v_proj.weight", {kv, hidden});
        add(prefix + "self_attn.o_proj.weight", {hidden, hidden});
        add(prefix + "post_attention_layernorm.weight", {hidden});
        add(prefix + "mlp.gate_proj.weight", {inner, hidden});
        add(prefix + "mlp.up_proj.weight", {inner, hidden});
        add(prefix + "mlp.down_proj.weight", {hidden, inner});
    }
    add("model.norm.weight", {hidden});
    if (!config.value("tie_word_embeddings", false)) add("lm_head.weight", {vocab, hidden});
    return tensors;
}

InspectedFile file_of(const std::vector<Tensor>& tensors, const std::string& name = "model.safetensors") {
    const std::string header = safetensors(tensors);
    return {name, header, static_cast<double>(header.size()) + data_of(tensors)};
}

InspectedFile config_file() {
    const std::string text = small_llama().dump();
    return {"config.json", text, static_cast<double>(text.size())};
}

}  // namespace

TEST_CASE("a safetensors header and its config agree, tensor for tensor") {
    const std::vector<Tensor> tensors = small_llama_tensors();
    const Json reply = inspect({config_file(), file_of(tensors)});
    INFO(reply.dump(1));
    CHECK(reply.at("differences").empty());
    CHECK(reply.at("checkpoint").at("bytes") == data_of(tensors));
    CHECK(reply.at("checkpoint").at("parameters") == reply.at("parameters").at("total"));
    CHECK(reply.at("types").at(0).at("type") == "BF16");
    const Json estimate = ask(reply.at("request"));
    CHECK(row(estimate, "weights").at("bytes") == data_of(tensors));
    CHECK(row(estimate, "kv_cache").at("bytes").get<double>() > 0);
}

TEST_CASE("a difference between config and checkpoint is named with its layer") {
    std::vector<Tensor> tensors = small_llama_tensors();
    tensors[2].shape[0] -= 1;
    tensors[2].bytes -= 2 * tensors[2].shape[1];
    const Json reply = inspect({file_of(tensors), config_file()});
    REQUIRE(reply.at("differences").size() == 1);
    const Json& difference = reply.at("differences").at(0);
    CHECK(difference.at("where") == "layer 0");
    CHECK(difference.at("config").get<double>() - difference.at("file").get<double>() == tensors[2].shape[1]);
}

TEST_CASE("values packed into integers are counted by the bits that the config names, and those alone that can be") {
    // A matrix of 64 values by 256 in int32s of GPTQ: so many bits, so many values in each.
    const auto values = [](const Json& quantization, double rows) {
        Json config = small_llama();
        config.update(quantization);
        const std::string text = config.dump();
        const std::vector<Tensor> tensors{{"model.layers.0.mlp.gate_proj.qweight", "I32", {rows, 256}, 4 * rows * 256}};
        const Json reply = inspect({{"config.json", text, static_cast<double>(text.size())}, file_of(tensors)});
        return reply.at("checkpoint").at("parameters").get<double>();
    };
    const auto bits = [](double of_each) {
        return Json{{"quantization_config", {{"quant_method", "gptq"}, {"bits", of_each}}}};
    };
    for (const double of_each : {1, 2, 4, 8, 16, 32}) CHECK(values(bits(of_each), 64 * of_each / 32) == 64 * 256);
    CHECK(values({{"quantization", {{"bits", 8}, {"group_size", 64}}}}, 16) == 64 * 256);  // MLX
    for (const double none : {0, 33, -8}) CHECK(values(bits(none), 8) == 64 * 256);        // 4, as nearly all
}

TEST_CASE("tensors are summed by layer, and those of none have no number") {
    const Json reply = inspect({file_of(small_llama_tensors())});
    std::set<int> layers;
    for (const Json& group : reply.at("per_layer")) {
        if (group.at("part") == "embedding") CHECK(!group.contains("layer"));
        if (group.contains("layer")) layers.insert(group.at("layer").get<int>());
    }
    CHECK(layers.size() == small_llama().at("num_hidden_layers").get<size_t>());
}

TEST_CASE("a tied head that is stored again is told, and not loaded twice") {
    Json config = small_llama();
    config["tie_word_embeddings"] = true;
    const std::string text = config.dump();
    std::vector<Tensor> tensors = small_llama_tensors();
    if (tensors.back().name != "lm_head.weight")
        tensors.push_back({"lm_head.weight", "BF16", tensors.front().shape, tensors.front().bytes});
    const Json reply = inspect({{"config.json", text, static_cast<double>(text.size())}, file_of(tensors)});
    REQUIRE(reply.at("differences").size() == 1);
    CHECK(reply.at("differences").at(0).at("why") == "the head is stored, though it is the embedding");
    CHECK(row(ask(reply.at("request")), "weights").at("bytes") == data_of(tensors) - tensors.front().bytes);
}

TEST_CASE("a header that is longer than what was read is asked for") {
    const InspectedFile whole = file_of(small_llama_tensors());
    for (const size_t length : {size_t{0}, size_t{3}, size_t{8}, size_t{9}, whole.bytes.size() - 1}) {
        const Json reply = inspect({{whole.name, whole.bytes.substr(0, length), whole.size}});
        INFO(length);
        REQUIRE(reply.contains("need"));
        CHECK(reply.at("need").at(0).at("bytes").get<double>() > static_cast<double>(length));
        CHECK(reply.at("need").at(0).at("bytes").get<double>() <= static_cast<double>(whole.bytes.size()));
    }
}

TEST_CASE("shards together are one checkpoint, and their index is not counted again") {
    const std::vector<Tensor> all = small_llama_tensors();
    const std::vector<Tensor> first(all.begin(), all.begin() + 5), second(all.begin() + 5, all.end());
    Json map = Json::object();
    for (const Tensor& tensor : all) map[tensor.name] = "model-00001-of-00002.safetensors";
    const std::string index = Json{{"metadata", {{"total_size", data_of(all)}}}, {"weight_map", map}}.dump();
    const InspectedFile index_file{"model.safetensors.index.json", index, static_cast<double>(index.size())};
    const Json alone = inspect({index_file});
    CHECK(alone.at("kind") == "index");
    CHECK(alone.at("checkpoint").at("count") == all.size());
    CHECK(alone.at("checkpoint").at("bytes") == data_of(all));
    const Json together = inspect({file_of(first, "model-00001-of-00002.safetensors"), index_file,
                                   file_of(second, "model-00002-of-00002.safetensors")});
    CHECK(together.at("checkpoint").at("bytes") == data_of(all));
    CHECK(together.at("checkpoint").at("count") == all.size());
}

TEST_CASE("scales, packed values and buffers are told from parameters") {
    const std::vector<Tensor> tensors = {{"model.layers.0.mlp.up_proj.qweight", "I32", {8, 64}, 2048},
                                         {"model.layers.0.mlp.up_proj.scales", "F16", {1, 64}, 128},
                                         {"model.layers.0.mlp.up_proj.g_idx", "I32", {64}, 256},
                                         {"model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {4}, 16},
                                         {"model.layers.1.mlp.experts.gate_up_proj_blocks", "U8", {2, 4, 16}, 128},
                                         {"vision_tower.encoder.layers.0.fc1.weight", "F8_E4M3", {16, 4}, 64}};
    const Json reply = inspect({file_of(tensors)});
    CHECK(reply.at("checkpoint").at("parameters") == 8 * 64 * 8 + 128 * 2 + 64);
    CHECK(reply.at("parts").size() == 4);
    CHECK(reply.at("parts").at(1).at("purpose") == "scale");
    CHECK(reply.at("parts").at(1).at("bytes") == 128 + 256);
    CHECK(reply.at("parts").at(2).at("purpose") == "buffer");
    CHECK(reply.at("parts").at(3).at("part") == "vision");
}

TEST_CASE("a tensor's name says which part of a model it is of") {
    const std::vector<std::pair<const char*, const char*>> names = {
        {"v.blk.0.attn_q.weight", "vision"},
        {"a.blk.0.attn_q.weight", "audio"},
        {"mm.0.weight", "projector"},
        {"visual.blocks.0.attn.qkv.weight", "vision"},
        {"vpm.encoder.layers.0.mlp.fc1.weight", "vision"},
        {"model.vision_tower.fc.weight", "vision"},
        {"audio_tower.layers.0.fc1.weight", "audio"},
        {"multi_modal_projector.linear_1.weight", "projector"},
        {"model.connector.proj.weight", "projector"},
        {"mlp1.0.weight", "projector"},
        {"mtp.layers.0.fc.weight", "mtp"},
        {"base_model.model.layers.0.q_proj.lora_A.weight", "adapter"},
        {"vision_tower.layers.0.q_proj.lora_B.weight", "vision"},  // the first that says so
        {"model.layers.0.mlp.up_proj.weight", "language"},
        {"vocabulary.weight", "language"}};
    for (const auto& [name, part] : names) {
        INFO(name);
        const Json reply = inspect({file_of({{name, "F16", {2, 2}, 8}})});
        CHECK(reply.at("parts").at(0).at("part") == part);
    }
}

TEST_CASE("what is wrong with a header is said with its tensor") {
    const std::string good = R"("a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]})";
    const std::vector<std::pair<std::string, std::string>> broken = {
        {R"({"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}})", "a"},
        {R"({"a": {"dtype": "F33", "shape": [2], "data_offsets": [0, 8]}})", "a"},
        {R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [8, 0]}})", "a"},
        {R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}})", "a"},
        {R"({"a": {"dtype": "F32", "shape": [-2], "data_offsets": [0, 8]}})", "a"},
        {R"({"a": {"dtype": "F32", "shape": [0.5, 4], "data_offsets": [0, 8]}})", "a"},
        {R"({"a": {"dtype": "F32", "shape": [18446744073709551615, 18446744073709551615], "data_offsets": [0, 8]}})",
         "a"},
        {R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 18446744073709551615]}})", "a"},
        {R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8, 9]}})", "a"},
        {R"({"a": {"dtype": "F32", "shape": [2]}})", "a"},
        {R"({"a": {"dtype": "F32", "shape": "2", "data_offsets": [0, 8]}})", "a"},
        {R"({"a": {"dtype": "F32", "shape": [[2]], "data_offsets": [0, 8]}})", "a"},
        {R"({"a": null})", "a"},
        {"{" + good + ", " + good + "}", "a"},
        {"{" + good + R"(, "b": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})", "b"},
        {"{\"\xff\": 1}", "model.safetensors"},
        {"{" + good, "model.safetensors"}};
    for (const auto& [header, where] : broken) {
        const Json reply = inspect_header(header, 8);
        INFO(header << reply.dump());
        REQUIRE(reply.contains("error"));
        CHECK(reply.at("error").at("where").get<std::string>().find(where) != std::string::npos);
        CHECK(!reply.at("error").at("hint").get<std::string>().empty());
    }
    CHECK(!inspect_header("{" + good + "}", 8).contains("error"));
    CHECK(inspect_header("{" + good + "}", 12).at("error").at("code") == "bad_safetensors");
    const auto said = [&](const char* begin_and_end) {
        const std::string second = R"(, "b": {"dtype": "F32", "shape": [1], "data_offsets": )";
        return inspect_header("{" + good + second + begin_and_end + "}}", 16).at("error").at("what").get<std::string>();
    };
    CHECK(said("[4, 8]").find("at byte 4, inside the one that ends at 8") != std::string::npos);
    CHECK(said("[12, 16]").find("at byte 12, after a gap behind the one that ends at 8") != std::string::npos);
}

TEST_CASE("an index maps names to files, and what stands beside the map may be nested") {
    const auto read_index = [](const std::string& text) {
        return inspect({{"model.safetensors.index.json", text, static_cast<double>(text.size())}});
    };
    const Json nested =
        read_index(R"({"metadata": {"more": {"a": [1, {"b": 2}]}}, "weight_map": {"a": "x.safetensors"}})");
    INFO(nested.dump());
    CHECK(!nested.contains("error"));
    for (const char* wrong : {R"({"weight_map": {"a": {"b": "x"}}})", R"({"weight_map": {"a": ["x"]}})",
                              R"({"weight_map": ["a"]})", R"({"weight_map": {"a": 1}})"}) {
        const Json reply = read_index(wrong);
        INFO(wrong << reply.dump());
        CHECK(reply.contains("error"));
    }
}

TEST_CASE("a safetensors header longer than any is refused for its length, however long it says it is") {
    for (const uint64_t length : {uint64_t{100'000'001}, uint64_t{1} << 32, (uint64_t{1} << 53) + 1,
                                  (uint64_t{1} << 63) - 1, ~uint64_t{0}, uint64_t{0x2222222222222222}}) {
        std::string bytes;
        for (int at = 0; at < 8; ++at) bytes += static_cast<char>(length >> (8 * at) & 0xff);
        for (const double size : {20.0, 1e15}) {
            const Json reply = inspect({{"model.safetensors", bytes + "{\"a\":", size}});
            INFO(length << " " << reply.dump());
            REQUIRE(reply.contains("error"));
            CHECK(reply.at("error").at("code") == "bad_safetensors");
            CHECK(reply.at("error").at("where") == "model.safetensors");
            CHECK(reply.at("error").at("what").get<std::string>().find("at most 100000000") != std::string::npos);
        }
    }
}

TEST_CASE("files that are something else are refused by their name") {
    const std::vector<std::pair<std::string, std::string>> others = {
        {"", "unknown_file"},
        {"GGUF\3end: no header", "bad_gguf"},
        {"PK\3\4zip", "unknown_file"},
        {"# a model", "unknown_file"},
        {"[1, 2]", "unknown_file"},
        {"{\"a\": ", "bad_json"},
        {"{\"weight_map\": 3}", "bad_index"},
        {"{\"weight_map\": {\"a\": 3}}", "bad_index"},
        {R"({"weight_map": {"a": "x", "a": "x"}})", "bad_index"},
        {R"({"metadata": {"total_size": 1e300}, "weight_map": {}})", "out_of_range"},
        {R"({"peft_type": "LORA", "r": 0})", "wrong_type"},
        {R"({"peft_type": "LORA", "r": "8"})", "wrong_type"}};
    for (const auto& [bytes, code] : others) {
        const Json reply = inspect({{"some.file", bytes, static_cast<double>(bytes.size())}});
        INFO(bytes << reply.dump());
        REQUIRE(reply.contains("error"));
        CHECK(reply.at("error").at("code") == code);
        CHECK(reply.at("error").at("where").get<std::string>().find("some.file") == 0);
    }
}

}  // namespace plimsoll::test::files
