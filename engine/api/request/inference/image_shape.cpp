#include "api/request/inference/image_shape.h"

#include <cmath>

namespace plimsoll {
namespace {

struct Grid {
    double patch = 0;   ///< pixels of a patch's side
    double merge = 1;   ///< patches of a token's side
    double image = 0;   ///< pixels of a side that every image is brought to; 0: its own size
    double tokens = 0;  ///< of every image, where the projector fixes them
};

double side(const Json& block, const char* key) {
    const Json* value = member(block, key);
    if (value && value->is_array() && !value->empty()) value = &value->front();
    return value && value->is_number() && value->get<double>() > 0 ? value->get<double>() : 0;
}

// Families of images of any size, whose classes merge two by two patches where a configuration does not say it.
bool merges_by_default(const std::string& type) { return type.rfind("qwen", 0) == 0 || type == "mistral3"; }

// Fields of the families' configurations (transformers: image processors and modelling code): `spatial_merge_size`
// (Qwen-VL, GLM-V, Mistral 3: images of any size), `downsample_ratio` (InternVL), `scale_factor` (Idefics 3),
// `mm_tokens_per_image` (Gemma 3: Gemma3Config's 256 where it is not said), `vision_soft_tokens_per_image` (Gemma 3n).
Grid grid_of(const Json& config) {
    Grid grid;
    const Json* vision = member(config, "vision_config");
    if (!vision || !vision->is_object()) return grid;
    const std::string *type = text_member(config, "model_type"), *tower = text_member(*vision, "model_type");
    if (type && *type == "gemma3") grid.tokens = 256;
    const bool merges = type && merges_by_default(*type);
    if (merges) grid.merge = 2;
    grid.patch = side(*vision, "patch_size");
    grid.image = side(*vision, "image_size");
    for (const Json* block : {&config, vision}) {
        if (const double merge = side(*block, "spatial_merge_size"); merge > 0) grid.merge = merge, grid.image = 0;
        if (const double ratio = side(*block, "downsample_ratio"); ratio > 0 && ratio < 1) grid.merge = 1 / ratio;
        if (const double factor = side(*block, "scale_factor"); factor > 0) grid.merge = factor;
        for (const char* key : {"mm_tokens_per_image", "vision_soft_tokens_per_image"})
            if (const double tokens = side(*block, key); tokens > 0) grid.tokens = tokens;
    }
    if (merges || (tower && *tower == "pixtral")) grid.image = 0;
    return grid;
}

// Sides are brought to whole tokens (transformers: smart_resize).
double tokens_of(const Grid& grid, double width, double height) {
    const double unit = grid.patch * grid.merge;
    const auto whole = [unit](double pixels) { return maximum(1, rounded_down(pixels / unit + 0.5)); };
    return whole(width) * whole(height);
}

double read_tokens(Fields& images, const Grid& grid, Reading& reading) {
    const double width = images.optional_number("width").value_or(1024);
    const double height = images.optional_number("height").value_or(width);
    if (images.has("tokens")) return images.optional_number("tokens").value_or(1);
    if (grid.tokens == 0 && grid.patch == 0) {
        reading.fail({"missing_field", images.path("tokens"), "the configuration does not say how large a patch is",
                      "give the tokens of one image"});
        return 1;
    }
    double tokens = grid.tokens;
    const char* why = "the tower's own number for every image";
    if (tokens == 0 && grid.image > 0) {
        tokens = tokens_of(grid, grid.image, grid.image);
    } else if (tokens == 0) {
        tokens = tokens_of(grid, width, height);
        why = images.has("width") ? "by the image's size, the patches and how they are merged"
                                  : "an image of 1024 pixels a side";
    }
    reading.assume(images.path("tokens"), tokens, why);
    return tokens;
}

}  // namespace

const Json* config_of(const Json& model, const Library& library) {
    if (const Json* config = member(model, "config")) return config;
    const std::string* preset = text_member(model, "preset");
    const auto found = preset ? library.models.find(*preset) : library.models.end();
    return found == library.models.end() ? nullptr : member(found->second, "config");
}

ImageShape read_image_shape(Fields& images, const Json& model, const Library& library, Reading& reading) {
    const Json* config = config_of(model, library);
    const Grid grid = config ? grid_of(*config) : Grid{};
    const double tokens = read_tokens(images, grid, reading);
    const double fixed = grid.image > 0 && grid.patch > 0 ? rounded_down(grid.image / grid.patch) : 0;
    return {fixed > 0 ? fixed * fixed : tokens * grid.merge * grid.merge, tokens};
}

}  // namespace plimsoll
