#include "formats/presets/kernels.h"

#include "formats/presets/releases.h"

namespace plimsoll {
namespace {

bool has_word(const std::vector<std::string>& words, std::string_view word) {
    for (const std::string& each : words)
        if (each == word) return true;
    return false;
}

Kernel::Of read_of(const Json& entry) {
    const std::string* of = text_member(entry, "of");
    if (of && *of == "experts") return Kernel::Of::experts;
    return of && *of == "linear" ? Kernel::Of::linear : Kernel::Of::all;
}

void read_layout(PresetFields& fields, const Json& layout, Kernel& kernel) {
    kernel.width = fields.number(layout, "width", 1);
    kernel.intermediate = fields.number(layout, "intermediate", 1);
    kernel.value_inputs = fields.number(layout, "value_inputs", 1);
    kernel.scale_outputs = fields.number(layout, "scale_outputs", 1);
    kernel.scale_groups = fields.number(layout, "scale_groups", 1);
    kernel.scale_bits = fields.number(layout, "scale_bits");
    kernel.scale_columns = fields.number(layout, "scale_columns");
    const std::vector<std::string> twice = words_of(layout, "twice"), wide = words_of(layout, "fp32"),
                                   without = words_of(layout, "without");
    kernel.scales_twice = has_word(twice, "scales");
    kernel.wide_biases = has_word(wide, "biases");
    kernel.without_zeros = has_word(without, "zeros");
    kernel.without_indices = has_word(without, "indices");
}

}  // namespace

void read_kernels(PresetFields& fields, const Json& preset, Runtime& runtime) {
    for (const Json& entry : list_of(preset, "kernels")) {
        Kernel kernel;
        if (const std::string* name = text_member(entry, "name")) kernel.name = *name;
        kernel.encodings = words_of(entry, "encodings");
        kernel.of = read_of(entry);
        kernel.makers = words_of(entry, "makers");
        kernel.since = release_number(entry, "since");
        kernel.before = release_number(entry, "before");
        if (const Json* capability = member(entry, "capability")) {
            kernel.capability_from = fields.number(*capability, "least");
            kernel.capability_below = fields.number(*capability, "below");
        }
        if (const Json* layout = member(entry, "layout")) read_layout(fields, *layout, kernel);
        kernel.source = source_of(preset, entry);
        runtime.kernels.push_back(std::move(kernel));
    }
}

}  // namespace plimsoll
