#include "model/transform/frozen_parts.h"

#include "model/transform/seen_images.h"

namespace plimsoll {
namespace {

using Modules = std::vector<std::string>;

bool has(const Modules& names, std::string_view name) {
    for (const std::string& each : names)
        if (each == name) return true;
    return false;
}

void add(Modules& names, std::string_view name) {
    if (!name.empty() && !has(names, name)) names.emplace_back(name);
}

// Norms of the residual stream, in the order in which they run: before attention and behind it, or around both.
std::string_view norm_name(const Block& block, size_t operation, double hidden) {
    size_t index = 0, all = 0;
    for (size_t each = 0; each < block.ops.size(); ++each) {
        const Norm* norm = block.ops[each].as<Norm>();
        if (!norm || norm->part != Part::norm || norm->width.value() != hidden) continue;
        if (each < operation) ++index;
        ++all;
    }
    if (index == 0) return "input_layernorm";
    if (index == 1) return "post_attention_layernorm";
    return all > 3 && index == 3 ? "post_feedforward_layernorm" : "pre_feedforward_layernorm";
}

// The module of a layer that an operation's weights belong to; none without weights.
std::string_view module_of(const Block& block, size_t operation, double hidden) {
    std::vector<Weight<double>> own;
    block.ops[operation].weights(own);
    if (own.empty()) return {};
    const Norm* norm = block.ops[operation].as<Norm>();
    if (norm && norm->part == Part::norm && norm->width.value() == hidden) return norm_name(block, operation, hidden);
    switch (block.ops[operation].part()) {
        case Part::feed_forward:
        case Part::router:
        case Part::experts:
        case Part::shared_experts: return "mlp";
        case Part::mixer: return "mixer";
        default: return "self_attn";
    }
}

double hidden_of(const Model& model) { return model.hidden_size ? model.hidden_size->value() : 0; }

// What of a block is frozen: all but the modules that are named.
void freeze_layer(Block& block, const Modules& modules, double hidden) {
    block.frozen.assign(block.ops.size(), true);
    for (size_t operation = 0; operation < block.ops.size(); ++operation) {
        const std::string_view module = module_of(block, operation, hidden);
        if (!module.empty() && (has(modules, "all") || has(modules, module))) block.frozen[operation] = false;
    }
}

// What lies above the layers: its last product is the vocabulary's, and one with the embedding where that is tied.
void freeze_head(Model& model, const Modules& extra) {
    Block& head = model.head;
    const bool matrix = has(extra, model.tied ? "embed_tokens" : "lm_head");
    head.frozen.assign(head.ops.size(), true);
    for (size_t operation = 0; operation < head.ops.size(); ++operation) {
        const bool product = head.ops[operation].is<Linear>();
        head.frozen[operation] = product ? !matrix : !has(extra, "norm");
    }
}

// A kind of layer by what a backward pass does there.
struct Way {
    unsigned short kind;
    bool trained, flows;
};

LayerKind kind_of(const Model& model, const Way& way, double count, const Modules& modules) {
    LayerKind made = model.kinds[way.kind];
    freeze_layer(made.block, way.trained ? modules : Modules(), hidden_of(model));
    made.block.given_flows = way.flows;
    if (made.stream != Stream::hidden_states) return made;  // of a tower, whose names say so
    const char *flowing = way.trained ? "" : "passing_", *lowest = way.trained ? "lowest_" : "frozen_";
    const char* prefix = way.flows ? flowing : lowest;
    made.name = prefix + made.name;
    made.count = input<Traced>({made.name, "s"}, count, "request: training.freeze");
    return made;
}

}  // namespace

Modules modules_of_layers(const Model& model) {
    Modules names;
    for (const LayerKind& kind : model.kinds)
        for (size_t operation = 0; operation < kind.block.ops.size(); ++operation)
            add(names, module_of(kind.block, operation, hidden_of(model)));
    return names;
}

Modules modules_beside_layers(const Model& model) {
    Modules names;
    if (!model.embedding.ops.empty()) names.emplace_back("embed_tokens");
    for (const Op& op : model.head.ops) {
        if (op.is<Norm>()) add(names, "norm");
        if (op.is<Linear>() && !model.tied) add(names, "lm_head");
    }
    return names;
}

void freeze_all_but(Model& model, const TrainedParts& parts) {
    const double all = static_cast<double>(model.order.size()), towers = static_cast<double>(tower_layers(model));
    const double wanted = parts.layers < 0 ? -parts.layers : parts.layers;
    const double count = wanted < all - towers ? wanted : all - towers;
    const double first = parts.layers < 0 ? towers : all - count, end = first + count;
    bool flows = has(parts.extra, "embed_tokens");
    model.embedding.frozen.assign(model.embedding.ops.size(), !flows);
    model.embedding.given_flows = false;
    std::vector<Way> ways;
    std::vector<double> counts;
    for (size_t position = 0; position < model.order.size(); ++position) {
        const double at = static_cast<double>(position);
        const Way way{model.order[position], at >= first && at < end, flows && at >= towers};
        size_t index = 0;
        while (index < ways.size() &&
               (ways[index].kind != way.kind || ways[index].trained != way.trained || ways[index].flows != way.flows))
            ++index;
        if (index == ways.size()) ways.push_back(way), counts.push_back(0);
        counts[index] += 1;
        model.order[position] = static_cast<unsigned short>(index);
        flows = flows || way.trained;
    }
    freeze_head(model, parts.extra);
    model.head.given_flows = flows;
    std::vector<LayerKind> kinds;
    kinds.reserve(ways.size());
    for (size_t index = 0; index < ways.size(); ++index)
        kinds.push_back(kind_of(model, ways[index], counts[index], parts.modules));
    model.kinds = std::move(kinds);
}

}  // namespace plimsoll
