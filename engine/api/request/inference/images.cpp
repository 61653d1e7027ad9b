// What images in a prompt are to the model: patches that its tower sees, and tokens of the decoder.
#include "api/request/inference/image_shape.h"
#include "api/request/inference/runtime_request.h"
#include "estimate/inference/companions.h"

namespace plimsoll {
namespace {

bool has_tower(const Model& model) {
    for (const Tower& tower : model.towers)
        if (tower.name == "vision") return true;
    return false;
}

}  // namespace

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
    const double count = images.number("count", 1, "one image in each prompt");
    const auto [patches, tokens] = read_image_shape(images, top.raw("model"), library, reading);
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
    seen.patches = at_once * patches;
    if (is_llama_cpp(inputs)) {
        seen.matrices = look_up(library.encodings, "gguf-f16", "inference.images", "encoding", reading);
        seen.vectors = look_up(library.encodings, "gguf-f32", "inference.images", "encoding", reading);
    }
    return seen;
}

}  // namespace plimsoll
