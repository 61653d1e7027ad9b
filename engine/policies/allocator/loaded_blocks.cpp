#include "policies/allocator/loaded_blocks.h"

#include <cmath>

#include "model/core/profile.h"
#include "policies/allocator/caching_allocator.h"

namespace plimsoll {
namespace {

bool opens_fused(const Weight<double>& weight) { return weight.name == "q_proj" || weight.name == "gate_proj"; }
bool joins_fused(const Weight<double>& weight, const Weight<double>& before) {
    if (weight.vector || before.vector || weight.part != before.part) return false;
    return weight.name == "k_proj" || weight.name == "v_proj" || (weight.name == "up_proj" && opens_fused(before));
}

}  // namespace

std::vector<EqualTensors> fused_tensors(const Model& model, const Encoding& encoding, const WeightMix& mix,
                                        double devices) {
    std::vector<EqualTensors> tensors;
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    std::vector<const Encoding*> stored(weights.size(), &encoding);
    for (const StoredWeight& each : mix.weights) stored[each.weight] = each.encoding;
    double bytes = 0, layers = 0;
    const Weight<double>* before = nullptr;
    for (size_t index = 0; index < weights.size(); ++index) {
        const Weight<double>& weight = weights[index].weight;
        if (weight.vector) continue;
        if (!before || !joins_fused(weight, *before)) {
            if (bytes > 0) tensors.push_back({std::ceil(bytes / devices), layers});
            bytes = 0;
        }
        layers = weights[index].layers;
        bytes += weight.elements() * stored[index]->bits / 8;
        before = &weight;
    }
    if (bytes > 0) tensors.push_back({std::ceil(bytes / devices), layers});
    return tensors;
}

BeyondTensors load_in_order(const std::vector<EqualTensors>& tensors) {
    CachingAllocator allocator;
    double bytes = 0;
    for (auto first = tensors.begin(); first != tensors.end();) {
        auto last = first;
        while (last != tensors.end() && last->count == first->count) ++last;
        for (double layer = 0; layer < first->count; ++layer)
            for (auto each = first; each != last; ++each) {
                allocator.allocate(each->bytes);
                bytes += each->bytes;
            }
        first = last;
    }
    return {allocator.allocated() - bytes, allocator.reserved() - bytes};
}

}  // namespace plimsoll
