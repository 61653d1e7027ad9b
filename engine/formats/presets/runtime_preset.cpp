// A runtime's preset: what it allocates by default, and what it takes besides.
#include "formats/presets/kernels.h"
#include "formats/presets/preset_fields.h"
#include "formats/presets/releases.h"
#include "inputs/capabilities.h"

namespace plimsoll {
namespace {

Allocation read_allocation(PresetFields& fields, const Json& policies) {
    constexpr std::string_view names[] = {"contiguous", "llama.cpp", "paged"};
    const std::string* kv = text_member(policies, "kv");
    for (const std::string_view& known : names)
        if (kv && known == *kv) return static_cast<Allocation>(&known - names);
    fields.fail("policies.kv", "names no policy that is known");
    return Allocation::contiguous;
}

// One figure, or several that hold on some devices and in some releases each.
std::vector<MeasuredOn> measured_on(PresetFields& fields, const char* key) {
    std::vector<MeasuredOn> read;
    const auto add = [&](const Json& entry) {
        const std::string* said = text_member(entry, "links");
        const auto named = said && *said == "pcie" ? MeasuredOn::Links::pcie : MeasuredOn::Links::faster;
        read.push_back({measured(fields, entry), words_of(entry, "makers"), said ? named : MeasuredOn::Links::any,
                        release_number(entry, "since"), release_number(entry, "before")});
    };
    const Json* figures = member(fields.preset, key);
    if (figures && figures->is_array())
        for (const Json& entry : *figures) add(entry);
    else if (figures)
        add(*figures);
    return read;
}

// Pages of the cache, the share of the device that is claimed for it, and what running servers take besides.
void read_pages(PresetFields& fields, const Json& preset, Runtime& runtime) {
    if (const Json* page = member(preset, "page")) {
        runtime.page_tokens = fields.number(*page, "tokens", 1);
        runtime.page_source = source_of(preset, *page);
    }
    if (const Json* step = member(preset, "cache_step")) {
        runtime.cache_step = fields.number(*step, "tokens", 1);
        runtime.page_source = source_of(preset, *step);
    }
    if (const Json* fraction = member(preset, "memory_fraction")) {
        constexpr std::string_view names[] = {"total", "available", "free"};
        runtime.memory_fraction = fields.number(*fraction, "value");
        const std::string* of = text_member(*fraction, "of");
        for (const std::string_view& name : names)
            if (of && name == *of) runtime.fraction_of = static_cast<FractionOf>(&name - names);
    }
    if (const Json* graphs = member(preset, "captured_graphs")) runtime.captured_graphs = measured(fields, *graphs);
    runtime.library = measured_on(fields, "library");
    runtime.library_outside = measured_on(fields, "library_outside");
    if (const Json* tables = member(preset, "rotary_tables"))
        runtime.tables = {words_of(*tables, "wide_on"),      words_of(*tables, "wide_of"),
                          fields.number(*tables, "axes", 1), release_number(*tables, "since"),
                          words_of(*tables, "unscaled"),     release_number(*tables, "unscaled_since")};
    runtime.communication = measured_on(fields, "communication");
    runtime.communication_outside = measured_on(fields, "communication_outside");
}

Loader read_loader(const Json& preset, const Json& loader) {
    const Json* from = member(loader, "from");
    return {words_of(loader, "dequantised"), words_of(loader, "tied_head_loaded"), words_of(loader, "tied_head_kept"),
            source_line(preset, from ? *from : Json())};
}

// What inference under transformers, on one device, does not ask.
void read_servers(PresetFields& fields, const Json& preset, Runtime& runtime) {
    read_pages(fields, preset, runtime);
    if (const Json* queued = member(preset, "queued_work"))
        runtime.queued = {fields.number(*queued, "buffers"), fields.number(*queued, "elements_each"),
                          source_of(preset, *queued)};
    if (const Json* communicators = member(preset, "communicators"))
        for (const auto& [library, entry] : communicators->items())
            runtime.communicators.push_back({library, measured(fields, entry)});
    if (const Json* defaults = member(preset, "defaults")) runtime.on_devices = read_device_defaults(*defaults);
    for (const Json& entry : list_of(preset, "buffer_alignment")) {
        const std::string* backend = text_member(entry, "backend");
        runtime.alignments.push_back({backend ? *backend : "", fields.number(entry, "device", 1),
                                      fields.number(entry, "host", 1), fields.number(entry, "row", 1),
                                      source_of(preset, entry)});
    }
    if (const Json* refusals = member(preset, "refuses")) {
        if (const std::string* said = text_member(*refusals, "no_cache")) runtime.says_no_cache = *said;
        if (const std::string* said = text_member(*refusals, "no_sequence")) runtime.says_no_sequence = *said;
    }
    if (const Json* policies = member(preset, "policies")) {
        runtime.experts_over_data = member(*policies, "experts_over_data") != nullptr;
        runtime.scaled_latents = is_set(*policies, "scaled_latents");
    }
    read_releases(preset, runtime);
    read_kernels(fields, preset, runtime);
    if (member(preset, "encoder_decoders")) runtime.encoder_decoders = words_of(preset, "encoder_decoders");
}

// What it loads, and where it runs.
void read_reach(const Json& preset, Runtime& runtime) {
    runtime.loaded_families = words_of(preset, "weights");
    runtime.cache_families = words_of(preset, "cache");
    if (const Json* runs_on = member(preset, "runs_on")) runtime.makers = words_of(*runs_on, "makers");
}

// What the driver's context and the libraries' workspaces hold on a device.
void read_contexts(PresetFields& fields, const Json& preset, Runtime& runtime) {
    for (const Json& entry : list_of(preset, "device_context")) {
        const auto word = [&entry](const char* key) {
            const std::string* value = text_member(entry, key);
            return value ? *value : std::string();
        };
        const Json* product = member(entry, "biased_product");
        runtime.device_contexts.push_back(
            {word("backend"), word("framework"), measured(fields, entry), member(entry, "workspaces_within") != nullptr,
             product ? bytes_in(fields, *product, "value") : 0, fields.number(entry, "compute_capability")});
    }
    if (const Json* workspace = member(preset, "workspace"))
        for (const auto& [generation, entry] : workspace->items())
            runtime.workspaces.push_back({generation, measured(fields, entry)});
}

}  // namespace

Result<Runtime> read_runtime(const Json& preset) {
    PresetFields fields(preset);
    if (fields.error) return *fields.error;
    Runtime runtime;
    runtime.id = fields.id;
    runtime.name = fields.text("name");
    read_reach(preset, runtime);
    read_contexts(fields, preset, runtime);
    if (const Json* defaults = member(preset, "defaults")) {
        const std::string *logits = text_member(*defaults, "logits"), *kv = text_member(*defaults, "kv_encoding");
        runtime.logits_all = logits && *logits == "all";
        if (kv && *kv != "weights") runtime.kv_encoding = *kv;
        runtime.batch_tokens = fields.number(*defaults, "batch_tokens");
        runtime.context = fields.number(*defaults, "context");
        runtime.sequences_at_once = fields.number(*defaults, "sequences_at_once");
    }
    if (capabilities.runtimes) read_servers(fields, preset, runtime);
    if (const Json* loader = member(preset, "loader")) runtime.loader = read_loader(preset, *loader);
    if (const Json* policies = member(preset, "policies")) {
        runtime.allocation = read_allocation(fields, *policies);
        const std::string* allocator = text_member(*policies, "allocator");
        runtime.torch_allocator = allocator && *allocator == "torch";
    }
    if (fields.error) return *fields.error;
    return runtime;
}

}  // namespace plimsoll
