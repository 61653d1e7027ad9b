// What presets/schema/request.json says of names and ranges, the engine holds requests to: every block, every number.
#include <functional>

#include "engine/support.h"

namespace plimsoll::test::schema {

namespace {

const Json& schema() {
    static const Json json = Json::parse(read("presets/schema/request.json"));
    return json;
}

const Json& resolved(const Json& node) {
    const auto reference = node.find("$ref");
    if (reference == node.end()) return node;
    const std::string text = reference->get<std::string>();
    static const Json common = Json::parse(read("presets/schema/common.json"));
    const Json& file = text[0] == '#' ? schema() : common;
    return resolved(file.at(Json::json_pointer(text.substr(text.find('#') + 1))));
}

// A place in a request: its path as errors name it, and as a JSON pointer, with what makes the place the block it is.
struct Place {
    std::string path;
    Json request;
    Json::json_pointer pointer;
};

Place below(const Place& place, const std::string& key) {
    return {place.path.empty() ? key : place.path + "." + key, place.request, place.pointer / key};
}

using Visit = std::function<void(const Place&, const Json&)>;

// Every block and every value that the schema describes, whichever way it may be written.
void walk(const Json& node_or_reference, Place place, const Visit& visit) {
    const Json& node = resolved(node_or_reference);
    for (const char* several : {"anyOf", "oneOf"})
        if (node.contains(several))
            for (const Json& one : node.at(several)) {
                place.request[place.pointer] = nullptr;
                walk(one, place, visit);
            }
    if (node.contains("items")) {
        place.request[place.pointer] = Json::array();
        walk(node.at("items"), {place.path + "[0]", place.request, place.pointer / 0}, visit);
    }
    if (node.contains("required") && !place.path.empty())
        place.request[place.pointer][node.at("required")[0].get<std::string>()] = nullptr;
    visit(place, node);
    if (!node.contains("properties") || place.path.size() > 60) return;  // a draft's model is a model again
    for (const auto& [key, field] : node.at("properties").items()) walk(field, below(place, key), visit);
}

void walk(const Visit& visit) { walk(schema(), {"", {{"model", {{"preset", "gpt2"}}}}, Json::json_pointer()}, visit); }

Json refused_with(Place place, const Json& value) {
    place.request[place.pointer] = value;
    INFO(place.request.dump());
    return refuse(place.request.dump());
}

}  // namespace

TEST_CASE("a name that no block of the schema has is refused where it stands, with the one that was meant") {
    int blocks = 0, names = 0;
    walk([&](const Place& place, const Json& node) {
        if (!node.contains("properties")) return;
        ++blocks;
        CHECK(node.at("additionalProperties") == false);
        for (const auto& [key, field] : node.at("properties").items()) {
            const Place wrong = below(place, key + key.back());
            const Json error = refused_with(wrong, 1);
            CHECK(error.at("code") == "unknown_field");
            CHECK(error.at("where") == wrong.path);
            CHECK(error.at("hint") == "did you mean " + key + "?");
            ++names;
        }
    });
    CHECK(blocks > 30);
    CHECK(names > 250);
}

TEST_CASE("a number outside of the schema's range is refused at its field, whatever the task") {
    int bounds = 0;
    const auto check = [&bounds](const Place& place, double value) {
        const Json error = refused_with(place, value);
        CHECK(error.at("code") == "out_of_range");
        CHECK(error.at("where") == place.path);
        ++bounds;
    };
    walk([&](const Place& place, const Json& node) {
        if (node.contains("minimum")) check(place, node.at("minimum").get<double>() - 1);
        if (node.contains("exclusiveMinimum")) check(place, node.at("exclusiveMinimum").get<double>());
        if (node.contains("maximum")) check(place, node.at("maximum").get<double>() + 1);
        if (node.contains("exclusiveMaximum")) check(place, node.at("exclusiveMaximum").get<double>());
        if (node.value("type", "") == "integer" && node.contains("minimum")) check(place, 1.5);
    });
    CHECK(bounds > 150);
}

TEST_CASE("a value of another type, or a choice that is not there, is refused at its field, whatever the task") {
    int values = 0;
    const auto check = [&values](const Place& place, const Json& value, const char* code) {
        const Json error = refused_with(place, value);
        CHECK(error.at("code") == code);
        const std::string list = place.path.substr(0, place.path.find("[0]"));  // of words: the list's place
        CHECK((error.at("where") == place.path || error.at("where") == list));
        ++values;
    };
    walk([&](const Place& place, const Json& node) {
        const std::string type = node.value("type", "");
        if (type == "integer" || type == "number") check(place, "many", "wrong_type");
        if (type == "boolean") check(place, "true", "wrong_type");
        if (node.contains("properties") && !place.path.empty() && !node.contains("required"))
            check(place, 3, "wrong_type");
        if (node.contains("enum") && node.at("enum")[0].is_string()) {
            check(place, "no such thing", "unknown_value");
            check(place, 3, "wrong_type");
        }
    });
    CHECK(values > 250);
}

TEST_CASE("a sweep over a field that does not exist, or to a value that it cannot have, is refused") {
    const auto where = [](const char* field, const Json& value) {
        const Json sweep = {{"request", {{"model", {{"preset", "gpt2"}}}}},
                            {"over", {{{"field", field}, {"values", {value}}}}}};
        return Json::parse(engine().sweep(sweep.dump())).at("error").at("where");
    };
    for (const char* field : {"inference.contxt", "weights.encodng", "__proto__.context", "", ".", "inference.",
                              "inference.context.tokens", "model.hiden_size", "training.models.critic.modl"})
        CHECK(where(field, 4) == field);
    CHECK(where("inference.context", 0) == "inference.context");
    CHECK(where("model.hidden_size", 64) == "model.hidden_size");  // of a model that has a name already
}

TEST_CASE("a request that says so may hold fields that are not known: they are passed over, and told") {
    Json request = {{"model", {{"preset", "gpt2"}}}, {"inference", {{"contxt", 3}}}, {"allow_unknown", true}};
    const Json reply = ask(request);
    CHECK(reply.at("notes")[0].at("code") == "unknown_field");
    CHECK(reply.at("notes")[0].at("where") == "inference.contxt");
    request["allow_unknown"] = "yes";
    CHECK(refuse(request.dump()).at("code") == "unknown_field");
    request["inference"] = Json::object();
    CHECK(refuse(request.dump()).at("where") == "allow_unknown");
}

}  // namespace plimsoll::test::schema
