#include "policies/encodings/semi_structured.h"

#include "model/core/profile.h"
#include "policies/encodings/unquantized.h"

namespace plimsoll {
namespace {

// Half of the values, and two bits for each of them: one bit for each value that there was.
Encoding two_of_four(const Encoding& dense) {
    Encoding sparse = dense;
    sparse.id += "_2:4";
    sparse.name += ", 2:4";
    sparse.bits = dense.bits / 2 + 1;
    sparse.source = "two of four values, and 2 bits for each that is kept (PyTorch semi_structured.py, cuSPARSELt)";
    return sparse;
}

}  // namespace

void leave_out_two_of_four(const Model& model, const Encoding& dense, WeightMix& mix) {
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    if (mix.empty())
        for (size_t index = 0; index < weights.size(); ++index)
            mix.weights.push_back({static_cast<unsigned short>(index), &dense});
    mix.made = std::make_shared<const Encoding>(two_of_four(dense));
    for (StoredWeight& stored : mix.weights)
        if (stored.encoding == &dense && packs(Wide::beside_linear, weights[stored.weight]))
            stored.encoding = mix.made.get();
}

}  // namespace plimsoll
