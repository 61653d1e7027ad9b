/// What is trained: all parameters, some of them by name or by share, or adapters beside frozen ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inputs/workload.h"

namespace plimsoll {

/// The parameters that are trained, by name: of the last layers (of the first ones, where their number is negative) all
/// or some modules, and what lies beside the layers. (LLaMA-Factory: freeze_trainable_layers, freeze_trainable_modules,
/// freeze_extra_modules)
struct TrainedParts {
    double layers = 2;
    std::vector<std::string> modules{"all"};
    std::vector<std::string> extra;
};

struct TrainingMethod {
    bool freeze = false;             ///< some parameters are frozen, the others trained themselves
    std::optional<Adapter> adapter;  ///< it is trained; all else is frozen
    double trainable_percent = 100;
    std::optional<TrainedParts> parts;          ///< with freeze, in place of a percentage
    bool galore = false;                        ///< full training with projected gradients
    double low_rank = 0;                        ///< of projected gradients
    std::vector<std::string> low_rank_targets;  ///< parts or linear layers whose gradients are projected
};

}  // namespace plimsoll
