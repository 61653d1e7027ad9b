// Which layers of a model are trained and recomputed, position by position.
#include "estimate/training/timeline/layer_plan.h"

#include <algorithm>

#include "estimate/training/forward/reached.h"

namespace plimsoll {
namespace {

// The layer at a position, of a piece that begins at `begin` and ends before `end`; `first`: trained one of the stage.
struct Place {
    size_t position, begin, end, first;
};

bool is_chosen(const Recompute& recompute, const Place& at) {
    if (recompute.method == RecomputeMethod::block)
        return at.position - at.begin < static_cast<size_t>(recompute.num_layers);
    return (at.position - at.first + 1) % static_cast<size_t>(recompute.every) == 0;
}

PlannedLayer planned(const Model& model, const Recompute& recompute, const Place& at) {
    const size_t kind = model.order[at.position];
    PlannedLayer layer{kind, at.position >= at.first, Recomputed::nothing, at.position, at.position + 1};
    if (!is_checkpointed(model.kinds[kind])) return layer;
    if (!layer.trained || recompute.checkpointing == Checkpointing::none || !is_chosen(recompute, at)) return layer;
    layer.recomputed = recomputes_layers(recompute.checkpointing) ? Recomputed::layer : Recomputed::modules;
    if (recompute.method != RecomputeMethod::uniform || layer.recomputed != Recomputed::layer) return layer;
    const size_t together = static_cast<size_t>(recompute.num_layers);
    layer.chunk_begin = at.position - (at.position - at.begin) % together;
    layer.chunk_end = std::min(at.end, layer.chunk_begin + together);
    return layer;
}

}  // namespace

std::vector<size_t> piece_begins(const std::vector<size_t>& parts, size_t layers) {
    if (parts.empty()) return {0, layers};
    std::vector<size_t> begins = {0};
    for (const size_t part : parts) begins.push_back(begins.back() + part);
    return begins;
}

std::vector<PlannedLayer> layer_plan(const Model& model, const TrainingRequest& request,
                                     const std::vector<size_t>& parts) {
    const size_t first = first_trained(model, request), layers = model.order.size();
    const std::vector<size_t> begins = piece_begins(parts, layers);
    std::vector<PlannedLayer> plan;
    plan.reserve(layers);
    for (size_t piece = 0; piece + 1 < begins.size(); ++piece) {
        const size_t end = begins[piece + 1];
        for (size_t position = begins[piece]; position < end; ++position)
            plan.push_back(planned(model, request.recompute, {position, std::max(begins[piece], first), end, first}));
    }
    return plan;
}

}  // namespace plimsoll
