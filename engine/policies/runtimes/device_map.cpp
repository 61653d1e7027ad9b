#include "policies/runtimes/device_map.h"

#include <algorithm>

#include "number/traced.h"

namespace plimsoll {
namespace {

std::vector<double> balanced(const PlacedModules& modules, const std::vector<double>& free) {
    std::vector<double> limits = free;
    double all = 0;
    for (const double bytes : modules.bytes) all += bytes;
    constexpr double spare = 1.25;
    const double each = rounded_down(all / static_cast<double>(free.size())) +
                        rounded_down(spare * std::max(modules.largest_layer, modules.mean_matrix));
    for (size_t device = 0; device + 1 < limits.size(); ++device) limits[device] = std::min(each, limits[device]);
    constexpr double of_one = 0.9;  // one device keeps a tenth for what is computed
    if (limits.size() == 1) limits.front() *= of_one;
    return limits;
}

}  // namespace

std::vector<size_t> device_map(const PlacedModules& modules, const std::vector<double>& free) {
    const std::vector<double> limits = balanced(modules, free);
    std::vector<double> still(modules.bytes.size() + 1, 0);  // the largest module behind each
    for (size_t module = modules.bytes.size(); module-- > 1;)
        still[module - 1] = std::max(still[module], modules.bytes[module]);
    std::vector<size_t> places;
    size_t device = 0;
    double used = 0;
    for (size_t module = 0; module < modules.bytes.size(); ++module) {
        const double bytes = modules.bytes[module];
        while (device < limits.size() && used + bytes > limits[device] - (device == 0 ? still[module] : 0)) {
            ++device;
            used = 0;
        }
        used += bytes;
        places.push_back(device);
    }
    return places;
}

}  // namespace plimsoll
