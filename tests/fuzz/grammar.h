/// Changes JSON as JSON: keys that belong together, values that were seen at a key, and such as lie at an edge. Random
/// bytes take long to make one more valid field; this makes many in a second. A target that includes it fuzzes by it,
/// and where there is no libFuzzer, replay.cpp draws some hundred inputs from each file of the corpus.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace plimsoll::fuzz {

class Grammar {
public:
    using Json = nlohmann::ordered_json;

    /// Learns which members stand below a key, and which values they had.
    void learn(const Json& example, const std::string& key = "") {
        if (example.is_object())
            for (const auto& [name, value] : example.items()) {
                below_[key].insert(name);
                learn(value, name);
            }
        else if (example.is_array())
            for (const Json& each : example) learn(each, key);
        std::vector<Json>& seen = values_[key];
        if (seen.size() < most && std::find(seen.begin(), seen.end(), example) == seen.end()) seen.push_back(example);
    }

    /// Learns each JSON file of a folder, or the member `within` of each.
    void learn_folder(const std::string& folder, const char* within = nullptr) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            std::ifstream file(entry.path(), std::ios::binary);
            const Json json = Json::parse(file, nullptr, false);
            if (json.is_discarded()) continue;
            if (!within)
                learn(json);
            else if (json.is_object() && json.contains(within))
                learn(json.at(within));
        }
    }

    /// Learns the fields, choices and limits of a schema.
    void learn_schema(const Json& schema, const Json& node, const std::string& key = "", int depth = 0) {
        if (!node.is_object() || depth > 12) return;
        if (const std::string reference = node.value("$ref", ""); reference.compare(0, 2, "#/") == 0) {
            const Json::json_pointer named(reference.substr(1));
            if (schema.contains(named)) learn_schema(schema, schema.at(named), key, depth + 1);
        }
        for (const char* word : {"minimum", "maximum", "exclusiveMinimum", "default"})
            if (node.contains(word)) values_[key].push_back(node.at(word));
        for (const Json& choice : node.value("enum", Json::array())) values_[key].push_back(choice);
        for (const char* list : {"oneOf", "anyOf", "allOf"})
            for (const Json& each : node.value(list, Json::array())) learn_schema(schema, each, key, depth + 1);
        if (node.contains("items")) learn_schema(schema, node.at("items"), key, depth + 1);
        const Json fields = node.value("properties", Json::object());
        for (const auto& [name, field] : fields.items()) {
            below_[key].insert(name);
            learn_schema(schema, field, name, depth + 1);
        }
    }

    /// One to four changes. The result is valid JSON.
    Json changed(Json json, std::uint32_t seed) {
        random_.seed(seed);
        for (std::uint32_t left = 1 + random_() % 4; left > 0; --left) change(json);
        return json;
    }

private:
    static constexpr size_t most = 1000;  ///< values of one key

    struct Place {
        Json* value;
        std::string key;
        Json* parent;
    };

    void gather(Json& json, const std::string& key, Json* parent, std::vector<Place>& places) {
        places.push_back({&json, key, parent});
        if (json.is_object())
            for (auto& [name, value] : json.items()) gather(value, name, &json, places);
        else if (json.is_array())
            for (Json& each : json) gather(each, key, &json, places);
    }

    template <class List>
    const auto& one_of(const List& list) {
        return *std::next(list.begin(), static_cast<std::ptrdiff_t>(random_() % list.size()));
    }

    Json at_an_edge() {
        static const std::vector<Json> edges = {0,
                                                1,
                                                -1,
                                                0.5,
                                                1e308,
                                                9007199254740992.0,
                                                1e-308,
                                                "",
                                                nullptr,
                                                true,
                                                false,
                                                Json::array(),
                                                "\u202e",
                                                65536,
                                                "__proto__",
                                                Json::object(),
                                                4294967295.0,
                                                Json::array({0})};
        return one_of(edges);
    }

    Json value_at(const std::string& key) {
        const auto seen = values_.find(key);
        return seen == values_.end() || random_() % 4 == 0 ? at_an_edge() : one_of(seen->second);
    }

    void add_member(Json& object, const std::string& key) {
        const auto known = below_.find(key);
        if (known == below_.end()) return;
        const std::string& name = one_of(known->second);
        object[name] = value_at(name);
    }

    static void remove(Json& parent, const Json* value) {
        for (auto at = parent.begin(); at != parent.end(); ++at)
            if (&*at == value) {
                parent.erase(at);
                return;
            }
    }

    void change_number(Json& value) {
        static constexpr double factors[] = {0, 0.5, 2, -1, 3, 1000, 1.0 / 3};
        const auto number = value.get<double>();
        value = random_() % 2 == 0 ? number * factors[random_() % 7] : number + (random_() % 2 == 0 ? 1 : -1);
    }

    void change(Json& json) {
        std::vector<Place> places;
        gather(json, "", nullptr, places);
        const Place& place = one_of(places);
        switch (random_() % 6) {
            case 0:
                if (place.parent) return remove(*place.parent, place.value);
                break;
            case 1:
                if (place.value->is_array() && !place.value->empty() && place.value->size() < 64)
                    return place.value->push_back(Json(one_of(*place.value)));
                break;
            case 2:
                if (place.value->is_number()) return change_number(*place.value);
                break;
            case 3: {
                const Json other = *one_of(places).value;  // a part of the same text in another place
                if (other.dump().size() < 2000) *place.value = other;
                return;
            }
            default: break;
        }
        if (place.value->is_object()) return add_member(*place.value, place.key);
        *place.value = value_at(place.key);
    }

    std::map<std::string, std::set<std::string>> below_;
    std::map<std::string, std::vector<Json>> values_;
    std::minstd_rand random_;
};

/// What a target's LLVMFuzzerCustomMutator does: mostly by the grammar, and by bytes where the text is no JSON.
inline std::size_t mutate(Grammar& grammar, std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    const Grammar::Json json = Grammar::Json::parse(data, data + size, nullptr, false);
    if (json.is_discarded() || seed % 5 == 0) return LLVMFuzzerMutate(data, size, most);
    const std::string text = grammar.changed(json, seed).dump(-1, ' ', false, Grammar::Json::error_handler_t::replace);
    if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
    std::copy(text.begin(), text.end(), data);
    return text.size();
}

/// The grammar of requests: the schema's fields, and the examples' values.
inline Grammar& request_grammar() {
    static Grammar made = [] {
        Grammar grammar;
        std::ifstream file(PLIMSOLL_SOURCE_DIR "/presets/schema/request.json");
        const Grammar::Json schema = Grammar::Json::parse(file, nullptr, false);
        grammar.learn_schema(schema, schema);
        grammar.learn_folder(PLIMSOLL_SOURCE_DIR "/tests/fuzz/corpus/request");
        grammar.learn_folder(PLIMSOLL_SOURCE_DIR "/presets/examples", "request");
        using Pair = std::pair<const char*, const char*>;
        for (const auto& [kind, key] :
             {Pair{"models", "preset"}, Pair{"devices", "preset"}, Pair{"encodings", "encoding"},
              Pair{"optimizers", "optimizer"}, Pair{"runtimes", "runtime"}})
            for (const auto& entry :
                 std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/presets/" + std::string(kind)))
                grammar.learn(entry.path().stem().string(), key);
        return grammar;
    }();
    return made;
}

}  // namespace plimsoll::fuzz
