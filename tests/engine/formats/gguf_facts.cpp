// A GGUF and the config.json of one model say the same: for every configuration that llama.cpp converts, the header
// that its converter would write is read, and the model described by it is held against the configuration's.
#include "formats/gguf/gguf_facts.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "engine/formats/gguf_converter.h"
#include "engine/formats/gguf_writer.h"
#include "engine/support.h"
#include "formats/huggingface/huggingface.h"
#include "model/core/profile.h"
#include "model/read/architecture.h"

namespace plimsoll::test::gguf_facts {

namespace {

struct Named {
    std::string name;
    Facts config;
};

Facts facts_of_config(const test::Json& config) {
    Result<Facts> facts = read_config(config, "config.json", "config");
    REQUIRE(facts);
    return *facts;
}

// Architectures, and switches, that neither has.
std::vector<test::Json> beside_the_presets() {
    const test::Json usual = {{"hidden_size", 256},
                              {"num_hidden_layers", 3},
                              {"num_attention_heads", 8},
                              {"vocab_size", 1000},
                              {"intermediate_size", 704},
                              {"num_key_value_heads", 2},
                              {"type_vocab_size", 1},
                              {"n_groups", 2},
                              {"num_heads", 8},
                              {"head_dim", 64},
                              {"state_size", 64},
                              {"expand", 2},
                              {"d_model", 256},
                              {"d_ff", 512},
                              {"d_kv", 32},
                              {"num_layers", 3},
                              {"num_decoder_layers", 2},
                              {"feed_forward_proj", "gated-gelu"},
                              {"max_position_embeddings", 514}};
    std::vector<test::Json> list;
    for (const test::Json& given :
         {test::Json{{"model_type", "mamba2"}}, test::Json{{"model_type", "umt5"}},
          test::Json{{"model_type", "roberta"}}, test::Json{{"model_type", "internlm3"}, {"qkv_bias", true}},
          test::Json{{"model_type", "llama"}, {"attention_bias", true}, {"mlp_bias", true}},
          test::Json{{"model_type", "stablelm"}, {"qk_layernorm", true}, {"use_parallel_residual", true}},
          test::Json{{"model_type", "xlm-roberta"},
                     {"architectures", {"XLMRobertaForSequenceClassification"}},
                     {"num_labels", 3}}}) {
        list.push_back(usual);
        list.back().update(given);
    }
    return list;
}

std::vector<Named> configurations() {
    std::vector<Named> list;
    std::istringstream lines(read("tests/measured/models.jsonl"));
    for (std::string line; std::getline(lines, line);) {
        for (size_t at; (at = line.find("Infinity")) != std::string::npos;) line.replace(at, 8, "0");
        const test::Json row = test::Json::parse(line);
        list.push_back({row.at("name"), facts_of_config(row.at("config"))});
    }
    const std::filesystem::path presets = std::filesystem::path(PLIMSOLL_SOURCE_DIR) / "presets/models";
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(presets)) files.insert(entry.path());
    for (const auto& file : files) {
        const test::Json preset = test::Json::parse(read("presets/models/" + file.filename().string()));
        if (preset.contains("config")) list.push_back({preset.at("id"), facts_of_config(preset.at("config"))});
    }
    for (const test::Json& small : beside_the_presets()) list.push_back({small.dump(), facts_of_config(small)});
    return list;
}

Result<Facts> read_back(const std::string& header, double size) {
    Checkpoint checkpoint;
    const Result<GgufRead> read = read_gguf({"model.gguf", header, size}, checkpoint);
    if (!read) return read.error();
    REQUIRE(read->need == 0);
    return facts_of(read->header);
}

/// What a layer is to memory: its parameters, and what it keeps.
std::string layer_of(const Model& model, size_t layer, double context) {
    const Block& block = model.kinds[model.order[layer]].block;
    std::map<std::string, double> sums;
    for (const Weight<double>& weight : weights_of<double>(block)) {
        sums["parameters"] += weight.elements();
        sums["active"] += weight.elements() * weight.active_share;
    }
    for (const Kept<double>& kept : kept_by<double>(block)) {
        const double tokens = kept.tokens_at_most > 0 ? std::min(kept.tokens_at_most, context) : context;
        sums[std::string(kept.name)] += kept.elements_per_sequence > 0
                                            ? kept.elements_per_sequence * bytes_of<double>(kept.dtype).n
                                            : tokens * kept.elements_per_token;
    }
    std::ostringstream text;
    for (const auto& [name, sum] : sums) text << name << ' ' << std::fixed << sum << "; ";
    return text.str();
}

double prediction(const Model& model) {
    for (const Tower& tower : model.towers)
        if (tower.name == "mtp") return parameters<double>(tower);
    return 0;
}

/// Without the towers that llama.cpp stores in a file of their own, or leaves out.
void keep_language(Model& model, bool with_prediction) {
    const auto other = [with_prediction](const Tower& tower) {
        return tower.name != "encoder" && !(with_prediction && tower.name == "mtp");
    };
    model.towers.erase(std::remove_if(model.towers.begin(), model.towers.end(), other), model.towers.end());
}

void check_same(const Model& expected, const Model& found) {
    CHECK(found.tied == expected.tied);
    CHECK(parameters<double>(found) == parameters<double>(expected));
    CHECK(active_parameters(found) == active_parameters(expected));
    CHECK(prediction(found) == prediction(expected));
    REQUIRE(found.order.size() == expected.order.size());
    for (const double context : {1000.0, 100000.0})
        for (size_t layer = 0; layer < found.order.size(); ++layer) {
            INFO("layer " << layer << ", context " << context);
            REQUIRE(layer_of(found, layer, context) == layer_of(expected, layer, context));
        }
}

}  // namespace

