#include "policies/encodings/unquantized.h"

namespace plimsoll {
namespace {

using Weights = std::vector<LayeredWeight<double>>;

bool has_experts(const Weights& weights) {
    for (const LayeredWeight<double>& each : weights)
        if (each.weight.part == Part::experts && !each.weight.vector) return true;
    return false;
}

// A matrix of torch.nn.Linear (or of a mixture's stacked experts), not a table, a convolution, a norm or a bias.
bool is_linear(const Weight<double>& weight) {
    return !weight.vector && weight.name != "conv1d" && weight.name != "patch_embedding" &&
           weight.part != Part::embedding;
}

}  // namespace

bool packs(Wide wide, const LayeredWeight<double>& each, bool experts) {
    const Weight<double>& weight = each.weight;
    const bool linear = is_linear(weight) && weight.part != Part::head && weight.part != Part::router;
    switch (wide) {
        case Wide::none: return true;
        case Wide::beside_linear_and_towers: return linear;
        case Wide::beside_linear: return linear && !each.tower;
        case Wide::beside_linear_and_head:
            return !each.tower && (linear || (weight.part == Part::head && is_linear(weight)));
        case Wide::beside_matrices: return !each.tower && (is_linear(weight) || weight.name == "embed_tokens");
        case Wide::beside_experts: return !each.tower && linear && (!experts || weight.part == Part::experts);
        case Wide::gguf: return false;
    }
    return false;
}

WeightMix mix_with_unquantized(const Model& model, const Encoding& encoding, const Encodings& encodings) {
    WeightMix mix;
    const auto look_up = [&](const std::string& id) {
        const auto found = encodings.find(id);
        if (found != encodings.end()) return &found->second;
        mix.missing = id;
        return &encoding;
    };
    const Encoding* beside = look_up(encoding.beside);
    const Encoding* beyond = beside->wide == Wide::none ? beside : look_up(beside->beside);
    const Encoding* head = encoding.head.empty() ? &encoding : look_up(encoding.head);
    const Weights weights = weights_of<double>(model);
    const bool experts = has_experts(weights);
    for (size_t index = 0; index < weights.size(); ++index) {
        const LayeredWeight<double>& each = weights[index];
        const Encoding* wide = packs(beside->wide, each, experts) ? beside : beyond;
        const Encoding* packed = each.weight.part == Part::head ? head : &encoding;
        mix.weights.push_back(
            {static_cast<unsigned short>(index), packs(encoding.wide, each, experts) ? packed : wide});
    }
    return mix;
}

}  // namespace plimsoll
