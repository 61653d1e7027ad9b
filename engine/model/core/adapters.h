/// What every operation with adapters asks of them: their rank, and whether it is one of their targets.
#pragma once

#include <string_view>

#include "inputs/workload.h"
#include "number/traced.h"

namespace plimsoll {

/// Rows of each A, and columns of each B.
template <class N>
N rank_of(const Adapter& adapter) {
    return input<N>("lora_rank", adapter.rank, "request: training.lora.rank");
}

/// Whether adapters are asked for by that name.
inline bool names_target(const Adapter* adapter, std::string_view name) {
    if (!adapter) return false;
    for (const std::string& target : adapter->targets)
        if (target == name) return true;
    return false;
}

}  // namespace plimsoll
