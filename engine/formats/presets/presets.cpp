#include "formats/presets/preset_fields.h"
#include "inputs/capabilities.h"

namespace plimsoll {
namespace {

// {"value": 989, "unit": "TFLOP/s"} a second.
double per_second(PresetFields& fields, const Json& quantity, const char* field) {
    const std::string* unit = text_member(quantity, "unit");
    const double value = fields.number(quantity, "value");
    if (unit && *unit == "GB/s") return value * 1e9;
    if (unit && (*unit == "TFLOP/s" || *unit == "TOP/s")) return value * 1e12;
    fields.fail(field, "needs GB/s, TFLOP/s or TOP/s");
    return 0;
}

// Of each device that software sees.
void read_rates(PresetFields& fields, Device& device, double devices) {
    const Json& preset = fields.preset;
    if (const Json* unified = member(preset, "unified_memory")) device.unified_memory = *unified == true;
    if (const Json* bandwidth = member(preset, "bandwidth")) {
        device.bandwidth = per_second(fields, *bandwidth, "bandwidth") / devices;
        device.bandwidth_source = source_of(preset, *bandwidth);
    }
    if (const Json* link = member(preset, "link")) {
        device.link = per_second(fields, *link, "link") / devices;
        device.link_source = source_of(preset, *link);
    }
    const Json* compute = member(preset, "compute");
    if (!compute || !compute->is_object()) return;
    for (const auto& [type, rate] : compute->items())
        device.rates.push_back({type, per_second(fields, rate, "compute") / devices, source_of(preset, rate)});
}

}  // namespace

Result<Device> read_device(const Json& preset) {
    PresetFields fields(preset);
    if (fields.error) return *fields.error;
    Device device;
    device.id = fields.id;
    device.name = fields.text("name");
    device.vendor = fields.text("vendor");
    const Json* memory = member(preset, "reported_memory");
    device.memory_reported = memory != nullptr;
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
    if (capabilities.time) read_rates(fields, device, devices >= 1 ? devices : 1);
    if (fields.error) return *fields.error;
    return device;
}

namespace {

EncodingGroup read_group(PresetFields& fields, const Json& group, const std::string& field) {
    const EncodingGroup read{fields.number(group, "elements"), fields.number(group, "scale_bits"),
                             fields.number(group, "zero_bits"), fields.number(group, "columns", 1)};
    if (!(read.elements >= 1 && read.columns >= 1)) fields.fail(field, "needs elements and columns of at least 1");
    return read;
}

Wide read_wide(PresetFields& fields) {
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
    PresetFields fields(preset);
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
    encoding.family = fields.text("family");
    if (member(preset, "uses")) {
        const std::vector<std::string> uses = words_of(preset, "uses");
        const auto has = [&uses](const char* use) { return std::find(uses.begin(), uses.end(), use) != uses.end(); };
        encoding.for_weights = has("weights");
        encoding.for_cache = has("kv");
    }
    encoding.semi_structured = is_set(preset, "semi_structured");
    encoding.keeps_input = is_set(preset, "keeps_input");
    if (const Json* product = member(preset, "product"))
        encoding.product = {fields.number(*product, "input"), fields.number(*product, "output"),
                            fields.number(*product, "cast")};
    encoding.base = fields.text("base");
    encoding.head = fields.text("head");
    if (const std::string beside = fields.text("beside"); !beside.empty()) encoding.beside = beside;
    const std::string_view id = encoding.base.empty() ? encoding.id : encoding.base;
    if (encoding.wide == Wide::gguf && id.substr(0, 5) != "gguf-") fields.fail("base", "must be a type of GGUF");
    if (fields.error) return *fields.error;
    return encoding;
}

}  // namespace plimsoll