TEST_CASE("a GGUF describes the model that its config.json describes: parameters, cache and state, layer by layer") {
    std::set<std::string> converted, others;
    int models = 0;
    for (const Named& each : configurations()) {
        INFO(each.name);
        const std::string type = *each.config.get<std::string>("model_type");
        const Result<Model> whole = read_model(each.config);
        REQUIRE(whole);
        const auto written = convert(each.config, *whole);
        (written ? converted : others).insert(type);
        if (!written) continue;
        Result<Model> expected = read_model(written->config);
        REQUIRE(expected);
        keep_language(*expected, written->prediction);
        const Result<Facts> facts = read_back(written->header, written->size);
        INFO((facts ? "" : facts.error().where + ": " + facts.error().what));
        REQUIRE(facts);
        const Result<Model> found = read_model(*facts);
        INFO((found ? "" : found.error().where + ": " + found.error().what));
        REQUIRE(found);
        CHECK_FALSE(found->generic);
        check_same(*expected, *found);
        ++models;
    }
    CHECK(models >= 430);
    CHECK(converted.size() >= 80);
    // Those that llama.cpp does not convert, of Falcon the ones with ALiBi.
    const std::set<std::string> unconverted = {"falcon", "gpt_neo", "gptj", "internlm", "mimo",
                                               "mllama", "opt",     "rwkv", "whisper"};
    CHECK(others == unconverted);
}

TEST_CASE("a GGUF counts the parameters that llama.cpp printed when it loaded the model") {
    std::istringstream lines(read("tests/measured/inference.jsonl"));
    std::map<std::string, double> found;
    int rows = 0;
    for (std::string line; std::getline(lines, line);) {
        const test::Json row = test::Json::parse(line);
        const test::Json printed = row.value("printed", test::Json::object());
        if (!printed.is_object() || !printed.contains("model_params_printed")) continue;
        std::string id = row.at("model");
        std::transform(id.begin(), id.end(), id.begin(), [](unsigned char letter) { return std::tolower(letter); });
        const std::string path = "presets/models/" + id + ".json";
        if (!std::filesystem::exists(std::string(PLIMSOLL_SOURCE_DIR) + "/" + path)) continue;
        INFO(id);
        if (found.find(id) == found.end()) {
            const Facts config = facts_of_config(test::Json::parse(read(path)).at("config"));
            const auto written = convert(config, *read_model(config));
            REQUIRE(written);
            const Model model = *read_model(*read_back(written->header, written->size));
            found[id] = parameters<double>(model) + prediction(model);
            // GLM's prediction block is a block of the file like the others, and has embedding and head once more
            if (prediction(model) > 0) found[id] += 2 * model.vocab_size->value() * model.hidden_size->value();
        }
        const std::string text = printed.at("model_params_printed");
        const size_t digits = text.find(' ') - text.find('.') - 1;
        CHECK(found[id] / 1e9 == Approx(std::stod(text)).margin(digits == 3 ? 0.0006 : 0.006));
        ++rows;
    }
    CHECK(rows >= 15);
    CHECK(found.size() >= 5);
}

