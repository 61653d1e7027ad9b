// `training.models`: what a training run holds beside the model that it trains, each with an architecture and an
// encoding of its own.
#include "api/request/request_parts.h"
#include "model/transform/divided_model.h"

namespace plimsoll {
namespace {

// An encoding that frameworks compute from; what a packed one leaves wide has the precision's type.
void take_encoding(const std::string& id, const std::string& where, const Model& model, const Library& library,
                   const TrainingInputs& inputs, AuxiliaryModel& held, Reading& reading) {
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

// Whether a number for each token, or for all of them, is all that is asked of it.
bool scores_alone(const AuxiliaryModel& held) { return held.row == RowId::reward || held.row == RowId::critic; }

void take_model(ModelChoice given, const std::string& where, const Model& policy, const TrainingInputs& inputs,
                AuxiliaryModel& held, Reading& reading) {
    const auto differs = [](const std::optional<Traced>& one, const std::optional<Traced>& other) {
        return one && other && one->value() != other->value();
    };
    const bool scores = scores_alone(held);
    if (!scores && differs(given.model.vocab_size, policy.vocab_size))
        return reading.fail({"out_of_range", where, "it has another vocabulary than the model that is trained",
                             "probabilities are compared token by token: a model with the same vocab_size"});
    const bool states = inputs.request.objective.divergence == Divergence::hidden_states;
    if (states && differs(given.model.hidden_size, policy.hidden_size))
        return reading.fail({"not_supported", where, "its hidden states are not as wide as the student's",
                             "a teacher of the same hidden_size, or another divergence"});
    const TrainingLayout& layout = held.layout ? *held.layout : inputs.layout;
    if (const auto refused = refused_division(given.model, layout)) return reading.fail(*refused);
    Model own = scores ? with_score(std::move(given.model)) : std::move(given.model);
    held.model = std::make_shared<const Model>(layout.divides_blocks() ? shared_model(own, layout) : std::move(own));
    if (held.layout && layout.expert > 1) held.layout->in_experts = share_in_experts(*held.model);
}

// How it is spread over the devices: `parallel` as that of a request, of the same devices.
void read_own_layout(Fields& fields, const TrainingInputs& inputs, AuxiliaryModel& held, Reading& reading) {
    if (!fields.has("parallel")) return;
    Reading own;
    own.silent = true;
    Fields nothing(nullptr, "", own), parallel(&fields.raw("parallel"), "parallel", own);
    TrainingLayout layout;
    read_layout(nothing, parallel, inputs.layout.devices(), layout, own);
    if (!own.error && (layout.pipeline > 1 || inputs.layout.pipeline > 1))
        own.fail({"not_supported", "parallel", "a pipeline's stages are the same for all models",
                  "leave it out, or divide by tensor, data or zero alone"});
    if (!own.error && layout.context != inputs.layout.context)
        own.fail({"not_supported", "parallel.context", "all models see the same part of a sequence",
                  "the degree that the policy has"});
    if (const auto& error = own.error)
        return reading.fail({error->code, fields.path(error->where), error->what, error->hint});
    held.layout = layout;
}

// One of them: of the policy's architecture and stored as it is, where nothing else is said.
void read_held_model(Fields& models, AuxiliaryModel held, const Library& library, const ModelChoice& policy,
                     TrainingInputs& inputs, Reading& reading) {
    Fields fields = models.child(RowId(held.row).text());
    if (reading.error) return;
    held.on_host = fields.optional_pick("offload", HostOffload::none) == HostOffload::cpu;
    read_own_layout(fields, inputs, held, reading);
    if (reading.error) return;
    Fields weights = fields.child("weights");
    std::string encoding = weights.has("encoding") ? weights.word("encoding", "", "") : "";
    const bool trained_whole = held.trained && !inputs.request.method.adapter;
    if (trained_whole && !encoding.empty())
        return reading.fail({"not_supported", weights.path("encoding"),
                             "a critic is stored in the training's precision",
                             "leave it out, or train adapters of a packed one (method qlora)"});
    const Model* model =
        inputs.built ? inputs.built.get() : &policy.model;  // whose layers it shares, as they are built
    if (fields.has("model")) {
        ModelChoice given = read_model_choice(models.raw(RowId(held.row).text()), library);
        if (given.error)
            return reading.fail({given.error->code, models.path(RowId(held.row).text()) + "." + given.error->where,
                                 given.error->what, given.error->hint});
        if (encoding.empty() && !trained_whole) {
            encoding = default_encoding(given);
            reading.assume(weights.path("encoding"), encoding, "as it is published");
        }
        take_model(std::move(given), fields.path("model"), policy.model, inputs, held, reading);
    } else if (scores_alone(held) || held.layout) {
        if (encoding.empty() && inputs.base) encoding = inputs.base->id;
        ModelChoice own = policy;
        take_model(std::move(own), fields.path("model"), policy.model, inputs, held, reading);
    }
    if (reading.error) return;
    if (held.model) model = held.model.get();
    if (!encoding.empty()) take_encoding(encoding, weights.path("encoding"), *model, library, inputs, held, reading);
    inputs.models.push_back(std::move(held));
}

// What the policy is held against: it as it was, or with adapters its base.
void read_reference(Fields& models, const Library& library, const ModelChoice& policy, TrainingInputs& inputs,
                    Reading& reading) {
    AuxiliaryModel reference{RowId::reference, nullptr};
    if (!models.has("reference")) {
        reference.has_weights = !inputs.request.method.adapter;
        if (inputs.request.method.adapter)
            reading.assume("training.reference", std::string("the base alone"), "adapters are switched off for it");
        else
            reading.assume("training.reference", std::string("a frozen copy"), "the policy before it was trained");
    }
    read_held_model(models, std::move(reference), library, policy, inputs, reading);
}

// Above 0, answers are held against a reference's.
double read_beta(Fields& fields, Objective objective) {
    const bool grouped = objective == Objective::grpo;
    return fields.number("beta", grouped ? 0 : 0.05,
                         grouped ? "TRL's default: no reference" : "TRL's default of PPO's kl_coef");
}

// What says what an answer is worth. GRPO's is often a function of the text; PPO has a model, and a critic besides.
void read_judges(Fields& models, const Library& library, const ModelChoice& policy, TrainingInputs& inputs,
                 Reading& reading) {
    const bool has_critic = inputs.request.objective.kind == Objective::ppo;
    const auto read = [&](RowId::Known row, bool trained) {
        const std::string_view name = RowId(row).text();
        if (!models.has(name))
            reading.assume(models.path(name), std::string("the policy's architecture"), "with a head of one output");
        AuxiliaryModel judge{row, nullptr};
        judge.trained = trained;
        read_held_model(models, std::move(judge), library, policy, inputs, reading);
    };
    if (has_critic || models.has("reward")) read(RowId::reward, false);
    if (has_critic && !reading.error) read(RowId::critic, true);
    if (!has_critic && !models.has("reward"))
        reading.assume("training.models.reward", std::string("none"), "answers are judged by a function of their text");
}

}  // namespace

void read_models(Fields& fields, const Library& library, const ModelChoice& policy, TrainingInputs& inputs,
                 Reading& reading) {
    TrainingRequest& training = inputs.request;
    Fields models = fields.child("models");
    if (reading.error) return;
    const Objective objective = training.objective.kind;
    const bool answers = generates(objective);
    const bool compares = objective == Objective::dpo || objective == Objective::kto;
    const bool distills = objective == Objective::distill;
    if (!compares && !answers) tell_unused(models, {"reference"}, reading);
    if (!compares) tell_unused(fields, {"reference_precomputed"}, reading);
    if (!distills) tell_unused(models, {"teacher"}, reading);
    if (!answers) tell_unused(models, {"reward"}, reading);
    if (!answers) tell_unused(fields, {"beta", "rollout"}, reading);
    if (objective != Objective::ppo) tell_unused(models, {"critic"}, reading);
    if (distills) {
        if (!models.has("teacher"))
            reading.assume("training.models.teacher", std::string("the policy's architecture"), "no other was given");
        return read_held_model(models, {RowId::teacher, nullptr}, library, policy, inputs, reading);
    }
    training.objective.reference_precomputed = compares && fields.optional_flag("reference_precomputed");
    const bool diverges = answers && read_beta(fields, objective) > 0;
    if (diverges || (compares && !training.objective.reference_precomputed))
        read_reference(models, library, policy, inputs, reading);
    if (answers && !reading.error) read_judges(models, library, policy, inputs, reading);
}

}  // namespace plimsoll
