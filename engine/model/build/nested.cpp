// A language model that stands inside another model's configuration.
#include <algorithm>

#include "model/build/decoder.h"

namespace plimsoll {
namespace {

const Architecture* known(std::string_view type) {
    for (const Architecture* candidate : architectures)
        if (std::find(candidate->model_types.begin(), candidate->model_types.end(), type) !=
            candidate->model_types.end())
            return candidate;
    return nullptr;
}

}  // namespace

Model language_model(Reader& config, Label block, Label otherwise, const TextClass& own) {
    const bool outer_tied = config.flag_or({"tie_word_embeddings"}, false),
               outer_says = config.has("tie_word_embeddings");
    config.enter(block, "language model", {});
    std::string type = block == "" ? std::string(otherwise) : config.word_or({"model_type"}, otherwise);
    const bool part_of_line = type.size() > 5 && type.compare(type.size() - 5, 5, "_text") == 0;
    if (part_of_line && !known(type)) type = otherwise;
    const Architecture* architecture = known(type);
    if (!architecture || config.in_language_model) {
        config.fail("model_type", "unknown_architecture", "the language model's type " + type + " is not known",
                    "type its numbers by hand, with parameters as published");
        return {};
    }
    if (own.config_class != "" && type == otherwise)
        config.enter(block, own.config_class, own.defaults);
    else
        config.enter(block, architecture->config_class, architecture->defaults);
    config.in_language_model = true;
    Model model = architecture->build(config);
    config.in_language_model = false;
    config.enter(block, "", {});
    if (!config.has("tie_word_embeddings") && outer_says) model.tied = outer_tied;
    config.enter("", "", {});
    return model;
}

}  // namespace plimsoll
