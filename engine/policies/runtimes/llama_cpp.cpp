#include "policies/runtimes/llama_cpp.h"

namespace plimsoll {

bool llama_cpp_keeps_windows(const Model& model) {
    constexpr std::string_view honoured[] = {
        "Gemma2", "Gemma3",     "Gemma4", "Cohere2", "GptOss", "Llama4", "Exaone4",        "Exaone_4", "SmallThinker",
        "Olmo3",  "ModernBert", "Plamo3", "MiMoV2",  "Afmoe",  "Step3",  "EmbeddingGemma", "ExaoneMoe"};
    for (const std::string_view name : honoured)
        if (std::string_view(model.architecture).substr(0, name.size()) == name) return true;
    return false;
}

Placement llama_cpp_placement(size_t layers, const LlamaSplit& split) {
    Placement placement;
    placement.experts_on_host = split.experts_on_host;
    placement.cache_on_host = split.cache_on_host;
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