TEST_CASE("a GGUF describes the very tensors that llama.cpp's loader asks for") {
    std::istringstream lines(read("tests/measured/gguf_tables.jsonl"));
    int tables = 0;
    for (std::string line; std::getline(lines, line); ++tables) {
        const test::Json row = test::Json::parse(line);
        GgufWriter out(row.at("architecture").get<std::string>());
        for (const auto& [key, value] : row.at("metadata").items())
            if (value.is_boolean())
                out.put(key, value.get<bool>());
            else if (value.is_array())
                out.put(key, value.get<std::vector<double>>());
            else
                out.put(key, value.get<double>());
        double elements = 0, routers = 0;  // what transformers keeps as buffers, but for AFMoE
        for (const test::Json& tensor : row.at("tensors")) {
            const std::string name = tensor.at("name");
            const auto dims = tensor.at("dims").get<std::vector<double>>();
            double rows = 1;
            for (size_t side = 1; side < dims.size(); ++side) rows *= dims[side];
            const size_t star = name.find('*');
            const test::Json blocks = tensor.value("blocks", test::Json::array({0}));
            for (const int block : blocks)
                out.tensor(star == std::string::npos
                               ? name
                               : name.substr(0, star) + std::to_string(block) + name.substr(star + 1),
                           dims.front(), rows);
            const bool buffer =
                name.find("exp_probs_b") != std::string::npos || name.find("tid2eid") != std::string::npos;
            (buffer ? routers : elements) += static_cast<double>(blocks.size()) * dims.front() * rows;
        }
        INFO(row.at("architecture"));
        const Result<Facts> facts = read_back(out.header(), out.size());
        REQUIRE(facts);
        const Result<Model> model = read_model(*facts);
        REQUIRE(model);
        CHECK_FALSE(model->generic);
        const double parameters_found = parameters<double>(*model);
        CHECK((parameters_found == elements || parameters_found == elements + routers));
    }
    CHECK(tables == 62);
}

TEST_CASE("files of early 2025 describe DeepSeek's latent attention by the widths of a head") {
    GgufWriter out("deepseek2");
    for (const auto& [key, value] : {std::pair{"block_count", 2.0},
                                     {"embedding_length", 2048.0},
                                     {"attention.head_count", 16.0},
                                     {"attention.key_length", 192.0},
                                     {"attention.value_length", 128.0},
                                     {"rope.dimension_count", 64.0},
                                     {"attention.kv_lora_rank", 512.0},
                                     {"feed_forward_length", 10944.0},
                                     {"expert_count", 64.0},
                                     {"expert_used_count", 6.0}})
        out.put(key, value);
    const Result<Facts> facts = read_back(out.header(), out.size());
    REQUIRE(facts);
    CHECK(*facts->get<double>("qk_nope_head_dim") == 128);
    CHECK(*facts->get<double>("v_head_dim") == 128);
    CHECK(std::holds_alternative<std::monostate>(*facts->find("q_lora_rank")));
}

TEST_CASE("a file that describes no model is refused, one of an unknown architecture is taken for a usual decoder") {
    CHECK(read_back(GgufWriter("clip").header(), 1e6).error().code == "no_model");
    GgufWriter adapter("llama");
    adapter.text("general.type", "adapter");
    CHECK(read_back(adapter.header(), 1e6).error().code == "no_model");
    CHECK(read_back(GgufWriter("").header(), 1e6).error().code == "bad_gguf");
    GgufWriter out("nobody-knows");
    for (const auto& [key, value] : {std::pair{"block_count", 2.0},
                                     {"embedding_length", 64.0},
                                     {"vocab_size", 100.0},
                                     {"attention.head_count", 4.0},
                                     {"feed_forward_length", 128.0},
                                     {"expert_count", 0.0}})
        out.put(key, value);
    const Result<Model> model = read_model(*read_back(out.header(), out.size()));
    REQUIRE(model);
    CHECK(model->generic);
    out.put("expert_count", 8.0);
    CHECK(read_model(*read_back(out.header(), out.size())).error().code == "unknown_architecture");
}

