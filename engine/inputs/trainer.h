/// A tool that trains models: what holds there where nobody says anything else.
#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace plimsoll {

struct TrainerDefault {
    std::string field;  ///< within `training`: `checkpointing`, `lora.targets`
    std::variant<double, bool, std::string> value;
    std::vector<std::string> methods;  ///< with which it holds; empty: with all
    bool packed_base = false;          ///< and only beside one

    bool holds(const std::string& method, bool is_packed) const {
        const bool named = methods.empty() || std::find(methods.begin(), methods.end(), method) != methods.end();
        return named && (is_packed || !packed_base);
    }
};

struct Trainer {
    std::string id, name;
    std::vector<TrainerDefault> defaults;
};

}  // namespace plimsoll
