#include "policies/runtimes/llama_cpp.h"

namespace plimsoll {

double largest_tensor(std::string_view backend) { return backend == "vulkan" ? 4294967295 : 0; }

Placement llama_cpp_placement(size_t layers, const LlamaSplit& split) {
    Placement placement;
    placement.experts_on_host = split.experts_on_host;
    placement.cache_on_host = split.cache_on_host;
    placement.largest = split.largest;
    const double all = static_cast<double>(layers) + 1;
    const double on_devices = split.devices.empty() ? 0 : minimum(split.gpu_layers, all);
    const double first = all - on_devices;
    double total = 0;
    for (const double free : split.devices) total += free;
    const auto place_of = [&](double layer) -> Place {
        if (layer < first) return on_host;
        const double at = (layer - first) / on_devices;
        double share = 0;
        for (size_t device = 0; device + 1 < split.devices.size(); ++device)
            if (share += split.devices[device] / total; at < share) return static_cast<Place>(device);
        return static_cast<Place>(split.devices.size() - 1);
    };
    for (size_t layer = 0; layer < layers; ++layer) placement.layers.push_back(place_of(static_cast<double>(layer)));
    placement.head = place_of(static_cast<double>(layers));
    return placement;
}

}  // namespace plimsoll
