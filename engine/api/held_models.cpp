// `training.models`: what a training run holds beside the model that it trains, each with an architecture and an
// encoding of its own.
#include "api/request_parts.h"
#include "policies/divided_model.h"

namespace plimsoll {
namespace {

// An encoding that frameworks compute from; what a packed one leaves wide has the precision's type.
void take_encoding(const std::string& id, const std::string& where, const Model& model, const Library& library,
                   const TrainingInputs& inputs, HeldModel& held, Reading& reading) {
    const Encoding* encoding = look_up(library.encodings, id, where, "encoding", reading);
    if (!encoding) return;
    if (encoding->wide == Wide::gguf)
        return reading.fail({"not_supported", where, "frameworks do not train beside GGUF weights",
                             "name one that they load, such as bf16 or nf4-dq"});
    auto own = std::make_shared<Encoding>(*encoding);
    if (encoding->wide != Wide::none)
        own->beside = inputs.precision.numerics.parameter == Dtype::float32 ? "fp32" : "bf16";
    store_in(held, own, model, library, where, reading);
    if (inputs.layout.pipeline > 1 && !held.mix.empty())
        reading.fail({"not_supported", where, "a packed model is not divided by layers yet",
                      "store it in 16 bits, or take fsdp2 in place of a pipeline"});
}

void take_model(ModelChoice given, const std::string& where, const Model& policy, const TrainingInputs& inputs,
                HeldModel& held, Reading& reading) {
    const auto differs = [](const std::optional<Traced>& one, const std::optional<Traced>& other) {
        return one && other && one->value() != other->value();
    };
    if (differs(given.model.vocab_size, policy.vocab_size))
        return reading.fail({"out_of_range", where, "it has another vocabulary than the model that is trained",
                             "probabilities are compared token by token: a model with the same vocab_size"});
    const bool states = inputs.request.divergence == Divergence::hidden_states;
    if (states && differs(given.model.hidden_size, policy.hidden_size))
        return reading.fail({"not_supported", where, "its hidden states are not as wide as the student's",
                             "a teacher of the same hidden_size, or another divergence"});
    const TrainingLayout& layout = inputs.layout;
    if (const auto refused = refused_division(given.model, layout)) return reading.fail(*refused);
    held.model = std::make_shared<const Model>(layout.divides_blocks() ? shared_model(given.model, layout)
                                                                       : std::move(given.model));
}

// One of them: of the policy's architecture and stored as it is, where nothing else is said.
void read_held_model(Fields& models, HeldModel held, const Library& library, const ModelChoice& policy,
                     TrainingInputs& inputs, Reading& reading) {
    Fields fields = models.child(held.row);
    if (reading.error) return;
    fields.known({"model", "weights"});
    Fields weights = fields.child("weights");
    weights.known({"encoding"});
    std::string encoding = weights.has("encoding") ? weights.word("encoding", "", "") : "";
    const Model* model = &policy.model;
    if (fields.has("model")) {
        ModelChoice given = read_model_choice(models.raw(held.row), library);
        if (given.error)
            return reading.fail({given.error->code, models.path(held.row) + "." + given.error->where, given.error->what,
                                 given.error->hint});
        if (encoding.empty()) {
            encoding = default_encoding(given);
            reading.assume(weights.path("encoding"), encoding, "as it is published");
        }
        take_model(std::move(given), fields.path("model"), policy.model, inputs, held, reading);
        if (reading.error) return;
        model = held.model.get();
    }
    if (!encoding.empty()) take_encoding(encoding, weights.path("encoding"), *model, library, inputs, held, reading);
    inputs.models.push_back(std::move(held));
}

}  // namespace

void read_models(Fields& fields, const Library& library, const ModelChoice& policy, TrainingInputs& inputs,
                 Reading& reading) {
    TrainingRequest& training = inputs.request;
    Fields models = fields.child("models");
    if (reading.error) return;
    const Objective objective = training.objective;
    const bool compares = objective == Objective::dpo || objective == Objective::kto;
    const bool distills = objective == Objective::distill;
    models.known({"reference", "teacher"});
    if (!compares) tell_unused(models, {"reference"}, reading);
    if (!compares) tell_unused(fields, {"reference_precomputed"}, reading);
    if (!distills) tell_unused(models, {"teacher"}, reading);
    if (distills) {
        if (!models.has("teacher"))
            reading.assume("training.models.teacher", std::string("the policy's architecture"), "no other was given");
        return read_held_model(models, {"teacher", nullptr}, library, policy, inputs, reading);
    }
    training.reference_precomputed = compares && fields.optional_flag("reference_precomputed");
    if (!compares || training.reference_precomputed) return;
    HeldModel reference{"reference", nullptr};
    if (!models.has("reference")) {
        reference.has_weights = !training.lora;
        if (training.lora)
            reading.assume("training.reference", std::string("the base alone"), "adapters are switched off for it");
        else
            reading.assume("training.reference", std::string("a frozen copy"), "the policy before it was trained");
    }
    read_held_model(models, std::move(reference), library, policy, inputs, reading);
}

}  // namespace plimsoll
