// An optimizer's preset: states and the step's temporary tensors. The engine that a visitor waits for has no use for
// more than the name.
#include "formats/presets/preset_fields.h"
#include "inputs/capabilities.h"

namespace plimsoll {

namespace {

template <class E, size_t Count>
E named_in(PresetFields& fields, const std::string_view (&names)[Count], const std::string* name, const char* field) {
    for (const std::string_view& known : names)
        if (name && known == *name) return static_cast<E>(&known - names);
    fields.fail(field, "names nothing that is known");
    return {};
}

Extent read_extent(PresetFields& fields, const Json& entry, const char* field) {
    constexpr std::string_view names[extent_count] = {"parameter",       "row",
                                                      "column",          "row_squared",
                                                      "column_squared",  "smaller_squared",
                                                      "larger_squared",  "rank_by_larger",
                                                      "rank_by_smaller", "tensor"};
    return named_in<Extent>(fields, names, text_member(entry, field), field);
}

ParameterKinds read_kinds(PresetFields& fields, const Json& list) {
    constexpr std::string_view names[parameter_kind_count] = {"matrices", "embedding", "head", "vectors", "others"};
    ParameterKinds kinds{0};
    for (const Json& name : list)
        kinds.mask |= 1U << static_cast<unsigned>(
                          named_in<ParameterKind>(fields, names, name.get_ptr<const std::string*>(), "only"));
    return kinds;
}

// A number, or `parameter`: 0.
double read_bits(PresetFields& fields, const Json& entry, double otherwise) {
    return text_member(entry, "bits") ? 0 : fields.number(entry, "bits", otherwise);
}

void read_tensor(PresetFields& fields, const Json& entry, OptimizerTensor& tensor) {
    if (const std::string* name = text_member(entry, "name")) tensor.name = *name;
    tensor.extent = read_extent(fields, entry, "per");
    if (member(entry, "per_in_fp32")) tensor.extent_in_fp32 = read_extent(fields, entry, "per_in_fp32");
    if (const Json* only = member(entry, "only")) tensor.only = read_kinds(fields, *only);
    tensor.tensors = fields.number(entry, "tensors", 1);
    tensor.bits = read_bits(fields, entry, 0);
    if (const Json* side = member(entry, "side")) {
        tensor.side_block = fields.number(*side, "block");
        tensor.side_at_most = fields.number(*side, "at_most");
    }
    if (const Json* block = member(entry, "block")) {
        tensor.block_elements = fields.number(*block, "elements");
        tensor.block_bytes = fields.number(*block, "bytes");
    }
    tensor.bytes_per_tensor = fields.number(entry, "bytes_per_tensor");
    if (const Json* small = member(entry, "small")) {
        tensor.small_below = fields.number(*small, "below_elements");
        tensor.small_bits = read_bits(fields, *small, 32);
        tensor.whole_blocks = is_set(*small, "whole_blocks");
    }
    tensor.embedding_bits = fields.number(entry, "embedding_bits");
    tensor.exact = !is_set(entry, "approximate");
}

std::vector<StepTensor> read_temporaries(PresetFields& fields, const Json& list) {
    std::vector<StepTensor> read;
    for (const Json& entry : list) {
        StepTensor tensor;
        read_tensor(fields, entry, tensor);
        const std::string* of = text_member(entry, "of");
        tensor.of_all = of && *of == "all";
        tensor.in_16bit = is_set(entry, "in_16bit");
        tensor.left = fields.number(entry, "left");
        read.push_back(std::move(tensor));
    }
    return read;
}

void read_step(PresetFields& fields, const Json& step, Optimizer& optimizer) {
    constexpr std::string_view usual[] = {"foreach", "fused", "loop"};
    optimizer.usual_way = named_in<StepWay>(fields, usual, text_member(step, "default"), "step.default");
    for (size_t way = 0; way < step_way_count; ++way)
        if (const Json* list = member(step, name_at(choice_names<StepWay>, way)))
            optimizer.step[way] = read_temporaries(fields, *list);
    if (!optimizer.step[static_cast<size_t>(optimizer.usual_way)]) fields.fail("step.default", "is no way it has");
}

// What a step reads and writes of each parameter besides, by way; only who tells times asks for it.
void read_values_between(PresetFields& fields, const Json* step, Optimizer& optimizer) {
    optimizer.values_between.fill(-1);
    if (const Json* between = step ? member(*step, "values_between") : nullptr)
        for (size_t way = 0; way < step_way_count; ++way)
            optimizer.values_between[way] = static_cast<signed char>(
                fields.number(*between, std::string(name_at(choice_names<StepWay>, way)).c_str(), -1));
}

}  // namespace

Result<Optimizer> read_optimizer(const Json& preset) {
    PresetFields fields(preset);
    if (fields.error) return *fields.error;
    Optimizer optimizer;
    optimizer.id = fields.id;
    optimizer.name = fields.text("name");
    if (!capabilities.training) return optimizer;
    optimizer.source = any_source(preset);
    for (const Json& entry : list_of(preset, "states")) {
        if (!text_member(entry, "name")) {
            fields.fail("states", "each state needs a name");
            break;
        }
        OptimizerTensor state;
        read_tensor(fields, entry, state);
        optimizer.states.push_back(std::move(state));
    }
    const Json* step = member(preset, "step");
    if (step) read_step(fields, *step, optimizer);
    if (capabilities.time) read_values_between(fields, step, optimizer);
    optimizer.rank = fields.number(preset, "rank");
    if (const Json* paged = member(preset, "paged")) optimizer.paged_from = fields.number(*paged, "from_elements", 1);
    optimizer.constructed_with_states = is_set(preset, "constructed_with_states");
    optimizer.releases_gradients = is_set(preset, "releases_gradients");
    if (fields.error) return *fields.error;
    return optimizer;
}

}  // namespace plimsoll
