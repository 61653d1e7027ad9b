#include "formats/presets.h"

#include <algorithm>

#include "formats/releases.h"

namespace plimsoll {
namespace {

// Collects the first thing that is wrong, so that reading stays a list of fields.
struct Fields {
    const Json& preset;
    std::string id;
    std::optional<Error> error;

    explicit Fields(const Json& given) : preset(given) {
        if (const std::string* given_id = text_member(preset, "id"))
            id = *given_id;
        else
            error = Error{"missing_field", "presets", "a preset without an id", "give each preset an \"id\""};
    }
    void fail(const std::string& field, std::string_view what) {
        if (!error) error = Error{"bad_preset", id + "." + field, what, "see presets/schema"};
    }
    std::string text(const char* field) {
        const std::string* value = text_member(preset, field);
        return value ? *value : std::string();
    }
    double number(const Json& object, const char* field, double otherwise = 0) {
        if (const double* value = number_member(object, field)) return *value;
        if (member(object, field)) fail(field, "must be a number");
        return otherwise;
    }
};

double unit_bytes(const std::string& unit) {
    if (unit == "KiB") return 1024;
    if (unit == "MiB") return 1048576;
    if (unit == "GiB") return 1073741824;
    if (unit == "GB") return 1e9;
    if (unit == "MB") return 1e6;
    return unit == "byte" ? 1 : 0;
}

// {"value": 80, "unit": "GiB"} in bytes; `key` may be `low` or `high`.
double bytes_in(Fields& fields, const Json& quantity, const char* key, double otherwise = 0) {
    const double value = fields.number(quantity, key, -1);
    if (value < 0) return otherwise;
    const std::string* name = text_member(quantity, "unit");
    const double unit = name ? unit_bytes(*name) : 0;
    if (unit == 0) fields.fail(key, "needs a unit: byte, KiB, MiB, GiB, MB or GB");
    return value * unit;
}

// What a quantity's `from` names.
std::string source_of(const Json& preset, const Json& quantity) {
    const Json* from = member(quantity, "from");
    return source_line(preset, from ? *from : Json());
}

Measured measured(Fields& fields, const Json& quantity) {
    const double bytes = bytes_in(fields, quantity, "value");
    return {bytes, bytes_in(fields, quantity, "low", bytes), bytes_in(fields, quantity, "high", bytes),
            source_of(fields.preset, quantity)};
}

Json list_of(const Json& preset, std::string_view key) {
    const Json* list = member(preset, key);
    return list ? *list : Json::array();
}

std::string any_source(const Json& preset) {
    const Json* sources = member(preset, "sources");
    if (!sources || !sources->is_object()) return {};
    Json keys = Json::array();
    for (const auto& [key, source] : sources->items()) keys.push_back(key);
    return source_line(preset, keys);
}

}  // namespace

std::string source_line(const Json& preset, const Json& from) {
    std::string line;
    const auto add = [&](const Json& key) {
        const std::string* name = key.get_ptr<const std::string*>();
        const Json* sources = name ? member(preset, "sources") : nullptr;
        const Json* source = sources ? member(*sources, *name) : nullptr;
        if (!source || !source->is_object()) return;
        if (!line.empty()) line += '\n';
        if (const std::string* title = text_member(*source, "title")) line += *title;
        if (const std::string* url = text_member(*source, "url")) line += " <" + *url + ">";
    };
    if (from.is_array())
        for (const Json& key : from) add(key);
    else
        add(from);
    return line.empty() ? "presets/" : line;
}

Result<Device> read_device(const Json& preset) {
    Fields fields(preset);
    if (fields.error) return *fields.error;
    Device device;
    device.id = fields.id;
    device.name = fields.text("name");
    device.vendor = fields.text("vendor");
    const Json* memory = member(preset, "reported_memory");
    if (!memory) memory = member(preset, "memory");
    if (!memory)
        fields.fail("memory", "is missing");
    else {
        device.memory_bytes = bytes_in(fields, *memory, "value");
        device.memory_source = source_of(preset, *memory);
    }
    // a card of two dies is two devices to software, each with its half
    const double devices = fields.number(preset, "software_devices", 1);
    if (devices >= 1) device.memory_bytes = device.memory_bytes / devices;
    if (const Json* fraction = member(preset, "usable_fraction")) {
        device.usable_fraction = fields.number(*fraction, "value", 1);
        device.usable_source = source_of(preset, *fraction);
    }
    device.compute_capability = fields.number(preset, "compute_capability");
    if (fields.error) return *fields.error;
    return device;
}

namespace {

EncodingGroup read_group(Fields& fields, const Json& group, const std::string& field) {
    const EncodingGroup read{fields.number(group, "elements"), fields.number(group, "scale_bits"),
                             fields.number(group, "zero_bits"), fields.number(group, "columns", 1)};
    if (!(read.elements >= 1 && read.columns >= 1)) fields.fail(field, "needs elements and columns of at least 1");
    return read;
}

Wide read_wide(Fields& fields) {
    constexpr std::string_view names[] = {
        "none",           "beside_linear", "beside_linear_and_towers", "beside_linear_and_head", "beside_matrices",
        "beside_experts", "gguf"};
    const std::string name = fields.text("wide");
    for (const std::string_view& known : names)
        if (known == name) return static_cast<Wide>(&known - names);
    if (!name.empty()) fields.fail("wide", "names no policy that is known");
    return Wide::none;
}

}  // namespace

Result<Encoding> read_encoding(const Json& preset) {
    Fields fields(preset);
    if (fields.error) return *fields.error;
    Encoding encoding;
    encoding.id = fields.id;
    encoding.name = fields.text("name");
    encoding.bits = fields.number(preset, "bits");
    encoding.source = any_source(preset);
    if (!(encoding.bits > 0 && encoding.bits <= 64)) fields.fail("bits", "must be from 1 to 64");
    if (const Json* group = member(preset, "group")) encoding.group = read_group(fields, *group, "group");
    if (const Json* group = member(preset, "scale_group"))
        encoding.scale_group = read_group(fields, *group, "scale_group");
    if (const Json* per = member(preset, "bits_per")) {
        encoding.channel_bits = fields.number(*per, "output");
        encoding.row_bits = fields.number(*per, "input");
        encoding.tensor_bits = fields.number(*per, "matrix");
    }
    encoding.block = fields.number(preset, "block", 1);
    if (!(encoding.block >= 1)) fields.fail("block", "must be at least 1");
    encoding.wide = read_wide(fields);
    if (const Json* sparse = member(preset, "semi_structured"))
        encoding.semi_structured = sparse->is_boolean() && sparse->get<bool>();
    encoding.base = fields.text("base");
    encoding.head = fields.text("head");
    if (const std::string beside = fields.text("beside"); !beside.empty()) encoding.beside = beside;
    const std::string_view id = encoding.base.empty() ? encoding.id : encoding.base;
    if (encoding.wide == Wide::gguf && id.substr(0, 5) != "gguf-") fields.fail("base", "must be a type of GGUF");
    if (fields.error) return *fields.error;
    return encoding;
}

Result<Optimizer> read_optimizer(const Json& preset) {
    Fields fields(preset);
    if (fields.error) return *fields.error;
    Optimizer optimizer;
    optimizer.id = fields.id;
    optimizer.name = fields.text("name");
    optimizer.source = any_source(preset);
    for (const Json& entry : list_of(preset, "states")) {
        const std::string* name = text_member(entry, "name");
        if (!name) {
            fields.fail("states", "each state needs a name");
            break;
        }
        OptimizerState state;
        state.name = *name;
        if (const double* bits = number_member(entry, "bits")) state.bits = *bits;
        if (const Json* block = member(entry, "block")) {
            state.block_elements = fields.number(*block, "elements");
            state.block_bytes = fields.number(*block, "bytes");
        }
        if (const Json* small = member(entry, "small")) {
            state.small_below = fields.number(*small, "below_elements");
            state.small_bits = fields.number(*small, "bits", 32);
        }
        state.embedding_bits = fields.number(entry, "embedding_bits");
        optimizer.states.push_back(std::move(state));
    }
    if (fields.error) return *fields.error;
    return optimizer;
}

namespace {

Allocation read_allocation(Fields& fields, const Json& policies) {
    constexpr std::string_view names[] = {"contiguous", "llama.cpp", "paged"};
    const std::string* kv = text_member(policies, "kv");
    for (const std::string_view& known : names)
        if (kv && known == *kv) return static_cast<Allocation>(&known - names);
    fields.fail("policies.kv", "names no policy that is known");
    return Allocation::contiguous;
}

// Pages of the cache, the share of the device that is claimed for it, and what running servers take besides.
void read_pages(Fields& fields, const Json& preset, Runtime& runtime) {
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
    const auto figure = [&](const char* key) -> std::optional<Measured> {
        const Json* entry = member(preset, key);
        if (!entry) return std::nullopt;
        return measured(fields, *entry);
    };
    runtime.captured_graphs = figure("captured_graphs");
    runtime.library = figure("library");
    runtime.communication = figure("communication");
}

std::vector<std::string> words_of(const Json& object, const char* key) {
    std::vector<std::string> words;
    for (const Json& word : list_of(object, key))
        if (const std::string* text = word.get_ptr<const std::string*>()) words.push_back(*text);
    return words;
}

Loader read_loader(const Json& preset, const Json& loader) {
    const Json* from = member(loader, "from");
    return {words_of(loader, "dequantised"), words_of(loader, "tied_head_loaded"), words_of(loader, "tied_head_kept"),
            source_line(preset, from ? *from : Json())};
}

}  // namespace

Result<Runtime> read_runtime(const Json& preset) {
    Fields fields(preset);
    if (fields.error) return *fields.error;
    Runtime runtime;
    runtime.id = fields.id;
    runtime.name = fields.text("name");
    for (const Json& entry : list_of(preset, "device_context")) {
        const auto word = [&entry](const char* key) {
            const std::string* value = text_member(entry, key);
            return value ? *value : std::string();
        };
        runtime.device_contexts.push_back({word("backend"), word("framework"), measured(fields, entry)});
    }
    if (const Json* workspace = member(preset, "workspace"))
        for (const auto& [generation, entry] : workspace->items())
            runtime.workspaces.push_back({generation, measured(fields, entry)});
    if (const Json* defaults = member(preset, "defaults")) {
        const std::string *logits = text_member(*defaults, "logits"), *kv = text_member(*defaults, "kv_encoding");
        runtime.logits_all = logits && *logits == "all";
        if (kv && *kv != "weights") runtime.kv_encoding = *kv;
        runtime.batch_tokens = fields.number(*defaults, "batch_tokens");
        runtime.context = fields.number(*defaults, "context");
        runtime.sequences_at_once = fields.number(*defaults, "sequences_at_once");
        if (const Json* large = member(*defaults, "on_large_devices")) {
            runtime.large_from_bytes = bytes_in(fields, *large, "at_least");
            runtime.large_batch_tokens = fields.number(*large, "batch_tokens");
            runtime.large_sequences_at_once = fields.number(*large, "sequences_at_once");
        }
    }
    read_pages(fields, preset, runtime);
    read_releases(preset, runtime);
    for (const Json& entry : list_of(preset, "buffer_alignment")) {
        const std::string* backend = text_member(entry, "backend");
        runtime.alignments.push_back({backend ? *backend : "", fields.number(entry, "device", 1),
                                      fields.number(entry, "host", 1), source_of(preset, entry)});
    }
    if (const Json* names = member(preset, "encoder_decoders")) {
        runtime.encoder_decoders.emplace();
        for (const Json& name : *names)
            if (const std::string* text = name.get_ptr<const std::string*>())
                runtime.encoder_decoders->push_back(*text);
    }
    if (const Json* loader = member(preset, "loader")) runtime.loader = read_loader(preset, *loader);
    if (const Json* policies = member(preset, "policies")) {
        runtime.allocation = read_allocation(fields, *policies);
        const std::string* allocator = text_member(*policies, "allocator");
        runtime.torch_allocator = allocator && *allocator == "torch";
        runtime.experts_over_data = member(*policies, "experts_over_data") != nullptr;
    }
    if (fields.error) return *fields.error;
    return runtime;
}

}  // namespace plimsoll
