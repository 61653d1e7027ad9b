#include "formats/presets/releases.h"

#include "formats/presets/preset_fields.h"
#include "inputs/capabilities.h"

namespace plimsoll {

namespace {

bool is_word(const Json& object, const char* key, std::string_view word) {
    const std::string* value = text_member(object, key);
    return value && *value == word;
}

double number_of(const Json& object, const char* key, double otherwise = 0) {
    const double* value = number_member(object, key);
    return value ? *value : otherwise;
}

StepRules read_step(const Json& step) {
    StepRules rules;
    if (is_word(step, "layers", "references")) rules.layers = StepRules::Layers::references;
    if (is_word(step, "sampler", "sorted")) rules.sampler = StepRules::Sampler::sorted;
    if (is_word(step, "latents", "absorbed")) rules.latents = StepRules::Latents::absorbed;
    rules.experts_share = !is_set(step, "experts_apart");
    rules.context_counted = is_set(step, "context_counted");
    rules.grouped_pages = is_set(step, "grouped_pages");
    rules.chunks_whole = is_set(step, "chunks_whole");
    rules.workspaces_kept = is_set(step, "workspaces_kept");
    rules.latent_row = number_of(step, "latent_row");
    return rules;
}

GraphRules read_graph(const Json& absent) {
    struct Rule {
        std::string_view word;
        bool GraphRules::*rule;
    };
    constexpr Rule rules[] = {
        {"half-masks", &GraphRules::half_masks},   {"limited-outputs", &GraphRules::limited_outputs},
        {"rotations", &GraphRules::rotations},     {"given-embeddings", &GraphRules::given_embeddings},
        {"reordered", &GraphRules::reordered},     {"part-views", &GraphRules::part_views},
        {"row-indices", &GraphRules::row_indices}, {"fused-gates", &GraphRules::fused_gates},
        {"windows", &GraphRules::windows},         {"half-copies", &GraphRules::half_copies},
        {"fusions", &GraphRules::fusions}};
    GraphRules graph;
    for (const Json& word : absent)
        for (const Rule& each : rules)
            if (word.is_string() && word.get_ref<const std::string&>() == each.word) graph.*each.rule = false;
    return graph;
}

}  // namespace

double release_number(const Json& entry, const char* key) {
    double number = 0, unit = 1000;
    if (const Json* parts = member(entry, key))
        for (const Json& part : *parts) {
            if (const double* value = part.get_ptr<const double*>()) number += *value * unit;
            unit /= 1000;
        }
    return number;
}

std::vector<DeviceDefaults> read_device_defaults(const Json& defaults) {
    constexpr double gibibyte = 1073741824;
    std::vector<DeviceDefaults> read;
    for (const Json& entry : list_of(defaults, "on_devices"))
        read.push_back({number_of(entry, "at_least_gib") * gibibyte, words_of(entry, "named"),
                        words_of(entry, "unnamed"), number_of(entry, "batch_tokens"),
                        number_of(entry, "sequences_at_once")});
    return read;
}

namespace {

Release read_release(const Json& entry, const StepRules& today) {
    Release release;
    release.before = release_number(entry, "before");
    release.capability_below = number_of(entry, "capability_below");
    if (const Json* defaults = member(entry, "defaults")) {
        release.batch_tokens = number_of(*defaults, "batch_tokens");
        release.sequences_at_once = number_of(*defaults, "sequences_at_once");
        release.on_devices = read_device_defaults(*defaults);
        release.whole_context_to = number_of(*defaults, "whole_context_to");
        release.memory_fraction = number_of(*defaults, "memory_fraction");
    }
    const Json* step = member(entry, "step");
    release.step = step ? read_step(*step) : today;
    if (const Json* absent = member(entry, "without")) release.graph = read_graph(*absent);
    release.graph.cells = number_of(entry, "cells", release.graph.cells);
    return release;
}

}  // namespace

void read_releases(const Json& preset, Runtime& runtime) {
    if (!capabilities.runtimes) return;
    const Json* fraction = member(preset, "memory_fraction");
    runtime.fraction_by_memory = fraction && is_word(*fraction, "by", "device-memory");
    if (const Json* step = member(preset, "step")) runtime.step = read_step(*step);
    if (const Json* entries = member(preset, "releases"))
        for (const Json& entry : *entries) runtime.releases.push_back(read_release(entry, runtime.step));
}
}  // namespace plimsoll
