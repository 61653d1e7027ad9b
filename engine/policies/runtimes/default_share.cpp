#include "policies/runtimes/default_share.h"

#include "number/traced.h"

namespace plimsoll {
namespace {

// Lengths of a prompt's part for which a graph is captured: in steps that widen, up to the longest.
double prefill_graphs(double longest) {
    struct Range {
        double until, step;
    };
    constexpr Range ranges[] = {{32, 4}, {256, 16}, {512, 32}, {1024, 64}, {4096, 256}, {1e12, 512}};
    double count = 0, from = 0;
    for (const Range& range : ranges) {
        count += rounded_down(maximum(0, minimum(longest, range.until) - from) / range.step);
        from = range.until;
    }
    return count;
}

// Where they are captured by default: on NVIDIA's devices (and where nothing else is said), of models without towers,
// in one stage.
double for_prefill_graphs(const ShareRule& rule, const ServerSetting& setting, double batch) {
    const std::string& vendor = setting.device->vendor;
    const bool captures = vendor.empty() || vendor == "nvidia";
    if (!captures || setting.model.tower || setting.pipeline > 1) return 0;
    if (!setting.model.latents) return rule.of_a_prefill_graph * prefill_graphs(batch);
    constexpr double longest_of_latents = 2048;
    return rule.of_latent_graphs > 0 ? rule.of_latent_graphs
                                     : rule.of_a_prefill_graph * prefill_graphs(longest_of_latents);
}

double for_drafts(const ShareRule& rule, ServedModel::Draft draft) {
    if (draft == ServedModel::Draft::none) return 0;
    return draft == ServedModel::Draft::model ? rule.of_a_draft_model : rule.of_a_draft_head;
}

double reserved(const ShareRule& rule, const SizedReserve& size, const ServerSetting& setting) {
    constexpr double least_tokens = 2048, many = 4;
    const double batch = setting.batch_tokens > 0 ? setting.batch_tokens : size.batch_tokens;
    const double graph_batch = setting.tensor < many ? size.graph_batch : size.graph_batch_of_four;
    double bytes = size.always + setting.tensor * setting.pipeline * size.of_a_device;
    bytes += maximum(batch, least_tokens) * rule.of_a_token + graph_batch * rule.of_a_graph_row;
    bytes += for_prefill_graphs(rule, setting, batch);
    if (setting.device->memory_bytes > rule.large_from) bytes = maximum(bytes, rule.least_of_large);
    return bytes + for_drafts(rule, setting.model.draft);
}

// What a tower takes of the share: a twentieth, and more where it is larger than CLIP's (24 layers of width 1024).
double share_beside_tower(const ServedModel& model) {
    constexpr double usual = 0.95, usual_size = 24.0 * 1024 * 1024, of_a_size = 0.1, least = 0.8, most = 1.05;
    const double size = model.tower_layers * (model.tower_hidden * model.tower_hidden) / usual_size;
    return usual * maximum(least, minimum(most, 1 - of_a_size * (size - 1)));
}

}  // namespace

const SizedReserve* sized_reserve(const ShareRule& rule, double memory_bytes) {
    for (const SizedReserve& size : rule.sizes)
        if (size.batch_tokens > 0 && (size.below == 0 || memory_bytes < size.below)) return &size;
    return nullptr;
}

double default_share(const ShareRule& rule, const ServerSetting& setting) {
    size_t doubled = 0;
    for (double devices = 2; devices <= setting.tensor && doubled + 1 < rule.by_devices.size(); devices *= 2) ++doubled;
    double share = rule.by_devices[doubled];
    const SizedReserve* size = setting.device ? sized_reserve(rule, setting.device->memory_bytes) : nullptr;
    if (share == 0 && size) {
        constexpr double digits = 1000, half = 0.5;
        const double memory = setting.device->memory_bytes;
        share = rounded_down((memory - reserved(rule, *size, setting)) / memory * digits + half) / digits;
    }
    return rule.by_tower && setting.model.tower ? share * share_beside_tower(setting.model) : share;
}

}  // namespace plimsoll
