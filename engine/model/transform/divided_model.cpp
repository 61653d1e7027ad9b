#include "model/transform/divided_model.h"

#include "model/core/profile.h"
#include "model/transform/divided_block.h"

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

// Where a stage's layers begin, where its first or its last one has another share than those between.
size_t first_of_stage(const TrainingLayout& layout, size_t layers, size_t stage) {
    const double all = static_cast<double>(layers), before = static_cast<double>(stage);
    if (before == 0) return 0;
    if (before == layout.pipeline) return layers;
    if (before + 1 == layout.pipeline && layout.last_stage_layers > 0)
        return static_cast<size_t>(all - layout.last_stage_layers);
    const double others = all - layout.first_stage_layers - layout.last_stage_layers;
    const double each = others / maximum(layout.even_stages(), 1.0);
    return static_cast<size_t>((layout.first_stage_layers > 0 ? layout.first_stage_layers : each) +
                               (before - 1) * each);
}

std::optional<Error> refused_stages(const TrainingLayout& layout, double layers) {
    const auto refuse = [](const char* what, const char* hint) {
        return Error{"out_of_range", "parallel.first_stage_layers", what, hint};
    };
    if (!layout.sets_stage_layers()) return std::nullopt;
    if (layout.pipeline == 1 || layout.virtual_stages > 1)
        return refuse("stages with layers of their own are those of a pipeline whose stages have one part each",
                      "set parallel.pipeline above 1 and leave virtual_stages out, or leave it out");
    const double others = layers - layout.first_stage_layers - layout.last_stage_layers;
    const bool divide = layout.even_stages() > 0 ? others > 0 && is_whole(others / layout.even_stages()) : others == 0;
    if (divide) return std::nullopt;
    return refuse("the other stages cannot share the other layers evenly",
                  "layers less those of the first and last stage must be a multiple of the other stages");
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
    if (layout.pipeline * layout.virtual_stages > layers)
        return Error{"out_of_range", "parallel.pipeline", "there are more stages than layers",
                     "at most " + std::to_string(static_cast<int>(layers / layout.virtual_stages))};
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
    const auto stages = static_cast<size_t>(layout.pipeline), parts = static_cast<size_t>(layout.virtual_stages);
    const size_t layers = whole.order.size(), pieces = stages * parts;
    std::vector<unsigned short> order;
    for (size_t piece = stage; piece < pieces; piece += stages) {
        const bool uneven = layout.sets_stage_layers();
        const size_t begin = uneven ? first_of_stage(layout, layers, piece) : layers * piece / pieces,
                     end = uneven ? first_of_stage(layout, layers, piece + 1) : layers * (piece + 1) / pieces;
        order.insert(order.end(), whole.order.begin() + static_cast<std::ptrdiff_t>(begin),
                     whole.order.begin() + static_cast<std::ptrdiff_t>(end));
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
