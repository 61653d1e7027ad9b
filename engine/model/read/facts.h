/// What is known of a model before anyone knows its architecture: names with values, each with its source.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace plimsoll {

/// One value of a config.json: null, a number, a switch, a word, or a list of either.
using FactValue =
    std::variant<std::monostate, double, bool, std::string, std::vector<double>, std::vector<std::string>>;

struct Facts {
    std::map<std::string, FactValue, std::less<>> values;  ///< nested objects as `text_config.hidden_size`
    std::string origin;                                    ///< who says so, e.g. `config.json`
    std::string where;                                     ///< path of the object in the request, e.g. `model.config`
    std::map<std::string, double, std::less<>> pruned;     ///< what structured pruning has made smaller: values before

    const FactValue* find(std::string_view name) const {
        const auto found = values.find(name);
        return found == values.end() ? nullptr : &found->second;
    }
    template <class T>
    const T* get(std::string_view name) const {
        const FactValue* found = find(name);
        return found ? std::get_if<T>(found) : nullptr;
    }
};

}  // namespace plimsoll
