#include "policies/encodings/mean_bits.h"

#include <algorithm>

#include "model/core/profile.h"
#include "model/read/architecture.h"
#include "model/read/usual_decoder.h"

namespace plimsoll {
namespace {

double bits_per_weight(const Model& model, const Encoding& encoding, const Encodings& encodings) {
    const WeightMix mix = weight_mix(model, encoding, encodings, "");
    if (mix.empty() || !mix.missing.empty()) return 0;
    double bytes = 0;
    for (const StoredType& type : stored_types(model, mix)) bytes += type.bytes;
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    for (const StoredWeight& stored : mix.weights) {
        const Weight<double>& weight = weights[stored.weight].weight;
        if (!weight.vector)
            bytes +=
                weights[stored.weight].layers * weight.copies * stored.encoding->scales(weight.rows, weight.cols).n;
    }
    return bytes * 8 / parameters<double>(model);
}

// Layers so large that, with embedding and head, the model has the typed number of parameters.
double of_usual(double parameters, double vocabulary, bool tied, const Encoding& encoding, const Encodings& encodings) {
    double layers = parameters;
    for (int round = 0; round < 3; ++round) {
        const Result<Model> model = read_typed(usual_decoder(layers, vocabulary, tied));
        if (!model) return 0;
        const double outside = (tied ? 1 : 2) * vocabulary * model->hidden_size->value();
        layers = std::max(parameters - outside, parameters / 8);
    }
    const Result<Model> model = read_typed(usual_decoder(layers, vocabulary, tied));
    return model ? bits_per_weight(*model, encoding, encodings) : 0;
}

}  // namespace

MeanBits mean_bits(const Model& model, const Encoding& encoding, const Encodings& encodings) {
    if (encoding.wide == Wide::none || !model.declared_parameters) return {};
    if (model.missing.empty()) {
        Model shape = model;
        shape.declared_parameters.reset();
        const double bits = bits_per_weight(shape, encoding, encodings);
        return {bits, bits, bits};
    }
    const double size = model.declared_parameters->value();
    // vocabularies of Llama 3, of Llama 2 and of Gemma
    const double bits = of_usual(size, 128256, false, encoding, encodings),
                 small = of_usual(size, 32000, true, encoding, encodings),
                 large = of_usual(size, 262144, false, encoding, encodings);
    return {bits, std::min({bits, small, large}), std::max({bits, small, large})};
}

}  // namespace plimsoll
