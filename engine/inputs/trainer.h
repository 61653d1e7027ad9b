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
    std::vector<std::string> methods, optimizers;  ///< with which it holds; empty: with all
    bool packed_base = false;                      ///< and only beside one

    bool holds(const std::string& method, const std::string& optimizer, bool is_packed) const {
        return has(methods, method) && has(optimizers, optimizer) && (is_packed || !packed_base);
    }

private:
    static bool has(const std::vector<std::string>& list, const std::string& word) {
        return list.empty() || std::find(list.begin(), list.end(), word) != list.end();
    }
};

struct Trainer {
    std::string id, name;
    std::vector<TrainerDefault> defaults;
};

}  // namespace plimsoll