TEST_CASE("the parts of a split file tell together which tensors a model has") {
    GgufWriter first("llama"), second("llama");
    first.tensor("token_embd.weight", 64, 1000);
    for (int layer = 0; layer < 3; ++layer) first.tensor("blk." + std::to_string(layer) + ".attn_q.weight", 64, 32);
    for (int layer = 3; layer < 5; ++layer) second.tensor("blk." + std::to_string(layer) + ".attn_q.weight", 64, 32);
    second.tensor("output.weight", 64, 1000);
    Checkpoint checkpoint;
    const std::string head = first.header(), tail = second.header();
    Gguf gguf = read_gguf({"a-00001-of-00002.gguf", head, first.size()}, checkpoint)->header;
    CHECK(*facts_of(gguf)->get<bool>("tie_word_embeddings"));
    gguf.add_roles(read_gguf({"a-00002-of-00002.gguf", tail, second.size()}, checkpoint)->header);
    CHECK_FALSE(*facts_of(gguf)->get<bool>("tie_word_embeddings"));
    CHECK(*facts_of(gguf)->get<double>("vocab_size") == 1000);
    const TensorRole queries = gguf.roles.at("blk.attn_q.weight");
    CHECK(queries.count == 5);
    CHECK(queries.first == 0);
    CHECK(queries.last == 4);
    CHECK(queries.rows == 32);
}

TEST_CASE("whatever the metadata of an architecture says, there is a model or an error") {
    const std::vector<std::string> keys = {"block_count",
                                           "embedding_length",
                                           "attention.head_count",
                                           "attention.head_count_kv",
                                           "attention.key_length",
                                           "feed_forward_length",
                                           "expert_count",
                                           "expert_used_count",
                                           "ssm.inner_size",
                                           "ssm.time_step_rank",
                                           "ssm.state_size",
                                           "ssm.conv_kernel",
                                           "ssm.group_count",
                                           "vocab_size",
                                           "nextn_predict_layers",
                                           "rope.dimension_count",
                                           "attention.kv_lora_rank",
                                           "shortconv.l_cache"};
    std::set<std::string> architectures_seen;
    for (const Named& each : configurations()) {
        const auto written = convert(each.config, *read_model(each.config));
        if (!written) continue;
        Checkpoint checkpoint;
        architectures_seen.insert(read_gguf({"", written->header, written->size}, checkpoint)->header.architecture());
    }
    for (const std::string& architecture : architectures_seen)
        for (const double value : {0.0, 1.0, 7.0, 4294967295.0})
            for (const bool lists : {false, true}) {
                GgufWriter out(architecture);
                for (const std::string& key : keys)
                    if (lists && key != "block_count")
                        out.put(key, std::vector<double>{0, value});
                    else
                        out.put(key, value);
                INFO(architecture << " " << value << " " << lists);
                const Result<Facts> facts = read_back(out.header(), out.size());
                REQUIRE(facts);
                const Result<Model> model = read_model(*facts);
                CHECK((model || !model.error().code.empty()));
            }
    CHECK(architectures_seen.size() >= 60);
}

TEST_CASE("what inspect proposes for a GGUF is answered with the model's parameters and the file's bytes") {
    int asked = 0;
    for (const Named& each : configurations()) {
        const Result<Model> whole = read_model(each.config);
        REQUIRE(whole);
        const auto written = convert(each.config, *whole);
        if (!written || asked > 150) continue;
        INFO(each.name);
        const auto length = static_cast<double>(written->header.size());
        const test::Json files = {
            {"files", {{{"name", "model.gguf"}, {"size", written->size}, {"at", 0}, {"length", length}}}}};
        const test::Json reply = test::Json::parse(test::engine().inspect(files.dump(), written->header));
        REQUIRE(reply.contains("checkpoint"));
        const test::Json answer = test::ask(reply.at("request"));
        CHECK(answer.at("model").at("parameters").at("total") == reply.at("parameters").at("total"));
        CHECK(test::row(answer, "weights").at("bytes") <= reply.at("checkpoint").at("bytes"));
        CHECK(test::row(answer, "weights").at("bytes") > 0);
        ++asked;
    }
    CHECK(asked > 100);
}

