// A checkpoint held against the model that its config describes: layer by layer, and part by part.
#include <cmath>

#include "api/inspect/inspection.h"
#include "model/core/profile.h"

namespace plimsoll {
namespace {

double parameters_of(const Block& block) {
    double sum = 0;
    for (const Weight<double>& weight : weights_of<double>(block)) sum += weight.elements();
    return sum;
}

double at_layer(const Checkpoint& checkpoint, int layer) {
    double sum = 0;
    for (const TensorGroup& group : checkpoint.groups())
        if (group.part == "language" && group.layer == layer) sum += group.parameters;
    return sum;
}

// Layers beyond the config's are those that predict further tokens.
double beyond_layers(const Checkpoint& checkpoint, int layers) {
    double sum = checkpoint.parameters("mtp");
    for (const TensorGroup& group : checkpoint.groups())
        if (group.part == "language" && group.layer >= layers) sum += group.parameters;
    return sum;
}

// Layers that differ by the same amounts, one after the other.
struct Run {
    size_t first, last;
    double config, file;
};

void compare_layers(const Model& model, const Checkpoint& checkpoint, std::vector<Difference>& list) {
    std::vector<double> kinds;
    for (const LayerKind& kind : model.kinds) kinds.push_back(parameters_of(kind.block));
    std::vector<Run> runs;
    for (size_t layer = 0; layer < model.order.size(); ++layer) {
        const double config = kinds[model.order[layer]], file = at_layer(checkpoint, static_cast<int>(layer));
        if (config == file) continue;
        const bool continues =
            !runs.empty() && runs.back().last + 1 == layer && runs.back().config == config && runs.back().file == file;
        if (continues)
            runs.back().last = layer;
        else
            runs.push_back({layer, layer, config, file});
    }
    for (const Run& run : runs) {
        const std::string first = std::to_string(run.first);
        list.push_back({run.first == run.last ? "layer " + first : "layers " + first + "-" + std::to_string(run.last),
                        run.config,
                        run.file,
                        {}});
    }
}

void compare_rest(const Model& model, const Checkpoint& checkpoint, std::vector<Difference>& list) {
    const double config = parameters_of(model.embedding) + parameters_of(model.head), file = at_layer(checkpoint, -1);
    if (config == file) return;
    const bool again = head_stored_again(model, checkpoint) > 0;
    list.push_back({"outside the layers", config, file, again ? "the head is stored, though it is the embedding" : ""});
}

// GLM's prediction layers come with the embedding and the head once more.
const char* why_mtp(const Model& model, double config, double file) {
    if (file == 0) return "this checkpoint has no prediction layers";
    if (!model.hidden_size || !model.vocab_size) return "";
    const double copies = (file - config) / (model.hidden_size->value() * model.vocab_size->value());
    return copies >= 1 && copies == std::floor(copies) ? "embedding and head are stored there again" : "";
}

}  // namespace

double head_stored_again(const Model& model, const Checkpoint& checkpoint) {
    if (!model.tied || !model.hidden_size || !model.vocab_size) return 0;
    const double head = model.hidden_size->value() * model.vocab_size->value();
    const double more = at_layer(checkpoint, -1) - parameters_of(model.embedding) - parameters_of(model.head);
    return more == head ? head : 0;
}

std::vector<Difference> differences(const Model& model, const Checkpoint& checkpoint) {
    std::vector<Difference> list;
    double towers = 0, mtp = 0, beside = 0;
    bool second_stack = false;  // an encoder's layers have the numbers of the decoder's
    for (const Tower& tower : model.towers) {
        (tower.name == "mtp" ? mtp : towers) += parameters<double>(tower);
        second_stack = second_stack || tower.name == "encoder" || tower.name == "audio";
    }
    for (const char* part : {"vision", "audio", "projector"}) beside += checkpoint.parameters(part);
    const int layers = static_cast<int>(model.order.size());
    const double beyond = beyond_layers(checkpoint, layers);
    if (second_stack || model.order.empty()) {
        const double config = parameters<double>(model), file = checkpoint.parameters() - beyond;
        if (config != file) list.push_back({"all tensors", config, file, {}});
        return list;
    }
    compare_layers(model, checkpoint, list);
    compare_rest(model, checkpoint, list);
    if (towers != beside) list.push_back({"beside the decoder", towers, beside, {}});
    if (beyond != mtp) list.push_back({"mtp", mtp, beyond, why_mtp(model, mtp, beyond)});
    return list;
}

}  // namespace plimsoll
