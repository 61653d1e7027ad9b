#include "model/transform/divided_model.h"

#include "model/core/profile.h"
#include "model/transform/divided_block.h"
#include "model/transform/pipeline_parts.h"

namespace plimsoll {
namespace {

// Experts of a group's device; the router is whole.
void divide_experts(const TrainingLayout& layout, Block& block) {
    for (Op& op : block.ops)
        if (Experts* experts = op.as<Experts>()) {
            experts->held =
                named("experts_here", ceiling(experts->experts / input<Traced>("expert_parallel", layout.expert,
                                                                               "request: parallel.expert")));
            if (layout.tensor != layout.expert_tensor)
                experts->token_share =
                    input<Traced>("devices_of_an_expert", layout.expert_tensor, "request: parallel.expert_tensor") /
                    input<Traced>("tensor_parallel", layout.tensor, "request: parallel.tensor");
            if (layout.expert_imbalance > 1)
                experts->imbalance =
                    input<Traced>("expert_imbalance", layout.expert_imbalance, "request: parallel.expert_imbalance");
        }
}

// Kinds of layers that a stage has none of are left out; the others are counted anew.
void keep_used_kinds(Model& model) {
    std::vector<LayerKind> kinds;
    std::vector<unsigned short> number(model.kinds.size(), 0);
    for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
        double count = 0;
        for (const unsigned short each : model.order) count += each == kind;
        if (count == 0) continue;
        number[kind] = static_cast<unsigned short>(kinds.size());
        kinds.push_back(std::move(model.kinds[kind]));
        kinds.back().count = input<Traced>({kinds.back().name, "s_of_stage"}, count, "layers of this pipeline stage");
    }
    for (unsigned short& each : model.order) each = number[each];
    model.kinds = std::move(kinds);
}

}  // namespace

double most_experts(const Model& model) {
    double most = 0;
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops)
            if (const Experts* experts = op.as<Experts>()) most = maximum(most, experts->experts.value());
    return most;
}

std::optional<Error> refused_division(const Model& model, const TrainingLayout& layout) {
    const auto layers = static_cast<double>(model.order.size());
    if (layout.tensor * layout.pipeline * layout.expert * layout.context == 1 && !layout.sets_stage_layers())
        return std::nullopt;
    if (model.kinds.empty() || !model.hidden_size || model.declared_parameters)
        return Error{"missing_field", "model", "a bare number of parameters has no layers that could be divided",
                     "name a preset, or state the model's shape"};
    if (auto refused = refused_stages(layout, layers)) return refused;
    if (layout.expert > 1 && (most_experts(model) == 0 || layout.expert > most_experts(model)))
        return Error{"out_of_range", "parallel.expert",
                     most_experts(model) == 0 ? "this model has no experts" : "there are more devices than experts",
                     "at most " + std::to_string(static_cast<int>(maximum(most_experts(model), 1.0)))};
    for (const LayerKind& kind : model.kinds) {
        if (layout.tensor > 1)
            if (auto refused = refused_widths(kind.block, layout)) return refused;
        if (layout.exchanges_heads())
            if (auto refused = refused_exchange(kind.block, layout)) return refused;
    }
    return std::nullopt;
}

Model shared_model(const Model& whole, const TrainingLayout& layout) {
    Model part = whole;
    if (layout.expert > 1)
        for (LayerKind& kind : part.kinds) divide_experts(layout, kind.block);
    if (layout.tensor > 1) {
        for (LayerKind& kind : part.kinds) divide_block(whole, layout, kind.block);
        divide_block(whole, layout, part.embedding);
        divide_block(whole, layout, part.head);
        if (part.vocab_size && layout.divides_vocabulary()) part.vocab_size = vocabulary_here(*part.vocab_size, layout);
    }
    if (layout.exchanges_heads())
        for (LayerKind& kind : part.kinds) exchange_heads(layout, kind.block);
    return part;
}

double share_in_experts(const Model& model) {
    const double all = parameters<double>(model);
    double experts = 0;
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops) {
            const Experts* held = op.as<Experts>();
            if (!held) continue;
            std::vector<Weight<double>> weights;
            held->weights(weights);
            for (const Weight<double>& weight : weights)
                if (weight.part == Part::experts) experts += kind.count.value() * weight.elements();
        }
    return all > 0 ? experts / all : 0;
}

std::vector<unsigned short> order_of_stage(const Model& whole, const TrainingLayout& layout, size_t stage) {
    const std::vector<size_t> parts = layers_of_parts(layout, whole.order.size());
    const auto stages = static_cast<size_t>(layout.pipeline);
    std::vector<unsigned short> order;
    auto begin = whole.order.begin();
    for (size_t part = 0; part < parts.size(); ++part) {
        const auto end = begin + static_cast<std::ptrdiff_t>(parts[part]);
        if (part % stages == stage) order.insert(order.end(), begin, end);
        begin = end;
    }
    return order;
}

Model stage_model(const Model& whole, const TrainingLayout& layout, size_t stage) {
    if (layout.pipeline == 1) return whole;
    const auto stages = static_cast<size_t>(layout.pipeline);
    Model model = whole;
    model.order = order_of_stage(whole, layout, stage);
    keep_used_kinds(model);
    const bool first = stage == 0, last = stage + 1 == stages;
    if (!first && !(last && whole.tied)) model.embedding.ops.clear();
    if (!last) model.head.ops.clear();
    if (!first) model.towers.clear();
    return model;
}

Model layers_of(const Model& whole, size_t begin, size_t end, bool embedding, bool head) {
    Model model = whole;
    model.order.assign(whole.order.begin() + static_cast<std::ptrdiff_t>(begin),
                       whole.order.begin() + static_cast<std::ptrdiff_t>(end));
    keep_used_kinds(model);
    if (!embedding) model.embedding.ops.clear(), model.towers.clear();
    if (!head) model.head.ops.clear(), model.vocab_size.reset();
    if (!embedding || !head) model.tied = false;
    return model;
}

}  // namespace plimsoll
