#include "policies/runtimes/server_defaults.h"

#include "inputs/capabilities.h"
#include "number/traced.h"

namespace plimsoll {

namespace {

// SGLang chooses the tokens of a batch, and the largest batch of a captured graph, by the device's memory.
// Source: server_args.py (_handle_gpu_memory_settings), 0.5.
struct SizedDefaults {
    double below_mib, batch_tokens, graph_batch, graph_batch_of_four_devices;
};
constexpr SizedDefaults sized[] = {{20 * 1024, 2048, 8, 8},      {35 * 1024, 2048, 24, 80},
                                   {60 * 1024, 4096, 32, 160},   {90 * 1024, 8192, 256, 512},
                                   {160 * 1024, 8192, 256, 512}, {1e12, 16384, 512, 512}};

// The share that is left when so much is set aside: for what is there at all times, for a batch, for graphs and for
// each device; of large devices ten gibibytes at least.
double share_beside_reserve(double memory, double batch, double graph_batch, double devices) {
    constexpr double always = 512, of_a_token = 1.5, least_tokens = 2048, of_a_graph_row = 2, of_a_device = 128,
                     large = 60 * 1024, of_large = 10 * 1024;
    double reserve =
        always + maximum(batch, least_tokens) * of_a_token + graph_batch * of_a_graph_row + devices * of_a_device;
    if (memory > large) reserve = maximum(reserve, of_large);
    constexpr double digits = 1000;
    return rounded_down((memory - reserve) / memory * digits + 0.5) / digits;
}

// Before 0.4.7 the share went by the number of devices alone. Source: server_args.py, 0.4.6 (__post_init__).
double share_by_devices(double devices) {
    if (devices >= 16) return 0.79;
    if (devices >= 8) return 0.81;
    if (devices >= 4) return 0.85;
    return devices >= 2 ? 0.87 : 0.88;
}

void add_fraction(ServerDefaults& defaults, double fraction) {
    if (fraction <= 0) return;
    defaults.least_fraction = minimum(defaults.least_fraction, fraction);
    defaults.most_fraction = maximum(defaults.most_fraction, fraction);
}

ServerDefaults by_memory(const Runtime& runtime, const ServerSetting& setting) {
    constexpr double mib = 1048576;
    const double memory = setting.device->memory_bytes / mib;
    const SizedDefaults* found = sized;
    while (memory >= found->below_mib) ++found;
    const double graph_batch = setting.devices < 4 ? found->graph_batch : found->graph_batch_of_four_devices;
    const double share = share_beside_reserve(memory, found->batch_tokens, graph_batch, setting.devices);
    ServerDefaults defaults{found->batch_tokens,
                            graph_batch,
                            share,
                            share,
                            share,
                            runtime.step,
                            "the runtime's default on a device of this size"};
    if (setting.release == 0) add_fraction(defaults, share_by_devices(setting.devices));
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
    today.step = runtime.step;
    return today;
}

bool has_one_of(const std::vector<std::string>& words, const Device& device) {
    std::string name;
    for (const char letter : device.name)
        name += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
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
    if (runtime.fraction_by_memory && setting.device) return by_memory(runtime, setting);
    const Release release = release_of(runtime, setting.release, setting.device);
    const DeviceDefaults* own = defaults_on(release, setting.device);
    const double fraction = release.memory_fraction > 0 ? release.memory_fraction : runtime.memory_fraction;
    ServerDefaults defaults{own ? own->batch_tokens : release.batch_tokens,
                            own ? own->sequences_at_once : release.sequences_at_once,
                            fraction,
                            fraction,
                            fraction,
                            release.step};
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
