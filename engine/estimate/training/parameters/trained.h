/// Which of a model's parameters are trained, weight by weight.
#pragma once

#include "estimate/training/parameters/virtual_tokens.h"
#include "model/transform/divided_model.h"
#include "model/transform/seen_images.h"

namespace plimsoll {

/// The tensors of one operation's adapters, where it is a target.
template <class N>
std::vector<Weight<N>> adapter_weights(const Op& op, const Adapter& adapter) {
    std::vector<Weight<N>> list;
    if (const Linear* linear = op.as<Linear>(); linear && linear->is_target(&adapter))
        linear->adapter_weights(adapter, list);
    if (const Experts* experts = op.as<Experts>(); experts && experts->is_target(&adapter))
        experts->adapter_weights(adapter, list);
    return list;
}

/// Those of one block, whose operations have none where they are frozen by name.
template <class N>
std::vector<Weight<N>> adapter_weights(const Block& block, const Adapter& adapter) {
    std::vector<Weight<N>> list;
    for (size_t at = 0; at < block.ops.size(); ++at)
        if (!block.is_frozen(at))
            for (Weight<N>& weight : adapter_weights<N>(block.ops[at], adapter)) list.push_back(std::move(weight));
    return list;
}

/// Parameters of a block's adapters: rank × (in + out) for each target, and with DoRA one for each output; or OFT's.
template <class N>
N adapter_parameters(const Block& block, const Adapter& adapter) {
    N total{0};
    for (size_t at = 0; at < block.ops.size(); ++at) {
        const Op& op = block.ops[at];
        if (block.is_frozen(at)) continue;
        if (const Linear* linear = op.as<Linear>(); linear && linear->is_target(&adapter)) {
            N one = linear->adapter_elements<N>(adapter);
            if (adapter.magnitudes) one += as<N>(linear->out);
            total += named({"adapter_of_", linear->name}, one);
        } else if (const Experts* experts = op.as<Experts>(); experts && experts->is_target(&adapter)) {
            const N one = experts->adapter_elements<N>(adapter);
            total += named("adapter_of_experts", as<N>(experts->here()) * one);
        }
    }
    return total;
}

/// What the weights of PEFT's modules_to_save are listed under.
inline constexpr std::string_view saved_modules = "modules_to_save";

/// The matrices that are copied and trained beside the adapters; a tied head's is a copy of its own.
template <class N>
std::vector<LayeredWeight<N>> saved_module_weights(const Model& model, const Adapter& adapter) {
    std::vector<LayeredWeight<N>> list;
    if (!model.vocab_size || !model.hidden_size) return list;
    const N rows = as<N>(*model.vocab_size), width = as<N>(*model.hidden_size);
    if (adapter.saves_embedding)
        list.push_back({{"embed_tokens", Part::embedding, rows, width, N(1)}, N(1), saved_modules});
    if (adapter.saves_head) list.push_back({{"lm_head", Part::head, width, rows, N(1)}, N(1), saved_modules});
    return list;
}

/// Their parameters.
template <class N>
N saved_module_parameters(const Model& model, const TrainingRequest& request) {
    N total{0};
    if (request.method.adapter)
        for (const LayeredWeight<N>& each : saved_module_weights<N>(model, *request.method.adapter))
            total += named({each.weight.name, "_copy"}, each.weight.elements());
    return total;
}

/// The model's own weights that are not frozen, where parts are named.
template <class N>
std::vector<LayeredWeight<N>> unfrozen_weights(const Model& model) {
    std::vector<LayeredWeight<N>> list;
    const auto add = [&list](const Block& block, const N& layers) {
        for (Weight<N>& weight : unfrozen_weights_of<N>(block)) list.push_back({std::move(weight), layers});
    };
    add(model.embedding, N(1));
    for (const LayerKind& kind : model.kinds) add(kind.block, as<N>(kind.count));
    add(model.head, N(1));
    return list;
}

/// The weights that are trained: the adapters' and what is trained beside them, or the model's own.
template <class N>
std::vector<LayeredWeight<N>> trained_weights(const Model& model, const TrainingRequest& request) {
    if (request.method.parts) return unfrozen_weights<N>(model);
    if (!request.method.adapter) return weights_of<N>(model);
    std::vector<LayeredWeight<N>> list;
    const auto add = [&list, &request](const Block& block, const N& layers) {
        for (Weight<N>& weight : adapter_weights<N>(block, *request.method.adapter))
            list.push_back({std::move(weight), layers, {}});
    };
    for (const LayerKind& kind : model.kinds) add(kind.block, as<N>(kind.count));
    add(model.head, N(1));
    for (LayeredWeight<N>& each : virtual_weights<N>(model, request.method.adapter->virtual_tokens))
        list.push_back(std::move(each));
    for (LayeredWeight<N>& each : saved_module_weights<N>(model, *request.method.adapter))
        list.push_back(std::move(each));
    return list;
}

/// Bytes of the lists of indices beside OFT's entries, two of each target's own; they are whole on every device.
template <class N>
Bytes<N> adapter_indices(const Model& model, const TrainingRequest& request) {
    N entries{0};
    for (const LayeredWeight<N>& each : trained_weights<N>(model, request))
        if (each.weight.name == Rotation::weight) entries += each.layers * each.weight.cols;
    return N(2) * named("oft_entries", entries) * bytes_of<N>(Dtype::int64);
}

/// Parameters of one block that get gradients.
template <class N>
N trained_parameters(const Block& block, const TrainingRequest& request) {
    if (request.method.adapter) return adapter_parameters<N>(block, *request.method.adapter);
    std::vector<PartParameters<N>> parts;  // a line for each part, so that none grows long
    for (const Weight<N>& weight : unfrozen_weights_of<N>(block))
        add_to_part(parts, part_name(weight.part), named(weight.name, weight.elements()));
    N total{0};
    for (const PartParameters<N>& part : parts) total += named({"trained_", part.name}, part.elements);
    return total;
}

/// Parameters of one layer that get gradients: what is trained, and what is frozen in one flat parameter with it.
template <class N>
N gradient_parameters(const Block& block, const TrainingInputs& inputs) {
    N trained = trained_parameters<N>(block, inputs.request);
    if (!inputs.joins_frozen()) return trained;
    TrainingRequest all = inputs.request;
    all.method.adapter.reset();
    return trained + named("frozen_beside_adapters", trained_parameters<N>(block, all));
}

/// The share of a model that is trained where its bottom is frozen; 1: all of it.
template <class N>
N trained_share(const TrainingRequest& request) {
    if (!request.method.freeze || request.method.trainable_percent == 100) return N(1);
    return input<N>("trainable_percent", request.method.trainable_percent, "request: training.trainable_percent") /
           N(100);
}

/// Parameters of all adapters.
template <class N>
N adapter_parameters(const Model& model, const Adapter& adapter) {
    N total{0};
    for (const LayerKind& kind : model.kinds) total += as<N>(kind.count) * adapter_parameters<N>(kind.block, adapter);
    total += adapter_parameters<N>(model.head, adapter);
    for (const LayeredWeight<N>& each : virtual_weights<N>(model, adapter.virtual_tokens))
        total += named(each.weight.name, each.weight.elements());
    return named("adapter_parameters", total);
}

/// Parameters that get gradients.
template <class N>
N trainable_parameters(const Model& model, const TrainingRequest& request) {
    if (request.method.adapter) {
        N adapters = adapter_parameters<N>(model, *request.method.adapter);
        if (!request.method.adapter->saves_modules()) return adapters;
        return adapters + saved_module_parameters<N>(model, request);
    }
    if (request.method.parts) {
        N total = trained_parameters<N>(model.embedding, request) + trained_parameters<N>(model.head, request);
        for (const LayerKind& kind : model.kinds)
            total += as<N>(kind.count) * named({"trained_in_", kind.name}, trained_parameters<N>(kind.block, request));
        return named("trainable_parameters", total);
    }
    const N all = named("total_parameters", parameters<N>(model));
    const N share = trained_share<N>(request);
    return value_of(share) == 1 ? all : named("trainable_parameters", ceiling(all * share));
}

/// Share of what is trained that lies in experts, of which fewer devices have the same.
inline double trained_in_experts(const Model& model, const TrainingInputs& inputs) {
    if (!inputs.request.method.adapter) return share_in_experts(model);
    if (inputs.layout.divides_weights()) return 0;  // the base's are not told apart
    double all = 0, experts = 0;
    for (const LayeredWeight<double>& each : trained_weights<double>(model, inputs.request)) {
        const double elements = each.layers * each.weight.elements();
        all += elements;
        if (each.weight.part == Part::experts) experts += elements;
    }
    return all > 0 ? experts / all : 0;
}

/// Parameters of the model that get gradients, of which `trainable` are trained.
template <class N>
N gradient_parameters(const Model& model, const TrainingInputs& inputs, const N& trainable) {
    if (!inputs.joins_frozen()) return trainable;
    N total{0};
    for (const LayerKind& kind : model.kinds)
        total += as<N>(kind.count) * named({"trained_in_", kind.name}, gradient_parameters<N>(kind.block, inputs));
    return named("parameters_with_gradients", total);
}

}  // namespace plimsoll
