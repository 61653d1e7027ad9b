// `training.images` and `training.towers`: a vision tower that runs before the decoder, and what of it is trained.
#include "api/request/inference/image_shape.h"
#include "api/request/request_parts.h"
#include "model/transform/seen_images.h"

namespace plimsoll {
namespace {

constexpr const char* at_images = "training.images";
constexpr const char* at_towers = "training.towers";

void read_images(const Fields& top, const Fields& training, const Library& library, TrainingInputs& inputs,
                 Reading& reading) {
    Fields fields = training.child("images");
    TrainingImages& images = inputs.request.batch.images;
    images.count = fields.number("count", 1, "one image in each sequence");
    const ImageShape shape = read_image_shape(fields, top.raw("model"), library, reading);
    images.patches = shape.patches;
    images.tokens = shape.tokens;
}

// Whether a tower is followed: where each device runs whole layers, and no answers are generated.
bool can_run_towers(const Model& model, const TrainingInputs& inputs) {
    const TrainingLayout& layout = inputs.layout;
    return has_running_tower(model) && layout.tensor == 1 && layout.pipeline == 1 && layout.context == 1 &&
           !generates(inputs.request.objective.kind);
}

void refuse_towers(const char* where, const Model& model, const TrainingInputs& inputs, Reading& reading) {
    if (can_run_towers(model, inputs)) return;
    const auto refuse = [&](const char* what, const char* hint) { reading.fail({"not_supported", where, what, hint}); };
    if (!has_running_tower(model))
        return refuse(model.towers.empty()
                          ? "the model sees no images"
                          : "what this model's tower keeps is not known: its weights alone are counted",
                      "leave it out");
    if (generates(inputs.request.objective.kind))
        return refuse("a tower is not followed in answers that are generated", "set objective to sft or dpo");
    refuse("a tower is followed where each device runs whole layers", "spread the run by data alone");
}

bool places_adapters(MethodKind method) {
    using enum MethodKind;
    return method == lora || method == dora || method == qlora || method == oft;
}

// What becomes of them: adapters are placed by PEFT's names, which it finds in towers as well.
TrainedTowers read_trained(Fields& fields, MethodKind method, Reading& reading) {
    using enum MethodKind;
    if (method != freeze && method != prompt && method != prefix)
        return fields.pick("towers", TrainedTowers::trained,
                           places_adapters(method) ? "PEFT finds its targets in towers as well"
                                                   : "the method trains towers as all else");
    const TrainedTowers asked = fields.optional_pick("towers", TrainedTowers::frozen);
    if (asked != TrainedTowers::frozen)
        reading.fail({"not_supported", at_towers, "this method leaves towers as they are", "leave it out"});
    return TrainedTowers::frozen;
}

// Without images, a tower of which nothing is said counts as trained.
void tell_of_text_alone(const Model& model, MethodKind method, const TrainingInputs& inputs, Reading& reading) {
    if ((method == MethodKind::full || method == MethodKind::galore) && can_run_towers(model, inputs))
        reading.assume(at_towers, std::string(name_of(TrainedTowers::trained)),
                       "its gradients and states are counted, though text alone gives it none");
}

}  // namespace

void read_towers(const Fields& top, Fields& fields, const Library& library, const Model& model, MethodKind method,
                 TrainingInputs& inputs, Reading& reading) {
    const bool images = fields.has("images"), said = images || fields.has("towers"),
               share = method == MethodKind::freeze && !fields.has("freeze");
    if (said) refuse_towers(images ? at_images : at_towers, model, inputs, reading);
    const bool wanted = (fields.says("towers") || places_adapters(method)) && !share && can_run_towers(model, inputs);
    if (reading.error) return;
    if (!said && !wanted) return tell_of_text_alone(model, method, inputs, reading);
    if (share)
        return reading.fail({"not_supported", "training.trainable_percent",
                             "a share of what has a tower is not followed",
                             "name the layers that are trained in training.freeze"});
    const TrainedTowers trained = read_trained(fields, method, reading);
    if (images)
        read_images(top, fields, library, inputs, reading);
    else if (trained == TrainedTowers::trained && !places_adapters(method))
        return;  // as where nothing is said: a tower that no image comes to is counted
    auto own = std::make_shared<Model>(inputs.built ? *inputs.built : model);
    run_towers(*own, trained, places_adapters(method));
    inputs.built = std::move(own);
    if (trained != TrainedTowers::trained && (method == MethodKind::full || method == MethodKind::galore))
        inputs.request.method.parts = TrainedParts{};
}

void check_images(const TrainingInputs& inputs, Reading& reading) {
    const TrainingImages& images = inputs.request.batch.images;
    if (images.count * images.tokens > inputs.request.batch.sequence)
        reading.fail({"out_of_range", at_images, "the images have more tokens than a sequence",
                      "training.sequence counts them too"});
}

}  // namespace plimsoll
