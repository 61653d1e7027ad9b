#include "estimate/inference/contiguous/several_devices.h"

#include "model/transform/divided_model.h"
#include "policies/runtimes/device_map.h"

namespace plimsoll {
namespace {

// Weights of the model in the order of weights_of, by where they are.
struct Sections {
    size_t embedding = 0, head = 0, towers = 0;
    std::vector<size_t> kinds;
};

Sections sections_of(const Model& model) {
    Sections sections{weights_of<double>(model.embedding).size(), weights_of<double>(model.head).size(), 0, {}};
    for (const LayerKind& kind : model.kinds) sections.kinds.push_back(weights_of<double>(kind.block).size());
    size_t others = sections.embedding + sections.head;
    for (const size_t each : sections.kinds) others += each;
    sections.towers = weights_of<double>(model).size() - others;
    return sections;
}

// Bytes of every weight of one layer, as the mix stores them.
std::vector<double> bytes_of_weights(const Model& model, const InferenceInputs& inputs) {
    std::vector<double> bytes;
    const auto stored = [](const Weight<double>& weight, const Encoding& encoding) {
        const double scales =
            weight.vector || !encoding.has_scales() ? 0 : weight.copies * encoding.scales(weight.rows, weight.cols).n;
        return encoding.values(weight.elements()).n + scales;
    };
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    bytes.reserve(weights.size());
    for (const LayeredWeight<double>& each : weights) bytes.push_back(stored(each.weight, *inputs.weights));
    for (const StoredWeight& each : inputs.mix.weights)
        bytes[each.weight] = stored(weights[each.weight].weight, *each.encoding);
    return bytes;
}

PlacedModules modules_of(const Model& model, const InferenceInputs& inputs) {
    const std::vector<double> bytes = bytes_of_weights(model, inputs);
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    const Sections sections = sections_of(model);
    size_t at = 0;
    const auto take = [&](size_t count) {
        double sum = 0;
        for (const size_t end = at + count; at < end; ++at) sum += bytes[at] * weights[at].layers;
        return sum;
    };
    PlacedModules modules;
    const double embedding = take(sections.embedding);
    std::vector<double> kinds;
    for (size_t kind = 0; kind < sections.kinds.size(); ++kind) {
        kinds.push_back(take(sections.kinds[kind]) / model.kinds[kind].count.value());
        modules.largest_layer = maximum(modules.largest_layer, kinds.back());
    }
    const double head = take(sections.head), towers = take(sections.towers);
    modules.bytes.push_back(embedding + towers);
    double matrices = 0;
    for (const LayeredWeight<double>& each : weights) matrices += each.weight.vector ? 0 : each.layers;
    for (const unsigned short kind : model.order) modules.bytes.push_back(kinds[kind]);
    modules.bytes.push_back(head);
    double all = 0;
    for (const double each : modules.bytes) all += each;
    modules.mean_matrix = matrices > 0 ? all / matrices : 0;
    return modules;
}

// What is free before the model is loaded; without a device nothing is too small.
std::vector<double> free_memory(const InferenceInputs& inputs) {
    constexpr double plenty = 1e15;
    const auto count = static_cast<size_t>(inputs.request.devices);
    std::vector<double> free;
    for (size_t index = 0; index < count; ++index) {
        const Device* device = inputs.devices ? &(*inputs.devices)[index] : inputs.device;
        if (!device) {
            free.push_back(plenty);
            continue;
        }
        const DeviceContext* context = device_context_of(*inputs.runtime, device, inputs.request.framework);
        free.push_back(maximum(0, value_of(device->usable<double>()) - (context ? context->figure.bytes : 0)));
    }
    return free;
}

// The mix of a part, whose weights are numbered anew.
WeightMix mix_of(const Model& whole, const WeightMix& mix, const ModelPart& part) {
    const Sections sections = sections_of(whole);
    std::vector<bool> kept;
    std::vector<double> share;  // of a kind's layers, those that are here
    const auto keep = [&](size_t count, double here) {
        kept.insert(kept.end(), count, here > 0);
        share.insert(share.end(), count, here);
    };
    keep(sections.embedding, part.embedding);
    for (size_t kind = 0; kind < sections.kinds.size(); ++kind) {
        double here = 0;
        for (size_t layer = part.begin; layer < part.end; ++layer) here += whole.order[layer] == kind;
        keep(sections.kinds[kind], here / whole.kinds[kind].count.value());
    }
    keep(sections.head, part.head);
    keep(sections.towers, part.embedding);
    std::vector<unsigned short> number;
    number.reserve(kept.size());
    unsigned short next = 0;
    for (const bool here : kept) number.push_back(here ? next++ : next);
    WeightMix own = mix;
    own.weights.clear();
    for (StoredWeight stored : mix.weights) {
        if (!kept[stored.weight]) continue;
        stored.layers *= share[stored.weight];
        stored.weight = number[stored.weight];
        own.weights.push_back(stored);
    }
    return own;
}

}  // namespace

std::vector<ModelPart> parts_of(const Model& model, const InferenceInputs& inputs) {
    const std::vector<size_t> places = device_map(modules_of(model, inputs), free_memory(inputs));
    std::vector<ModelPart> parts(static_cast<size_t>(inputs.request.devices) + 1);
    parts[places.front()].embedding = true;
    parts[model.tied ? places.front() : places.back()].head = true;
    for (size_t layer = 0; layer < model.order.size(); ++layer) {
        ModelPart& part = parts[places[layer + 1]];
        if (part.begin == part.end) part.begin = layer;
        part.end = layer + 1;
    }
    return parts;
}

Model model_of(const Model& whole, const ModelPart& part) {
    return layers_of(whole, part.begin, part.end, part.embedding, part.head);
}

InferenceInputs inputs_of(const Model& whole, const InferenceInputs& inputs, const ModelPart& part, size_t device) {
    InferenceInputs own = inputs;
    if (inputs.devices) own.device = &(*inputs.devices)[device];
    own.mix = mix_of(whole, inputs.mix, part);
    const double layers = static_cast<double>(part.end - part.begin), all = static_cast<double>(whole.order.size());
    own.loaded.left_over *= layers / all;
    own.loaded.tied_head_loaded = own.loaded.tied_head_loaded && part.head;
    own.loaded.tied_head_kept = own.loaded.tied_head_kept && part.head;
    return own;
}

}  // namespace plimsoll
