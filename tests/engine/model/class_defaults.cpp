// What a config.json leaves out is as its configuration class says. tests/defaults/classes.jsonl has the classes' own
// defaults: a field left out answers as the same field written out, and another value answers otherwise.
#include <algorithm>
#include <map>
#include <sstream>

#include "engine/support.h"
#include "formats/huggingface/huggingface.h"
#include "model/read/architecture.h"

namespace plimsoll::test::class_defaults {

namespace {

Json::json_pointer pointer(const std::string& field) {
    std::string path = "/" + field;
    for (char& each : path)
        if (each == '.') each = '/';
    return Json::json_pointer(path);
}

void leave_out(Json& config, const std::string& field) {
    const Json::json_pointer at = pointer(field);
    config.at(at.parent_pointer()).erase(at.back());
}

/// A list by layer, as the row tells it: what comes first, and what then comes in turn.
Json list_of(const Json& pattern, size_t layers) {
    Json list = pattern.value("first", Json::array());
    for (size_t index = 0; list.size() < layers; ++index)
        list.push_back(pattern.at("then")[index % pattern.at("then").size()]);
    while (list.size() > layers) list.erase(list.size() - 1);
    return list;
}

struct Facts {
    Json row;

    std::string layers() const { return row.value("layers", ""); }

    /// The class's defaults, written out; with few layers, unless it is their number that is asked for.
    Json config(const std::string& field, const std::map<std::string, Json>& changed = {}) const {
        Json fields = row.at("defaults");
        if (!layers().empty() && field != layers() && fields.at(layers()) > row.value("small", 8))
            fields[layers()] = row.value("small", 8);
        fields.update(row.value("stated", Json::object()));
        if (row.contains("with") && row["with"].contains(field)) fields.update(row["with"][field]);
        for (const auto& [name, value] : changed) fields[name] = value;
        Json config = {{"model_type", row.at("model_type")}};
        for (const auto& [name, value] : fields.items()) config[pointer(name)] = value;
        if (layers().empty()) return config;
        const auto count = config.at(pointer(layers())).get<size_t>();
        for (const auto& [name, value] : fields.items()) {
            if (value.is_object()) config[pointer(name)] = list_of(value, count);
            if (value.is_array() && value.size() == 1 && row["defaults"].value(name, Json()).is_object())
                config[pointer(name)] = list_of({{"then", value}}, count);
        }
        return config;
    }

    /// More tokens than the class has positions, of which a note says so, and than most windows have.
    double context() const {
        for (const auto& [field, value] : row.at("defaults").items())
            for (const char* name :
                 {"max_position_embeddings", "n_positions", "max_seq_len", "context_length", "max_target_positions"})
                if (field == name || field == std::string("text_config.") + name)
                    return std::max(value.get<double>() + 1, 9000.0);
        return 9000;
    }

