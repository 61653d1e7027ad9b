#include "model/core/recomputed.h"

namespace plimsoll {
namespace {

bool joins(const Op& op) { return op.is<Add>() || op.is<Dropout>(); }

/// From the first to the last operation of these parts; sums and dropout belong to the residual stream.
void add_parts(std::vector<ModuleStretch>& list, const Block& block, RecomputedModule module, Part part, Part other) {
    ModuleStretch stretch{module, block.ops.size(), 0};
    for (size_t step = 0; step < block.ops.size(); ++step) {
        const Part own = block.ops[step].part();
        if ((own != part && own != other) || joins(block.ops[step])) continue;
        if (stretch.first > step) stretch.first = step;
        stretch.last = step;
    }
    if (stretch.first < block.ops.size()) list.push_back(stretch);
}

/// A norm of the residual stream: what it was given is added to what is made of its output. The operation before that
/// sum is the hook. Norms whose output is the stream itself cannot give it up.
void add_norms(std::vector<ModuleStretch>& list, const Block& block) {
    for (size_t step = 0; step < block.ops.size(); ++step) {
        const Norm* norm = block.ops[step].as<Norm>();
        if (!norm || norm->part != Part::norm) continue;
        size_t sum = step + 1;
        for (; sum < block.ops.size(); ++sum) {
            const Add* add = block.ops[sum].as<Add>();
            if (add && (add->a == norm->from || add->b == norm->from)) break;
        }
        if (sum == block.ops.size()) continue;
        while (joins(block.ops[sum])) --sum;
        if (sum > step) list.push_back({RecomputedModule::layer_norm, step, step, static_cast<int>(sum)});
    }
}

/// The products that widen the latents; the rest of this module is the attention's own.
void add_latent_products(std::vector<ModuleStretch>& list, const Block& block) {
    for (size_t attention = 0; attention < block.ops.size(); ++attention) {
        const LatentAttention* latent = block.ops[attention].as<LatentAttention>();
        for (size_t step = 0; latent && step < attention; ++step) {
            const Linear* product = block.ops[step].as<Linear>();
            if (product && (product->to == latent->q || product->to == latent->kv))
                list.push_back({RecomputedModule::latent_projection, step, step, static_cast<int>(attention)});
        }
    }
}

template <class Operation>
bool has_operation(const Block& block) {
    for (const Op& op : block.ops)
        if (op.is<Operation>()) return true;
    return false;
}

bool block_has(const Block& block, RecomputedModule module) {
    switch (module) {
        case RecomputedModule::core_attention:
            return has_operation<Attention>(block) || has_operation<LatentAttention>(block) ||
                   has_operation<CompressedAttention>(block) || has_operation<CrossAttention>(block);
        case RecomputedModule::experts_activation: return has_operation<Experts>(block);
        default: break;
    }
    RecomputedModules one;
    one.add(module);
    return !recomputed_stretches(block, one).empty();
}

}  // namespace

std::vector<ModuleStretch> recomputed_stretches(const Block& block, const RecomputedModules& modules) {
    std::vector<ModuleStretch> list;
    if (!modules.any()) return list;
    if (modules.has(RecomputedModule::layer_norm)) add_norms(list, block);
    if (modules.has(RecomputedModule::latent_projection)) add_latent_products(list, block);
    const bool mixture = has_operation<Experts>(block);
    if (modules.has(RecomputedModule::feed_forward) && !mixture)
        add_parts(list, block, RecomputedModule::feed_forward, Part::feed_forward, Part::feed_forward);
    if (modules.has(RecomputedModule::experts) && mixture)
        add_parts(list, block, RecomputedModule::experts, Part::experts, Part::shared_experts);
    if (modules.has(RecomputedModule::shared_experts))
        add_parts(list, block, RecomputedModule::shared_experts, Part::shared_experts, Part::shared_experts);
    return list;
}

bool has_module(const Model& model, RecomputedModule module) {
    for (const LayerKind& kind : model.kinds)
        if (block_has(kind.block, module)) return true;
    return false;
}

}  // namespace plimsoll