TEST_CASE("GLM's prediction block is a block of the file, with embedding and head once more, and is not served") {
    GgufWriter out("glm4moe");
    for (const auto& [key, value] : {std::pair{"block_count", 3.0},
                                     {"nextn_predict_layers", 1.0},
                                     {"embedding_length", 64.0},
                                     {"vocab_size", 100.0},
                                     {"feed_forward_length", 96.0},
                                     {"attention.head_count", 4.0},
                                     {"attention.head_count_kv", 2.0},
                                     {"attention.key_length", 16.0},
                                     {"expert_count", 4.0},
                                     {"expert_used_count", 2.0},
                                     {"expert_shared_count", 1.0},
                                     {"expert_feed_forward_length", 32.0},
                                     {"leading_dense_block_count", 0.0}})
        out.put(key, value);
    for (const char* name : {"token_embd.weight", "output.weight"}) out.tensor(name, 64, 100);
    out.tensor("output_norm.weight", 64, 1);
    double block = 0;
    for (int layer = 0; layer < 3; ++layer) {
        block = 0;
        const auto tensor = [&](const char* name, double inner, double rows) {
            out.tensor("blk." + std::to_string(layer) + "." + name, inner, rows);
            block += 2 * inner * rows;
        };
        for (const char* name : {"attn_norm.weight", "post_attention_norm.weight"}) tensor(name, 64, 1);
        for (const char* name : {"attn_q.weight", "attn_output.weight"}) tensor(name, 64, 64);
        for (const char* name : {"attn_k.weight", "attn_v.weight"}) tensor(name, 64, 32);
        tensor("ffn_gate_inp.weight", 64, 4);
        for (const char* name : {"ffn_gate_exps.weight", "ffn_up_exps.weight"}) tensor(name, 64, 32 * 4);
        tensor("ffn_down_exps.weight", 32, 64 * 4);
        for (const char* name : {"ffn_gate_shexp.weight", "ffn_up_shexp.weight"}) tensor(name, 64, 32);
        tensor("ffn_down_shexp.weight", 32, 64);
        if (layer < 2) continue;
        tensor("nextn.eh_proj.weight", 128, 64);
        for (const char* name : {"nextn.enorm.weight", "nextn.hnorm.weight", "nextn.shared_head_norm.weight"})
            tensor(name, 64, 1);
        for (const char* name : {"nextn.embed_tokens.weight", "nextn.shared_head_head.weight"}) tensor(name, 64, 100);
    }
    const std::string header = out.header();
    const auto length = static_cast<double>(header.size());
    const test::Json files = {{"files", {{{"name", "m.gguf"}, {"size", out.size()}, {"at", 0}, {"length", length}}}}};
    const test::Json reply = test::Json::parse(test::engine().inspect(files.dump(), header));
    REQUIRE(reply.contains("differences"));
    REQUIRE(reply.at("differences").size() == 1);
    CHECK(reply.at("differences").at(0).at("where") == "mtp");
    CHECK(reply.at("differences").at(0).at("why") == "embedding and head are stored there again");
    const double all = reply.at("checkpoint").at("bytes");
    test::Json request = reply.at("request");
    const test::Json own = test::ask(request);  // llama.cpp's, which keeps the embedding on the host
    double held = test::row(own, "weights").at("bytes");
    for (const test::Json& each : own.at("host").at("rows"))
        if (each.at("id") == "weights") held += each.at("bytes").get<double>();
    CHECK(held - (all - block) <= 1);  // each place's share is rounded up
    CHECK(held >= all - block);
    request["inference"]["runtime"] = "transformers";
    CHECK(test::row(test::ask(request), "weights").at("bytes") == all - block);
}

}  // namespace plimsoll::test::gguf_facts
