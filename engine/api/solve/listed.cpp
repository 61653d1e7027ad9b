// The values of a list, each tried once.
#include "api/solve/listed.h"

#include <algorithm>

namespace plimsoll {
namespace {

double memory_of(const Json& id, const Library& library) {
    const auto device = library.devices.find(id.get_ref<const std::string&>());
    return device == library.devices.end() ? 0 : device->second.memory_bytes;
}

}  // namespace

std::vector<std::int64_t> in_order(const Sought& sought, Fitting& fitting, const Point& point) {
    std::vector<std::pair<double, std::int64_t>> ranked;
    for (std::int64_t number = sought.range().first; number <= sought.range().last; ++number) {
        const Fitting::Tried& tried = fitting.tried(number);
        if (tried.refused) continue;
        double rank = tried.need.bytes;
        if (sought.field() == "device.preset") rank = memory_of(sought.value(number), point.library());
        if (sought.field() == "model.preset") rank = point.model().exact_parameters.value_or(rank);
        ranked.emplace_back(rank, number);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::int64_t> order;
    order.reserve(ranked.size());
    for (const auto& [rank, number] : ranked) order.push_back(number);
    return order;
}

Found last_that_fits(const std::vector<std::int64_t>& order, Fitting& fitting) {
    Found found;
    for (const std::int64_t number : order) {
        const bool fits = fitting.at(number).state == Probe::State::fits;
        if (!fits && !found.next) found.next = number;
        if (fits && !found.next) found.value = number;
    }
    return found;
}

Found first_that_fits(const std::vector<std::int64_t>& order, Fitting& fitting) {
    Found found;
    for (const std::int64_t number : order) {
        if (fitting.at(number).state == Probe::State::fits) {
            found.value = number;
            break;
        }
        found.next = number;
    }
    return found;
}

}  // namespace plimsoll
