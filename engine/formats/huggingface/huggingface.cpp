#include "formats/huggingface/huggingface.h"

namespace plimsoll {
namespace {

constexpr size_t longest_list = 4096;  // per-layer lists; vocabularies and label maps are of no use here

template <class T>
std::optional<std::vector<T>> list_of(const Json& array) {
    std::vector<T> list;
    for (const Json& item : array) {
        if constexpr (std::is_same_v<T, double>) {
            if (!item.is_number()) return std::nullopt;
        } else if (!item.is_string()) {
            return std::nullopt;
        }
        list.push_back(item.get<T>());
    }
    return list;
}

void flatten(const Json& object, const std::string& prefix, Facts& facts) {
    for (const auto& [key, value] : object.items()) {
        const std::string name = prefix + key;
        if (value.is_null())
            facts.values[name] = std::monostate{};
        else if (value.is_number())
            facts.values[name] = value.get<double>();
        else if (value.is_boolean())
            facts.values[name] = value.get<bool>();
        else if (value.is_string())
            facts.values[name] = value.get<std::string>();
        else if (value.is_object())
            flatten(value, name + ".", facts);
        else if (value.size() > longest_list)
            continue;
        else if (!value.empty() &&
                 value.front().is_object())  // a description per layer: `block_configs.0.attention.no_op`
            for (size_t index = 0; index < value.size(); ++index) {
                if (value[index].is_object()) flatten(value[index], name + "." + std::to_string(index) + ".", facts);
            }
        else if (auto words = list_of<std::string>(value); words && !words->empty())
            facts.values[name] = std::move(*words);
        else if (auto numbers = list_of<double>(value))
            facts.values[name] = std::move(*numbers);
    }
}

Json held_as_json(std::monostate) { return {}; }
template <class T>
Json held_as_json(const T& held) {
    return held;
}

}  // namespace

Result<Facts> read_config(const Json& config, std::string origin, std::string where) {
    if (!config.is_object())
        return Error{"wrong_type", where, "a configuration must be a JSON object",
                     "paste the whole config.json, braces included"};
    Facts facts;
    facts.origin = std::move(origin);
    facts.where = std::move(where);
    flatten(config, "", facts);
    return facts;
}

Json facts_to_json(const Facts& facts) {
    Json config = Json::object();
    for (const auto& [name, value] : facts.values) {
        Json* at = &config;
        size_t begin = 0;
        for (size_t dot; (dot = name.find('.', begin)) != std::string::npos; begin = dot + 1)
            at = &(*at)[name.substr(begin, dot - begin)];
        (*at)[name.substr(begin)] = std::visit([](const auto& held) { return held_as_json(held); }, value);
    }
    return config;
}

}  // namespace plimsoll
