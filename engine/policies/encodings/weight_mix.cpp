#include "policies/encodings/weight_mix.h"

#include "inputs/capabilities.h"
#include "model/core/profile.h"
#include "policies/encodings/gguf_mix.h"
#include "policies/encodings/unquantized.h"

namespace plimsoll {

std::vector<StoredType> stored_types(const Model& model, const WeightMix& mix) {
    std::vector<StoredType> types;
    const auto add = [&types](const Encoding* encoding, Place place, double tensors, double elements) {
        size_t at = 0;
        while (at < types.size() && types[at].encoding != encoding) ++at;
        if (at == types.size()) types.push_back({encoding});
        const double bytes = encoding->values(elements).n;
        types[at].tensors += tensors;
        types[at].bytes += bytes;
        if (place != on_host) return;
        types[at].host_tensors += tensors;
        types[at].host_bytes += bytes;
    };
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    for (const StoredWeight& stored : mix.weights) {
        const LayeredWeight<double>& each = weights[stored.weight];
        const double layers = stored.layers == 0 ? each.layers : stored.layers;
        const double columns = stored.columns == 0 ? each.weight.cols : stored.columns;
        add(stored.encoding, stored.place, layers * stored.tensors,
            layers * (each.weight.rows * columns * each.weight.copies));
    }
    for (const StoredBeside& beside : mix.beside)
        if (!beside.copy) add(beside.encoding, beside.place, beside.tensors, beside.tensors * beside.elements);
    return types;
}

bool knows(const Encoding& encoding) { return capabilities.runtimes || encoding.wide != Wide::gguf; }

WeightMix weight_mix(const Model& model, const Encoding& encoding, const Encodings& encodings,
                     std::string_view published, const Placement* placement) {
    if (encoding.wide == Wide::none || model.declared_parameters || !model.missing.empty()) return {};
    if (capabilities.runtimes && encoding.wide == Wide::gguf)
        return gguf_mix(model, encoding, encodings, published == "mxfp4", placement);
    return mix_with_unquantized(model, encoding, encodings);
}

}  // namespace plimsoll
