// What images in a prompt are to the model: patches that its tower sees, and tokens of the decoder.
#include <cmath>

#include "api/request/inference/runtime_request.h"
#include "estimate/inference/companions.h"

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

// Fields of the families' configurations (transformers: image processors and modelling code): `spatial_merge_size`
// (Qwen-VL, GLM-V, Mistral 3: images of any size), `downsample_ratio` (InternVL), `scale_factor` (Idefics 3),
// `mm_tokens_per_image` (Gemma 3: Gemma3Config's 256 where it is not said), `vision_soft_tokens_per_image` (Gemma 3n).
Grid grid_of(const Json& config) {
    Grid grid;
    const Json* vision = member(config, "vision_config");
    if (!vision || !vision->is_object()) return grid;
    if (const std::string* type = text_member(config, "model_type"); type && *type == "gemma3") grid.tokens = 256;
    grid.patch = side(*vision, "patch_size");
    grid.image = side(*vision, "image_size");
    for (const Json* block : {&config, vision}) {
        if (const double merge = side(*block, "spatial_merge_size"); merge > 0) grid.merge = merge, grid.image = 0;
        if (const double ratio = side(*block, "downsample_ratio"); ratio > 0 && ratio < 1) grid.merge = 1 / ratio;
        if (const double factor = side(*block, "scale_factor"); factor > 0) grid.merge = factor;
        for (const char* key : {"mm_tokens_per_image", "vision_soft_tokens_per_image"})
            if (const double tokens = side(*block, key); tokens > 0) grid.tokens = tokens;
    }
    return grid;
}

// Sides are brought to whole tokens (transformers: smart_resize).
double tokens_of(const Grid& grid, double width, double height) {
    const double unit = grid.patch * grid.merge;
    const auto whole = [unit](double pixels) { return maximum(1, rounded_down(pixels / unit + 0.5)); };
    return whole(width) * whole(height);
}

bool has_tower(const Model& model) {
    for (const Tower& tower : model.towers)
        if (tower.name == "vision") return true;
    return false;
}

double read_tokens(Fields& images, const Grid& grid, Reading& reading) {
    const double width = images.optional_number("width").value_or(grid.image > 0 ? grid.image : 1024);
    const double height = images.optional_number("height").value_or(grid.image > 0 ? grid.image : width);
    if (images.has("tokens")) return images.optional_number("tokens").value_or(1);
    if (grid.tokens == 0 && grid.patch == 0) {
        reading.fail({"missing_field", images.path("tokens"), "the configuration does not say how large a patch is",
                      "give the tokens of one image"});
        return 1;
    }
    const double fixed = grid.image > 0 ? grid.image : 0;
    double tokens = grid.tokens;
    const char* why = "the tower's own number for every image";
    if (!(grid.tokens > 0)) tokens = fixed > 0 ? tokens_of(grid, fixed, fixed) : tokens_of(grid, width, height);
    if (!(grid.tokens > 0 || fixed > 0))
        why = images.has("width") ? "by the image's size, the patches and how they are merged"
                                  : "an image of 1024 pixels a side";
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

ExpertRouting routing_of(const Json& model, const Library& library) {
    const Json* config = config_of(model, library);
    if (!config) return {};
    const Json* text = member(*config, "text_config");
    const Json& decoder = text && text->is_object() ? *text : *config;
    const auto number = [&decoder](const char* name) {
        const Json* found = member(decoder, name);
        return found && found->is_number() ? found->get<double>() : 0;
    };
    // what the converter does not find it leaves out of the file, but for what the class has by default
    const Json *normed = member(decoder, "norm_topk_prob"), *type = member(decoder, "model_type");
    const bool usual = type && *type == "deepseek_v3" && !member(decoder, "file_format");
    return {normed ? normed->is_boolean() && normed->get<bool>() : usual, number("n_group"), number("topk_group")};
}

std::optional<SeenImages> read_images(const Fields& top, Fields& fields, const Library& library,
                                      const ModelChoice& model, const InferenceInputs& inputs, Reading& reading) {
    if (!fields.has("images") || fields.raw("images").is_null()) return std::nullopt;
    Fields images = fields.child("images");
    if (reading.error) return std::nullopt;
    if (!has_tower(model.model))
        reading.fail({"not_supported", "inference.images", "the model sees no images", "leave it out"});
    const Json* config = config_of(top.raw("model"), library);
    const Grid grid = config ? grid_of(*config) : Grid{};
    const double count = images.number("count", 1, "one image in each prompt");
    const double tokens = read_tokens(images, grid, reading);
    if (count * tokens > inputs.request.context)
        reading.fail({"out_of_range", "inference.images", "the images have more tokens than the context",
                      "context counts them too"});
    SeenImages seen;
    // transformers encodes a batch's images at once, llama.cpp one by one, servers as many as a step may compute
    double at_once = count * inputs.request.sequences;
    if (is_llama_cpp(inputs)) at_once = 1;
    if (inputs.runtime->allocation == Allocation::paged)
        at_once = maximum(1, rounded_down(inputs.request.batch_tokens / tokens));
    seen.tokens = at_once * tokens;
    const double fixed = grid.image > 0 && grid.patch > 0 ? rounded_down(grid.image / grid.patch) : 0;
    seen.patches = at_once * (fixed > 0 ? fixed * fixed : tokens * grid.merge * grid.merge);
    if (is_llama_cpp(inputs)) {
        seen.matrices = look_up(library.encodings, "gguf-f16", "inference.images", "encoding", reading);
        seen.vectors = look_up(library.encodings, "gguf-f32", "inference.images", "encoding", reading);
    }
    return seen;
}

}  // namespace plimsoll
