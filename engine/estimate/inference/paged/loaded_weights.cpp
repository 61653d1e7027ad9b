#include "estimate/inference/paged/loaded_weights.h"

#include <algorithm>

#include "model/core/profile.h"
#include "model/core/tape.h"
#include "policies/allocator/loaded_blocks.h"
#include "policies/runtimes/overhead.h"

namespace plimsoll {
namespace {

// 0: nothing.
double rotated_width(const Block& block) {
    for (const Op& op : block.ops)
        if (const LatentAttention* latent = op.as<LatentAttention>()) return latent->rope.value();
    const Attention* attention = attention_of(block);
    for (const Op& op : block.ops)
        if (attention && op.is<Rope>()) return attention->head_dim.value();
    return 0;
}

template <class List, class Value>
bool has(const List& list, const Value& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

std::vector<double> rotated_widths(const Model& model) {
    std::vector<double> widths;
    for (const LayerKind& kind : model.kinds) {
        const double width = rotated_width(kind.block);
        if (width > 0 && !has(widths, width)) widths.push_back(width);
    }
    return widths;
}

Dtype rotary_type(const InferenceInputs& inputs, const Device* device) {
    const WideTables& wide = inputs.runtime->wide_tables;
    const std::string_view maker = device ? std::string_view(device->vendor) : "nvidia";
    const bool released = inputs.release == 0 || inputs.release >= wide.since;
    return released && has(wide.makers, maker) ? Dtype::float32 : inputs.compute;
}

double left_over_of_server(const Model& model, const InferenceInputs& inputs, const Device* device) {
    std::vector<EqualTensors> tensors;
    for (const double width : rotated_widths(model)) {
        const double bytes = model.context_limit * width * value_of(bytes_of<double>(rotary_type(inputs, device)));
        if (bytes > 0) tensors.push_back({bytes, 1});
    }
    for (const EqualTensors& each : fused_tensors(model, *inputs.weights, inputs.mix, inputs.request.tensor))
        tensors.push_back(each);
    const BeyondTensors beyond = load_in_order(tensors);
    const bool driver = inputs.runtime->fraction_of == FractionOf::available || backend_of(device) == "rocm";
    return driver ? beyond.reserved : beyond.allocated;
}

}  // namespace plimsoll
