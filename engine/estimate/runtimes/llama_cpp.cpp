#include "estimate/runtimes/llama_cpp.h"

namespace plimsoll {
namespace {

double padding_of(double bytes, double alignment) { return alignment * ceiling(bytes / alignment) - bytes; }

}  // namespace

double alignment_padding(const Model& model, const WeightMix& mix, Place place, double alignment) {
    double padding = 0;
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    for (const StoredWeight& stored : mix.weights) {
        if (stored.place != place) continue;
        const LayeredWeight<double>& each = weights[stored.weight];
        const double layers = stored.layers == 0 ? each.layers : stored.layers;
        const double columns = stored.columns == 0 ? each.weight.cols : stored.columns;
        const double elements = each.weight.rows * columns * each.weight.copies / stored.tensors;
        padding += layers * stored.tensors * padding_of(stored.encoding->values(elements).n, alignment);
    }
    for (const StoredBeside& beside : mix.beside)
        if (beside.place == place)
            padding += beside.tensors * padding_of(beside.encoding->values(beside.elements).n, alignment);
    return padding;
}

}  // namespace plimsoll
