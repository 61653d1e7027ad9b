// Layers of a pipeline's stages and parts.
#include "model/transform/pipeline_parts.h"

#include "number/traced.h"

namespace plimsoll {
namespace {

/// A stage whose layers were said: those of its outermost part, and of each of the others; below 0 where it has too few.
struct EndStage {
    double outermost, each;
};

// `even`: layers of a part of the stages between the ends; 0 where there are none.
EndStage end_stage(double layers, double parts, double even) {
    if (is_whole(layers / parts)) return {layers / parts, layers / parts};
    const double each = even > 0 ? even : ceiling(layers / parts);
    return {layers - (parts - 1) * each, each};
}

// Layers of a part of a stage whose layers nobody said.
double even_part(const TrainingLayout& layout, double layers) {
    if (layout.even_stages() == 0) return 0;
    return (layers - layout.first_stage_layers - layout.last_stage_layers) / layout.even_stages() /
           layout.virtual_stages;
}

// Whether the stages between the ends share what the ends leave, a whole layer at the least.
bool stages_are_even(const TrainingLayout& layout, double layers) {
    const double others = layers - layout.first_stage_layers - layout.last_stage_layers;
    if (layout.even_stages() == 0) return others == 0;
    return others > 0 && is_whole(others / layout.even_stages());
}

bool parts_are_even(const TrainingLayout& layout, double layers) {
    const double even = even_part(layout, layers);
    if (!is_whole(even)) return false;
    for (const double end : {layout.first_stage_layers, layout.last_stage_layers}) {
        const EndStage stage = end_stage(end, layout.virtual_stages, even);
        if (stage.outermost < 0 || stage.outermost > stage.each) return false;
    }
    return true;
}

// Layers of a part, of so many in all; `even`: as even_part has it.
size_t layers_of_part(const TrainingLayout& layout, double even, size_t part, size_t all) {
    const auto stages = static_cast<size_t>(layout.pipeline);
    double said = 0;
    if (part % stages == 0) said = layout.first_stage_layers;
    if (part % stages + 1 == stages) said = layout.last_stage_layers;
    if (said == 0) return static_cast<size_t>(even);
    const EndStage stage = end_stage(said, layout.virtual_stages, even);
    const bool outermost = part == 0 || part + 1 == all;
    return static_cast<size_t>(outermost ? stage.outermost : stage.each);
}

}  // namespace

std::optional<Error> refused_stages(const TrainingLayout& layout, double layers) {
    if (!layout.sets_stage_layers()) {
        if (layout.pipeline * layout.virtual_stages <= layers) return std::nullopt;
        return Error{"out_of_range", "parallel.pipeline", "there are more stages than layers",
                     "at most " + std::to_string(static_cast<int>(layers / layout.virtual_stages))};
    }
    if (layout.pipeline == 1)
        return Error{"out_of_range", "parallel.first_stage_layers",
                     "stages with layers of their own are those of a pipeline",
                     "set parallel.pipeline above 1, or leave it out"};
    if (!stages_are_even(layout, layers))
        return Error{"out_of_range", "parallel.first_stage_layers",
                     "the other stages cannot share the other layers evenly",
                     "layers less those of the first and last stage must be a multiple of the other stages"};
    if (parts_are_even(layout, layers)) return std::nullopt;
    return Error{"out_of_range", "parallel.virtual_stages", "the parts of a stage cannot share its layers evenly",
                 "layers of a stage must be a multiple of virtual_stages; of the first and the last, one part may have "
                 "fewer"};
}

std::vector<size_t> layers_of_parts(const TrainingLayout& layout, size_t layers) {
    const auto stages = static_cast<size_t>(layout.pipeline), all = stages * static_cast<size_t>(layout.virtual_stages);
    std::vector<size_t> parts(all);
    if (!layout.sets_stage_layers()) {
        for (size_t part = 0; part < all; ++part) parts[part] = layers * (part + 1) / all - layers * part / all;
        return parts;
    }
    const double even = even_part(layout, static_cast<double>(layers));
    for (size_t part = 0; part < all; ++part) parts[part] = layers_of_part(layout, even, part, all);
    return parts;
}

std::vector<size_t> parts_of_stage(const TrainingLayout& layout, size_t layers, size_t stage) {
    const std::vector<size_t> all = layers_of_parts(layout, layers);
    std::vector<size_t> parts;
    for (size_t part = stage; part < all.size(); part += static_cast<size_t>(layout.pipeline))
        parts.push_back(all[part]);
    return parts;
}

}  // namespace plimsoll