    /// Of inference, then of training.
    Json answers(const Json& config) const {
        const auto reply = [&](const char* task, const char* block, const Json& settings) {
            const Json request = {{"task", task}, {"model", {{"config", config}}}, {block, settings}};
            Json answer = Json::parse(engine().estimate(request.dump()));
            if (answer.contains("error")) return Json{{"error", answer["error"]}};
            answer.erase("assumptions");  // these say which of the two it was
            return answer;
        };
        const Json inference = reply("inference", "inference", {{"context", context()}});
        if (inference.contains("error")) return inference;
        return {inference, reply("training", "training", {{"sequence", 256}, {"attention", "eager"}})};
    }
};

const std::vector<Facts>& all_facts() {
    static const std::vector<Facts> read_once = [] {
        std::vector<Facts> all;
        std::istringstream lines(read("tests/defaults/classes.jsonl"));
        for (std::string line; std::getline(lines, line);) all.push_back({Json::parse(line)});
        return all;
    }();
    return read_once;
}

/// Other values that the field might have.
std::vector<Json> others(const Json& row, const std::string& field, const Json& value) {
    if (row.contains("other") && row["other"].contains(field)) return row["other"][field];
    if (value.is_boolean()) return {!value.get<bool>()};
    if (value.is_string()) return {"relu", "silu", "gelu_new", "gated-gelu", "relu2"};
    if (value.is_null()) return {2, 4, 1, 64, true, 0.5};
    if (value.is_object()) return {Json::array({value["then"].front()}), Json::array({value["then"].back()})};
    if (value.is_array()) return {Json(value.begin(), value.end() - 1)};
    if (value.is_number_float()) return {value == 0.0 ? 0.1 : 0.0};
    const auto number = value.get<long long>();
    return {2 * number, number / 2, number + 1, number - 1, 4 * number, number == 0 ? 1 : 0};
}

bool changes_the_answer(const Facts& facts, const std::string& field, const Json& value, const Json& written) {
    for (const Json& other : others(facts.row, field, value)) {
        const Json answers = facts.answers(facts.config(field, {{field, other}}));
        if (!answers.is_object() && answers != written) return true;
    }
    return false;
}

void check(const Facts& facts) {
    size_t at = 0;
    for (const auto& [field, value] : facts.row.at("defaults").items()) {
        if (at++ % one_of != 0) continue;
        INFO(facts.row["model_type"] << ": " << field << ": " << value << " by " << facts.row["class"]);
        const Json config = facts.config(field), written = facts.answers(config);
        INFO(config.dump());
        REQUIRE(written.is_array());  // an answer, no refusal
        Json silent = config;
        leave_out(silent, field);
        const Json left_out = facts.answers(silent);
        CHECK((left_out == written));
        const bool unseen = facts.row.contains("unseen") && facts.row["unseen"].contains(field);
        CHECK(changes_the_answer(facts, field, value, written) != unseen);
    }
}

constexpr size_t parts = 35, of_each = 4;

void check_part(size_t part) {
    const std::vector<Facts>& all = all_facts();
    CHECK(all.size() > (parts - 1) * of_each);
    CHECK(all.size() <= parts * of_each);
    for (size_t at = part * of_each; at < std::min((part + 1) * of_each, all.size()); ++at) check(all[at]);
}

/// The field that says how many experts a token visits, as the class names it; empty: no mixture.
std::string choices_of(const Facts& facts) {
    const auto read = read_config(facts.config(""), "row", "config");
    REQUIRE(static_cast<bool>(read));
    const auto model = read_model(*read);
    REQUIRE(static_cast<bool>(model));
    for (const LayerKind& kind : model->kinds)
        for (const Op& op : kind.block.ops)
            if (const Experts* experts = op.as<Experts>()) {
                const std::string name = experts->active.node()->name;
                for (const auto& [field, value] : facts.row.at("defaults").items())
                    if (field == name || field.ends_with("." + name)) return field;
            }
    return "";
}

}  // namespace

TEST_CASE("no family lets a token visit more experts than there are") {
    size_t families = 0;
    for (const Facts& facts : all_facts()) {
        const std::string field = choices_of(facts);
        if (field.empty()) continue;
        INFO(facts.row["model_type"] << ": " << field);
        const Json request = {{"model", {{"config", facts.config("", {{field, 100000}})}}}};
        const Json reply = Json::parse(engine().estimate(request.dump()));
        REQUIRE(reply.contains("error"));
        CHECK(reply["error"]["code"] == "out_of_range");
        CHECK(reply["error"]["where"] == "model.config." + field);
        ++families;
    }
    CHECK(families > 30);
}

// In parts, which run side by side, and of which a mutant meets those alone that read its file.
TEMPLATE_TEST_CASE_SIG("a field left out is as its class says", "", ((size_t part), part), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                       10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
                       34) {
    check_part(part);
}

TEST_CASE("null is none, and no default") {
    const Facts gemma{{{"model_type", "gemma2"}, {"defaults", {{"num_hidden_layers", 2}}}}};
    for (const char* cap : {"attn_logit_softcapping", "final_logit_softcapping"}) {
        INFO(cap);
        const Json none = gemma.answers(gemma.config("", {{cap, nullptr}}));
        CHECK((none == gemma.answers(gemma.config("", {{cap, 0}}))));
        CHECK((none != gemma.answers(gemma.config(""))));
    }
}

TEST_CASE("layers are known by their older and their newer names") {
    const auto reply = [](const char* type, const char* field, const Json& layers) {
        Json answer = ask({{"model", {{"config", {{"model_type", type}, {field, layers}}}}}});
        answer.erase("assumptions");
        return answer;
    };
    Json older, newer, mambas;
    for (int layer = 0; layer < 32; ++layer) {
        older.push_back(layer % 4 == 3 ? "attention" : "mamba");
        newer.push_back(layer % 4 == 3 ? "full_attention" : "linear_attention");
        mambas.push_back("linear_attention");
    }
    CHECK((reply("granitemoehybrid", "layer_types", newer) == reply("granitemoehybrid", "layer_types", older)));
    CHECK((reply("granitemoehybrid", "layer_types", newer) != reply("granitemoehybrid", "layer_types", mambas)));
    CHECK((reply("nemotron_h", "layer_types", {"linear_attention", "full_attention", "mlp", "moe"}) ==
           reply("nemotron_h", "hybrid_override_pattern", "M*-E")));
}

}  // namespace plimsoll::test::class_defaults
