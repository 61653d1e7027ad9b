#include "policies/runtimes/server_defaults.h"

#include "inputs/capabilities.h"
#include "number/letters.h"
#include "number/traced.h"
#include "policies/runtimes/default_share.h"

namespace plimsoll {

namespace {

void add_fraction(ServerDefaults& defaults, double fraction) {
    if (fraction <= 0) return;
    defaults.least_fraction = minimum(defaults.least_fraction, fraction);
    defaults.most_fraction = maximum(defaults.most_fraction, fraction);
}

// Other releases' shares are how far off an answer for no release in particular may be.
ServerDefaults by_device(const Runtime& runtime, const Release& release, const ServerSetting& setting) {
    const SizedReserve* size = sized_reserve(release.share, setting.device->memory_bytes);
    const double graph_batch = setting.tensor < 4 ? size->graph_batch : size->graph_batch_of_four;
    const double share = default_share(release.share, setting);
    ServerDefaults defaults{size->batch_tokens,
                            graph_batch,
                            share,
                            share,
                            share,
                            release.step,
                            "the runtime's default on a device of this size",
                            release.share};
    if (setting.release == 0)
        for (const Release& earlier : runtime.releases)
            add_fraction(defaults, (setting.model.tower ? earlier.share.tower_factor : 1) *
                                       default_share(earlier.share, setting));
    return defaults;
}

bool holds_on(const Release& release, const Device* device) {
    if (release.capability_below == 0) return true;
    return device && device->compute_capability > 0 && device->compute_capability < release.capability_below;
}

Release release_of(const Runtime& runtime, double release, const Device* device) {
    for (const Release& earlier : runtime.releases)
        if (release > 0 && release < earlier.before && holds_on(earlier, device)) return earlier;
    Release today;
    today.batch_tokens = runtime.batch_tokens;
    today.sequences_at_once = runtime.sequences_at_once;
    today.on_devices = runtime.on_devices;
    today.share = runtime.share;
    today.step = runtime.step;
    return today;
}

bool has_one_of(const std::vector<std::string>& words, const Device& device) {
    const std::string name = in_small_letters(device.name);
    for (const std::string& word : words)
        if (name.find(word) != std::string::npos) return true;
    return false;
}

// Source: vLLM, engine/arg_utils.py (get_batch_defaults): by the device's memory, and by words of its name.
const DeviceDefaults* defaults_on(const Release& release, const Device* device) {
    if (!device) return nullptr;
    for (const DeviceDefaults& each : release.on_devices)
        if (device->memory_bytes >= each.from_bytes && (each.named.empty() || has_one_of(each.named, *device)) &&
            !has_one_of(each.unnamed, *device))
            return &each;
    return nullptr;
}

}  // namespace

GraphRules graph_rules(const Runtime& runtime, double release) {
    return capabilities.runtimes ? release_of(runtime, release, nullptr).graph : GraphRules{};
}

ServerDefaults server_defaults(const Runtime& runtime, const ServerSetting& setting) {
    if (!capabilities.runtimes) return {};
    Release release = release_of(runtime, setting.release, setting.device);
    if (!setting.model.tower) release.share.tower_factor = 1;
    if (setting.device && release.share.sizes.front().batch_tokens > 0) return by_device(runtime, release, setting);
    const DeviceDefaults* own = defaults_on(release, setting.device);
    const double fraction = release.memory_fraction > 0 ? release.memory_fraction : runtime.memory_fraction;
    const double batch = release.batch_tokens > 0 ? release.batch_tokens : runtime.batch_tokens;
    const double at_once = release.sequences_at_once > 0 ? release.sequences_at_once : runtime.sequences_at_once;
    ServerDefaults defaults{own ? own->batch_tokens : batch,
                            own ? own->sequences_at_once : at_once,
                            fraction,
                            fraction,
                            fraction,
                            release.step};
    defaults.share = release.share;
    if (setting.release == 0)
        for (const Release& earlier : runtime.releases) add_fraction(defaults, earlier.memory_fraction);
    if (own) defaults.why = "the runtime's default on such devices";
    if (setting.context <= release.whole_context_to) {
        // a batch is no smaller than this even where chunks are
        constexpr double least = 2048;
        defaults.batch_tokens = maximum(setting.context, least);
        defaults.why = "this release computes a context of this length at once";
    }
    return defaults;
}
}  // namespace plimsoll
