// A model's answers, gathered over its layers, for doubles and for traces.
#include "model/core/profile.h"

#include "model/core/recomputed.h"

namespace plimsoll {

namespace {

// Of a layer that runs a tower's block, the tower; only a training has such. (run_towers)
std::string_view tower_of(const LayerKind& kind) {
    if (!capabilities.training || kind.stream == Stream::hidden_states) return {};
    return std::string_view(kind.name).substr(0, kind.name.find('_'));
}

}  // namespace

template <class N>
std::vector<Weight<N>> weights_of(const Block& block) {
    std::vector<Weight<N>> list;
    list.reserve(16);
    for (const Op& op : block.ops) op.weights(list);
    return list;
}

template <class N>
std::vector<Weight<N>> unfrozen_weights_of(const Block& block) {
    std::vector<Weight<N>> list;
    for (size_t op = 0; op < block.ops.size(); ++op)
        if (!block.is_frozen(op)) block.ops[op].weights(list);
    return list;
}

template <class N>
std::vector<LayeredWeight<N>> weights_of(const Model& model) {
    std::vector<LayeredWeight<N>> list;
    const auto add = [&list](const Block& block, const N& layers, std::string_view tower) {
        for (Weight<N>& weight : weights_of<N>(block)) {
            const std::string_view part = tower.empty() ? part_name(weight.part) : tower;
            list.push_back({std::move(weight), layers, part, !tower.empty()});
        }
    };
    add(model.embedding, N(1), {});
    for (const LayerKind& kind : model.kinds) add(kind.block, as<N>(kind.count), tower_of(kind));
    add(model.head, N(1), {});
    for (const Tower& tower : model.towers)
        if (tower.name != "mtp")
            for (const LayerKind& kind : tower.kinds) add(kind.block, as<N>(kind.count), tower.name);
    return list;
}

template <class N>
N parameters(const Block& block) {
    N total{0};
    for (const Weight<N>& weight : weights_of<N>(block)) total += named(weight.name, weight.elements());
    return total;
}

template <class N>
N parameters(const Tower& tower) {
    N total{0};
    for (const LayerKind& kind : tower.kinds) total += as<N>(kind.count) * parameters<N>(kind.block);
    return total;
}

template <class N>
void add_to_part(std::vector<PartParameters<N>>& parts, std::string_view name, const N& elements) {
    for (PartParameters<N>& known : parts)
        if (known.name == name) {
            known.elements += elements;
            return;
        }
    parts.push_back({name, elements});
}

template <class N>
std::vector<PartParameters<N>> parameters_by_part(const Model& model) {
    std::vector<PartParameters<N>> parts;
    const auto add_block = [&parts](const Block& block, const N& layers) {
        // sum a block's weights part by part first, so that the formula reads layers × (q + k + v + o)
        std::vector<PartParameters<N>> sums;
        for (const Weight<N>& weight : weights_of<N>(block))
            add_to_part(sums, part_name(weight.part), named(weight.name, weight.elements()));
        for (const PartParameters<N>& sum : sums) add_to_part(parts, sum.name, layers * sum.elements);
    };
    add_block(model.embedding, N(1));
    for (const LayerKind& kind : model.kinds)
        if (const std::string_view tower = tower_of(kind); !tower.empty())
            add_to_part(parts, tower, as<N>(kind.count) * parameters<N>(kind.block));
        else
            add_block(kind.block, as<N>(kind.count));
    add_block(model.head, N(1));
    for (const Tower& tower : model.towers)
        if (tower.name != "mtp") add_to_part(parts, tower.name, parameters<N>(tower));
    for (PartParameters<N>& part : parts) part.elements = named({part.name, "_parameters"}, part.elements);
    return parts;
}

template <class N>
N parameters(const Model& model) {
    if (model.declared_parameters) return as<N>(*model.declared_parameters);
    N total{0};
    for (const PartParameters<N>& part : parameters_by_part<N>(model)) total += part.elements;
    return total;
}

double active_parameters(const Model& model) {
    if (model.declared_parameters) return model.declared_parameters->value();
    double total = 0;
    for (const LayeredWeight<double>& each : weights_of<double>(model))
        total += each.layers * each.weight.elements() * each.weight.active_share;
    return total;
}

const Attention* attention_of(const Block& block) {
    for (const Op& op : block.ops)
        if (const Attention* attention = op.as<Attention>()) return attention;
    return nullptr;
}

template <class N>
Tape<N> run(const Block& block, const Pass<N>& pass, const N& hidden) {
    Tape<N> tape(pass);
    tape.makes("x", pass.stream_tokens() * hidden, pass.options.numerics.parameter);
    if (!block.frozen.empty()) tape.follow(block.given_flows);
    const std::vector<ModuleStretch> stretches =
        tape.gradients() ? recomputed_stretches(block, pass.options.recomputed) : std::vector<ModuleStretch>();
    for (size_t at = 0; at < block.ops.size(); ++at) {
        const Op& op = block.ops[at];
        tape.begin(static_cast<int>(at), op.part(), block.is_frozen(at));
        for (const ModuleStretch& stretch : stretches)
            if (stretch.first == at) tape.enter(stretch.module, stretch.hook);
        op.forward(tape);
        for (auto stretch = stretches.rbegin(); stretch != stretches.rend(); ++stretch)
            if (stretch->last == at) tape.leave(stretch->module);
        tape.end();
        if (!tape.weight_gradients()) continue;
        std::vector<Weight<N>> own;
        op.weights(own);
        tape.trains_all(own);
    }
    return tape;
}

template <class N>
std::vector<BlockCost<N>> cost_of(const Block& block, const Pass<N>& pass, const N& hidden) {
    Tape<N> tape(pass);
    tape.makes("x", pass.stream_tokens() * hidden, pass.options.numerics.parameter);
    std::vector<BlockCost<N>> list;
    std::vector<Cost<N>> own;
    for (size_t at = 0; at < block.ops.size(); ++at) {
        const Op& op = block.ops[at];
        tape.begin(static_cast<int>(at), op.part());
        op.forward(tape);
        own.clear();
        op.costs(tape, own);
        for (Cost<N>& each : own) list.push_back({std::move(each), at});
    }
    return list;
}

template <class N>
std::vector<Kept<N>> kept_by(const Block& block) {
    std::vector<Kept<N>> list;
    for (const Op& op : block.ops) op.keeps(list);
    return list;
}

template std::vector<Weight<double>> weights_of(const Block&);
template std::vector<Weight<double>> unfrozen_weights_of(const Block&);
template std::vector<LayeredWeight<double>> weights_of(const Model&);
template double parameters(const Block&);
template double parameters(const Tower&);
template void add_to_part(std::vector<PartParameters<double>>&, std::string_view, const double&);
template std::vector<PartParameters<double>> parameters_by_part(const Model&);
template double parameters(const Model&);
template Tape<double> run(const Block&, const Pass<double>&, const double&);
template std::vector<BlockCost<double>> cost_of(const Block&, const Pass<double>&, const double&);
template std::vector<Kept<double>> kept_by(const Block&);

template std::vector<Weight<Traced>> weights_of(const Block&);
template std::vector<Weight<Traced>> unfrozen_weights_of(const Block&);
template std::vector<LayeredWeight<Traced>> weights_of(const Model&);
template Traced parameters(const Block&);
template Traced parameters(const Tower&);
template void add_to_part(std::vector<PartParameters<Traced>>&, std::string_view, const Traced&);
template std::vector<PartParameters<Traced>> parameters_by_part(const Model&);
template Traced parameters(const Model&);
template Tape<Traced> run(const Block&, const Pass<Traced>&, const Traced&);
template std::vector<BlockCost<Traced>> cost_of(const Block&, const Pass<Traced>&, const Traced&);
template std::vector<Kept<Traced>> kept_by(const Block&);

}  // namespace plimsoll
