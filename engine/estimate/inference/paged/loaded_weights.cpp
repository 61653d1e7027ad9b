#include "estimate/inference/paged/loaded_weights.h"

#include <algorithm>

#include "model/core/tape.h"
#include "policies/allocator/loaded_blocks.h"
#include "policies/runtimes/overhead.h"

namespace plimsoll {
namespace {

bool has(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool holds(const InferenceInputs& inputs) {
    return inputs.release == 0 || inputs.release >= inputs.runtime->tables.since;
}

}  // namespace

RotaryTables rotary_tables_of(const Model& model, const InferenceInputs& inputs) {
    const TableRules& rules = inputs.runtime->tables;
    const bool unscaled = has(rules.unscaled, model.architecture);
    if (unscaled && inputs.release > 0 && inputs.release < rules.unscaled_since) return {};
    RotaryTables tables = model.rotary_tables;
    for (RotaryTable& table : tables) {
        if (table.axes && holds(inputs)) table.positions *= rules.axes;
        if (unscaled) table.positions = model.context_limit;
    }
    return tables;
}

Dtype rotary_type(const Model& model, const InferenceInputs& inputs, const Device* device) {
    const TableRules& rules = inputs.runtime->tables;
    const bool wide = has(rules.wide_of, model.architecture) || has(rules.wide_on, maker_of(device));
    return wide && holds(inputs) ? Dtype::float32 : inputs.compute;
}

double left_over_of_server(const Model& model, const InferenceInputs& inputs, const Device* device) {
    std::vector<EqualTensors> tensors;
    const double each = value_of(bytes_of<double>(rotary_type(model, inputs, device)));
    for (const RotaryTable& table : rotary_tables_of(model, inputs))
        tensors.push_back({table.positions * table.width * each, 1});
    const auto fused = fused_tensors(model, *inputs.weights, inputs.mix, inputs.request.tensor);
    tensors.insert(tensors.end(), fused.begin(), fused.end());
    const BeyondTensors beyond = load_in_order(tensors);
    const bool driver = inputs.runtime->fraction_of == FractionOf::available || backend_of(device) == "rocm";
    return driver ? beyond.reserved : beyond.allocated;
}

}  // namespace plimsoll
